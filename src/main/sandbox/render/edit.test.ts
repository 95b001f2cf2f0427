import { createCanvas, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawEdit } from './edit.ts';
import { inspectMask } from './measure.ts';
import { drawStill } from './still.ts';

const SIZE = { width: 160, height: 90 };
const STILL = { ...SIZE, prompt: 'night quay', seed: 3, version: '7', label: 'night quay  ·  seed 3' };

function maskOf(rectangles: [number, number, number, number][], { width, height } = SIZE): Buffer {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#fff';
  for (const [x, y, w, h] of rectangles) pen.fillRect(x, y, w, h);
  return canvas.toBuffer('image/png');
}

async function pixels(png: Uint8Array): Promise<Uint32Array> {
  const image = await loadImage(png);
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
}

describe('an edit', () => {
  const base = drawStill(STILL);
  const edit = (mask: Uint8Array, prompt: string, from = base) =>
    drawEdit({ ...SIZE, prompt, seed: 9, label: STILL.label, base: from, mask });

  it('repaints exactly the white pixels, whatever the mask and the words', async () => {
    const rectangle = fc.tuple(
      fc.nat(159),
      fc.nat(89),
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 1, max: 60 }),
    );
    const words = fc.constantFrom('', 'a full moon', 'the open sea at dawn', 'a woman');
    const before = await pixels(base);
    await fc.assert(
      fc.asyncProperty(fc.array(rectangle, { maxLength: 4 }), words, async (rectangles, prompt) => {
        const mask = maskOf(rectangles);
        const isWhite = await pixels(mask);
        const after = await pixels(await edit(mask, prompt));
        expect(after.length).toBe(before.length);
        const wrong = before.findIndex((pixel, at) => (isWhite[at] === 0xffffffff) === (after[at] === pixel));
        expect(wrong).toBe(-1);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps the black pixels of an edit of an edit', async () => {
    const first = await edit(maskOf([[20, 10, 40, 30]]), 'a boat');
    const second = await edit(maskOf([[100, 40, 30, 30]]), 'a lamp', Buffer.from(first));
    const [before, after] = [await pixels(first), await pixels(second)];
    expect(after[20 * 160 + 30]).toBe(before[20 * 160 + 30]);
    expect(after[50 * 160 + 110]).not.toBe(before[50 * 160 + 110]);
  });
});

describe('a mask', () => {
  it('is pure when it is opaque black and white only', async () => {
    expect(await inspectMask(maskOf([[1, 1, 5, 5]]), SIZE)).toEqual({ ...SIZE, isPure: true });
    expect(await inspectMask(maskOf([[1.5, 1, 5, 5]]), SIZE)).toMatchObject({ isPure: false });
    expect(await inspectMask(createCanvas(4, 4).toBuffer('image/png'), { width: 4, height: 4 })).toMatchObject({
      isPure: false,
    });
    expect(await inspectMask(createCanvas(4, 4).toBuffer('image/jpeg'), SIZE)).toBeNull();
    expect(await inspectMask(Buffer.from('\u0089PNG not really', 'latin1'), SIZE)).toBeNull();
  });
});

describe('a still', () => {
  it('is the same bytes for the same words and seed, and another picture for another version of the model', () => {
    const first = Buffer.from(drawStill(STILL));
    expect(first.equals(drawStill(STILL))).toBe(true);
    expect(first.equals(drawStill({ ...STILL, version: '6' }))).toBe(false);
  });
});
