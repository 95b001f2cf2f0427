import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClipDefect } from '../../../src/main/sandbox/clipDefects.ts';
import { drawClip } from '../../../src/main/sandbox/render/clip.ts';
import { ClipEncoder, FPS } from '../../../src/main/sandbox/render/encode.ts';
import type { ClipSpec } from '../../../src/main/sandbox/render/specs.ts';
import { unpackFrames } from '../../../src/shared/film/frameSeries.ts';
import { type MediaMeasures, mediaMeasuresSchema } from '../../../src/shared/film/measures.ts';
import { findingsOf, isBroken, type StartFrame } from '../../../src/shared/triage/findings.ts';
import { SHIPPED_TRIAGE_LIMITS } from '../../../src/shared/triage/limits.ts';
import { TestPages } from './browser.ts';

/** Each finding on clips with exactly that fault, and on clips without faults, decoded and measured by a real browser. */

/** Frames are measured at 128 × 128 pixels, so larger clips add nothing. */
const WIDTH = 320;
const HEIGHT = 180;
/** The size of the painted scenes, which are scaled. */
const [SCENE_WIDTH, SCENE_HEIGHT] = [640, 360];
const SCALE = WIDTH / SCENE_WIDTH;

let pages: TestPages;
let page: Page;
beforeAll(async () => {
  pages = await TestPages.start();
  page = await pages.open('media/index.html');
});
afterAll(() => pages?.close());

async function measured(file: Uint8Array, mime?: string): Promise<MediaMeasures> {
  const answer = await page.evaluate(
    ([text, type]) =>
      (globalThis as unknown as { handles: { measure(t: unknown, m: unknown): Promise<unknown> } }).handles.measure(
        text,
        type,
      ),
    [Buffer.from(file).toString('base64'), mime] as const,
  );
  return mediaMeasuresSchema.parse(answer);
}

const SPEC: ClipSpec = {
  width: WIDTH,
  height: HEIGHT,
  seconds: 4,
  audio: true,
  prompt: 'A quay at night',
  seed: 7,
  references: [],
};

const drawn = async (spec: Partial<ClipSpec> = {}): Promise<MediaMeasures> =>
  measured((await drawClip({ ...SPEC, ...spec })).video);
const spoilt = (...defects: ClipDefect[]): Promise<MediaMeasures> => drawn({ defects });

/** A clip of frames that are painted here. */
async function painted(seconds: number, paint: (pen: SKRSContext2D, second: number) => void): Promise<MediaMeasures> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  const encoder = await ClipEncoder.open(WIDTH, HEIGHT);
  for (let frame = 0; frame < seconds * FPS; frame++) {
    pen.setTransform(SCALE, 0, 0, SCALE, 0, 0);
    pen.globalAlpha = 1;
    paint(pen, frame / FPS);
    encoder.add(canvas);
  }
  return measured(await encoder.finish(null));
}

const found = (measures: MediaMeasures, given?: StartFrame) => findingsOf(measures, SHIPPED_TRIAGE_LIMITS, given);
const kinds = (measures: MediaMeasures, given?: StartFrame) => found(measures, given).map(({ kind }) => kind);
const near = (value: number) => expect.closeTo(value, 1);
/** The encoder needs some frames after each full second, where it inserts a key frame. */
const soonAfter = (value: number) => ({
  asymmetricMatch: (at: unknown) => typeof at === 'number' && at >= value - 0.01 && at < value + 0.2,
});

test('a clip without faults has no findings, whatever it shows', async () => {
  for (const prompt of [
    'A quay at night',
    'A salt flat at noon',
    'a portrait of a woman',
    'a lamp in the rain',
    'a storm at sea',
    'a lighthouse',
  ])
    expect(kinds(await drawn({ prompt })), prompt).toEqual([]);
});

test('a series of eight seconds takes some kilobytes', async () => {
  const { pictures } = await drawn({ seconds: 8 });
  expect(unpackFrames(pictures?.series ?? { pieces: [], frames: '' })).toHaveLength(192);
  expect(pictures?.series?.frames.length).toBeLessThan(3_000);
});

