import { beforeEach, expect, test, vi } from 'vitest';
import { coloursOf } from './colours.ts';
import type { MaskAnswers, MaskTask } from './mask.worker.ts';
import { chunk, deflate, joined, PNG_SIGNATURE } from './png.ts';

/** The worker with a canvas of two pixels, which a file holds as a text. */

const letters = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const profileOf = (fill: number): Uint8Array<ArrayBuffer> => {
  const profile = new Uint8Array(200).fill(fill);
  profile.set(letters('RGB '), 16);
  return profile;
};
const filled = (pixels: ArrayLike<number>, ...colours: Uint8Array<ArrayBuffer>[]): Blob =>
  new Blob([PNG_SIGNATURE, chunk('IHDR', new Uint8Array(13)), ...colours, chunk('tEXt', Uint8Array.from(pixels))]);
const iccp = async (profile: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  chunk('iCCP', joined([letters('x\0\0'), await deflate(profile)]));

type Image = { width: number; height: number; pixels: Uint8ClampedArray; close(): void };
const conversions: (string | undefined)[] = [];
let hear: (event: { data: { id: number; task: MaskTask } }) => void = () => undefined;
let answered: (answer: unknown) => void = () => undefined;

class Canvas {
  pixels: Uint8ClampedArray = new Uint8ClampedArray(8);
  getContext() {
    return {
      drawImage: (image: Image) => {
        this.pixels = image.pixels;
      },
      getImageData: () => ({ data: Uint8ClampedArray.from(this.pixels) }),
      putImageData: ({ data }: { data: Uint8ClampedArray }) => {
        this.pixels = data;
      },
    };
  }
  /** As Chromium writes it: it says that it is sRGB. */
  convertToBlob = async () => filled(this.pixels, chunk('sRGB', Uint8Array.of(0)));
}

beforeEach(async () => {
  conversions.length = 0;
  vi.stubGlobal('self', {
    addEventListener: (_: string, on: typeof hear) => {
      hear = on;
    },
    postMessage: ({ answer }: { answer: unknown }) => answered(answer),
  });
  vi.stubGlobal('OffscreenCanvas', Canvas);
  vi.stubGlobal(
    'ImageData',
    class {
      readonly data: Uint8ClampedArray;
      constructor(data: Uint8ClampedArray) {
        this.data = data;
      }
    },
  );
  vi.stubGlobal('createImageBitmap', async (file: Blob, options: ImageBitmapOptions): Promise<Image> => {
    conversions.push(options.colorSpaceConversion);
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { width: 2, height: 1, pixels: Uint8ClampedArray.from(bytes.subarray(-12, -4)), close: () => undefined };
  });
  vi.resetModules();
  await import('./mask.worker.ts');
});

async function restored(before: Blob, after: Blob): Promise<Blob | undefined> {
  const mask = filled([255, 255, 255, 255, 0, 0, 0, 255]);
  const answer = new Promise((resolve) => {
    answered = resolve;
  });
  hear({ data: { id: 1, task: { kind: 'restore', before, after, mask, feather: 0 } } });
  return ((await answer) as MaskAnswers['restore']).file;
}

const [OLD, NEW] = [
  [1, 2, 3, 255, 4, 5, 6, 255],
  [11, 12, 13, 255, 14, 15, 16, 255],
];
const pixelsOf = async (file: Blob | undefined) => [
  ...new Uint8Array((await file?.arrayBuffer()) ?? []).slice(-12, -4),
];
const MIXED = [11, 12, 13, 255, 4, 5, 6, 255];

test('what both pictures mean by their values, the new one means too', async () => {
  const profile = profileOf(1);
  const file = await restored(filled(OLD, await iccp(profile)), filled(NEW, await iccp(profile)));
  expect(await pixelsOf(file)).toEqual(MIXED);
  expect(await coloursOf(file ?? new Blob())).toEqual({ type: 'profile', profile });
  expect(conversions).toEqual(['none', 'none', 'none', 'none']);
});

test('pictures of other profiles are turned into sRGB first, and plain ones stay as they are', async () => {
  for (const edit of [filled(NEW), filled(NEW, await iccp(profileOf(2)))]) {
    conversions.length = 0;
    const file = await restored(filled(OLD, await iccp(profileOf(1))), edit);
    expect(await coloursOf(file ?? new Blob())).toEqual({ type: 'plain' });
    expect(conversions).toEqual(['default', 'default', 'none', 'none']);
  }
  conversions.length = 0;
  expect(await pixelsOf(await restored(filled(OLD), filled(NEW)))).toEqual(MIXED);
  expect(conversions).toEqual(['none', 'none', 'none', 'none']);
});