test('black from the middle to the end, and most of the clip is missing', async () => {
  const measures = await spoilt({ what: 'black', from: 1.5 });
  expect(found(measures)).toEqual([expect.objectContaining({ kind: 'black', at: near(1.5), to: near(4), frame: 37 })]);
  expect(found(measures)[0]?.value).toBeLessThan(0.01);
  expect(isBroken(measures, found(measures))).toBe(true);
});

test('frozen frames while the sound goes on', async () => {
  const measures = await spoilt({ what: 'frozen', from: 2, to: 2.6 });
  expect(found(measures)).toEqual([expect.objectContaining({ kind: 'frozen', at: soonAfter(2), isHeard: true })]);
  // 0.6 s are 15 frames; the first is new, and the encoder may insert a key frame among them.
  expect(found(measures)[0]?.value).toBeGreaterThanOrEqual(12);
});

test('frames doubled for a second', async () => {
  const measures = await spoilt({ what: 'doubled', from: 1, to: 2 });
  expect(found(measures)).toEqual([expect.objectContaining({ kind: 'doubled', at: soonAfter(1), to: near(2) })]);
  expect(found(measures)[0]?.value).toBeGreaterThanOrEqual(10);
});

test('a cut inside the clip, at its frame', async () => {
  const measures = await spoilt({ what: 'cut', from: 2.5 });
  expect(found(measures)).toEqual([expect.objectContaining({ kind: 'cut', at: near(2.5), frame: 61 })]);
  expect(found(measures)[0]?.value).toBeGreaterThan(0.3);
  expect(found(measures)[0]?.around).toBeLessThan(0.05);
});

test('silence to the end, and sound beyond full scale', async () => {
  expect(found(await spoilt({ what: 'silence', from: 2 }))).toEqual([
    expect.objectContaining({ kind: 'silence', at: near(2), to: near(4) }),
  ]);
  const clipped = await spoilt({ what: 'clipping', from: 1, to: 1.5 });
  expect(kinds(clipped)).toEqual(['clipping']);
  expect(found(clipped)[0]).toMatchObject({ at: near(1) });
});

test('several faults of one take are named in order of time', async () => {
  const measures = await spoilt(
    { what: 'cut', from: 2 },
    { what: 'frozen', from: 3, to: 3.6 },
    { what: 'silence', from: 0.5, to: 1.8 },
  );
  expect(kinds(measures)).toEqual(['silence', 'cut', 'frozen']);
});

function picture(): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  pen.scale(SCALE, SCALE);
  const sky = pen.createLinearGradient(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
  sky.addColorStop(0, '#304860');
  sky.addColorStop(1, '#c09060');
  pen.fillStyle = sky;
  pen.fillRect(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
  pen.fillStyle = '#203020';
  for (let at = 0; at < 12; at++) pen.fillRect(at * 56, 220 + ((at * 37) % 60), 30, 140);
  return canvas.toBuffer('image/png');
}

test('a take that does not begin with the given first frame is found', async () => {
  const image = picture();
  const given: StartFrame = { measures: await measured(image, 'image/png'), end: 'first' };
  const faithful = await drawn({ image, prompt: 'a slow pan' });
  expect(found(faithful, given)).toEqual([]);
  const shifted = await drawn({ image, prompt: 'a slow pan', defects: [{ what: 'shifted' }] });
  const [jump, ...others] = found(shifted, given);
  expect(others).toEqual([]);
  expect(jump).toMatchObject({ kind: 'jump', at: 0 });
  expect(jump?.value).toBeGreaterThan(0.15);
  expect(jump?.colour).toBeGreaterThan(10);
});

test('an extension that does not begin where its source ends is found', async () => {
  const source = await drawClip(SPEC);
  const given: StartFrame = { measures: await measured(source.video), end: 'last' };
  const continued = { seconds: 7, extends: { lastFrame: source.lastFrame, scene: source.scene } };
  expect(kinds(await drawn(continued), given).filter((kind) => kind === 'jump')).toEqual([]);
  expect(kinds(await drawn({ ...continued, defects: [{ what: 'shifted' }] }), given)).toContain('jump');
});

/** Intended pictures that a simple rule would take for a fault. */
const stripes = (pen: SKRSContext2D, shift: number) => {
  pen.fillStyle = '#506070';
  pen.fillRect(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
  pen.fillStyle = '#d0a070';
  for (let at = -1; at < 9; at++) pen.fillRect(at * 80 + (shift % 80), 60 + at * 12, 40, 180);
};
const veil = (pen: SKRSContext2D, colour: string, alpha: number) => {
  pen.globalAlpha = alpha;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
};

test.each<[string, (pen: SKRSContext2D, second: number) => void]>([
  [
    'a fade in from black and out to black',
    (pen, second) => {
      stripes(pen, second * 60);
      veil(pen, '#000', Math.max(0, 1 - second, second - 3));
    },
  ],
  [
    'a cut to black on purpose at the end',
    (pen, second) => {
      stripes(pen, second * 60);
      if (second >= 3.2) veil(pen, '#000', 1);
    },
  ],
  [
    'a slow pan over a still picture',
    (pen, second) => {
      pen.transform(1.1, 0, 0, 1.1, -second * 4, -second * 2);
      stripes(pen, 0);
    },
  ],
  [
    'a very slow pan over a soft picture',
    (pen, second) => {
      const sky = pen.createRadialGradient(200 + second * 6, 100, 0, 200 + second * 6, 100, 500);
      sky.addColorStop(0, '#f0d0a0');
      sky.addColorStop(1, '#203040');
      pen.fillStyle = sky;
      pen.fillRect(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    },
  ],
  [
    'grain on a scene that moves a little',
    (pen, second) => {
      stripes(pen, second * 10);
      const frame = Math.round(second * FPS);
      pen.fillStyle = '#ffffff18';
      for (let at = 0; at < 4_000; at++) {
        const dice = Math.imul(at + 1, 2_654_435_761) ^ Math.imul(frame + 1, 40_503);
        pen.fillRect(Math.abs(dice) % SCENE_WIDTH, Math.abs(dice >> 9) % SCENE_HEIGHT, 2, 2);
      }
    },
  ],
  [
    'lightning',
    (pen, second) => {
      stripes(pen, second * 60);
      if (Math.abs(second - 1.5) < 0.05 || Math.abs(second - 2.75) < 0.05) veil(pen, '#fff', 0.8);
    },
  ],
  [
    'a night with one lamp',
    (pen, second) => {
      pen.fillStyle = '#000';
      pen.fillRect(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
      pen.fillStyle = '#ffd080';
      pen.fillRect(300 + second * 10, 160, 40, 60);
    },
  ],
  ['a fast pan', (pen, second) => stripes(pen, second * 900)],
  [
    'a dissolve from one picture to another',
    (pen, second) => {
      stripes(pen, second * 60);
      veil(pen, '#e0e0f0', Math.min(1, Math.max(0, second - 1.5)) * 0.9);
    },
  ],
])('%s is not reported', async (_, paint) => {
  expect(found(await painted(4, paint))).toEqual([]);
});

test('a clip of a minute is sampled: the work is bounded, and both ends are measured', async () => {
  const measures = await painted(45, (pen, second) => stripes(pen, second * 60));
  const { series, start, end } = measures.pictures ?? {};
  expect(series?.pieces).toHaveLength(15);
  const frames = unpackFrames(series ?? { pieces: [], frames: '' });
  expect(frames.length).toBeLessThanOrEqual(15 * 2 * FPS + 15);
  expect(frames[0]?.at).toBe(0);
  expect(frames.at(-1)?.at).toBeCloseTo(45 - 1 / FPS, 1);
  expect([start?.length, end?.length]).toEqual([24, 24]);
  expect(found(measures)).toEqual([]);
});
