import { expect, test } from 'vitest';
import { packFrames, type SeriesFrame } from '../film/frameSeries.ts';
import { GRID_SIDE, type MediaMeasures } from '../film/measures.ts';
import { findingsOf, isBroken } from './findings.ts';
import { SHIPPED_TRIAGE_LIMITS } from './limits.ts';

const FPS = 24;

/** A clip at 24 frames a second that moves a little with each frame. */
function clip(seconds: number, change: (frame: SeriesFrame, index: number) => Partial<SeriesFrame> = () => ({})) {
  const frames = Array.from({ length: seconds * FPS }, (_, index): SeriesFrame => {
    const usual = { at: index / FPS, light: 0.3, peak: 0.8, change: 0.02, lasting: 0.02, repeats: 0 };
    const frame = { ...usual, isFirst: index === 0 };
    return { ...frame, ...change(frame, index) };
  });
  return measuresOf({ seconds, series: packFrames(frames) });
}

const GRID = (grey: number) => Buffer.alloc(GRID_SIDE * GRID_SIDE * 3, grey).toString('base64');

interface Given {
  seconds?: number;
  series?: ReturnType<typeof packFrames>;
  grey?: number;
  width?: number;
  sound?: { silent?: [number, number][]; clipped?: [number, number][] };
}

function measuresOf({ seconds = 4, series, grey = 80, width = 1280, sound }: Given): MediaMeasures {
  const edge = [{ at: 0, lab: [(grey / 255) * 100, 0, 0] as [number, number, number], change: null }];
  const levels = { lufs: -23, truePeakDb: -3, momentary: [], wave: [], waveStart: [], waveEnd: [] };
  const size = { width, height: 720, frames: 1, fps: FPS };
  return {
    seconds,
    pictures: { ...size, first: GRID(grey), last: GRID(grey), start: edge, end: edge, ...(series ? { series } : {}) },
    ...(sound ? { sound: { ...levels, silent: [], clipped: [], ...sound } } : {}),
  };
}

const limits = SHIPPED_TRIAGE_LIMITS;
const named = (measures: MediaMeasures, changed: Partial<typeof limits> = {}) =>
  findingsOf(measures, { ...limits, ...changed }).map(({ kind, at, to }) => ({ kind, at, to }));

test('a clip that moves has nothing to look at', () => {
  expect(named(clip(8))).toEqual([]);
});

test('black to the end is one span, and most of the clip is missing', () => {
  const measures = clip(4, (_, index) =>
    index >= 36 ? { light: 0.004, peak: 0.02, change: 0, repeats: index - 36 } : {},
  );
  const findings = findingsOf(measures, limits);
  expect(findings).toEqual([expect.objectContaining({ kind: 'black', at: 1.5, to: expect.closeTo(4, 3), frame: 37 })]);
  expect(isBroken(measures, findings)).toBe(true);
});

test('a fade or a cut to black at an end is meant, a black frame in the middle is not', () => {
  const black = { light: 0, peak: 0 };
  const cutToBlack = clip(4, (_, index) =>
    index >= 76
      ? { ...black, ...(index === 76 ? { change: 0.3, lasting: 0.3 } : { change: 0, repeats: index - 76 }) }
      : {},
  );
  expect(named(cutToBlack)).toEqual([]);
  const fadeIn = clip(4, (_, index) => (index < 20 ? { light: index / 1_000, peak: index / 500 } : {}));
  expect(named(fadeIn)).toEqual([]);
  const dropOut = clip(4, (_, index) => {
    if (index === 48) return { ...black, change: 0.3, lasting: 0.02 };
    return index === 49 ? { change: 0.3, lasting: 0.3 } : {};
  });
  expect(named(dropOut)).toEqual([{ kind: 'black', at: 2, to: expect.closeTo(2.0417, 3) }]);
});

test('a dark frame with something bright in it is not black', () => {
  expect(named(clip(4, () => ({ light: 0.012, peak: 0.6 })))).toEqual([]);
});

test('a picture that stands is frozen from the limit on, and a refresh by the encoder does not end it', () => {
  const still = (from: number, count: number) =>
    clip(4, (_, index) =>
      index > from && index <= from + count ? { repeats: index - from, change: 0, lasting: 0 } : {},
    );
  expect(named(still(40, 7))).not.toContainEqual(expect.objectContaining({ kind: 'frozen' }));
  expect(findingsOf(still(40, 8), limits)).toEqual([
    expect.objectContaining({ kind: 'frozen', at: expect.closeTo(41 / FPS, 3), frame: 42, value: 8 }),
  ]);
  const refreshed = clip(4, (_, index) => {
    if (index === 0) return {};
    return index % FPS === 0 ? { change: 0.004, lasting: 0.004 } : { repeats: index % FPS, change: 0, lasting: 0 };
  });
  const findings = findingsOf(refreshed, limits);
  expect(findings).toEqual([expect.objectContaining({ kind: 'frozen', value: 95 })]);
  expect(isBroken(refreshed, findings)).toBe(true);
});

test('frames that stand while something is heard say so', () => {
  const still = clip(4, (_, index) => (index > 40 && index < 60 ? { repeats: index - 40, change: 0, lasting: 0 } : {}));
  const { sound } = measuresOf({ sound: {} });
  if (!sound) throw new Error('it has a sound');
  expect(findingsOf({ ...still, sound }, limits)[0]).toMatchObject({ kind: 'frozen', isHeard: true });
  const silent = { ...still, sound: { ...sound, silent: [[1, 3]] as [number, number][] } };
  expect(findingsOf(silent, limits).find(({ kind }) => kind === 'frozen')).not.toHaveProperty('isHeard');
});

test('frames doubled here and there are named where a second has enough of them and things move', () => {
  const doubled = (every: number, motion: number) =>
    clip(4, (_, index) =>
      index > 48 && index < 60 && index % every === 0
        ? { repeats: 1, change: 0, lasting: 0 }
        : { change: motion, lasting: motion },
    );
  expect(findingsOf(doubled(2, 0.02), limits)).toEqual([
    expect.objectContaining({
      kind: 'doubled',
      at: expect.closeTo(50 / FPS, 3),
      to: expect.closeTo(58 / FPS, 3),
      value: 5,
    }),
  ]);
  expect(named(doubled(5, 0.02))).toEqual([]);
  // A slow pan: what an encoder drops from it is not visible.
  expect(named(doubled(2, 0.000_4))).toEqual([]);
});

test('a cut is beyond the limit and the motion around it; a flash is none, nor is motion of that size', () => {
  const cut = clip(8, (_, index) => (index === 84 ? { change: 0.46, lasting: 0.46 } : { change: 0.05, lasting: 0.05 }));
  expect(findingsOf(cut, limits)).toEqual([
    { kind: 'cut', at: 3.5, frame: 85, value: expect.closeTo(0.46, 3), around: expect.closeTo(0.05, 3) },
  ]);
  expect(named(cut, { cut: 0.5 })).toEqual([]);
  // 0.46 exceeds 0.42, but not 0.42 plus the motion around it.
  expect(named(cut, { cut: 0.42 })).toEqual([]);
  const flash = clip(8, (_, index) => (index === 84 || index === 86 ? { change: 0.46, lasting: 0.02 } : {}));
  expect(named(flash)).toEqual([]);
  expect(named(clip(4, () => ({ change: 0.3, lasting: 0.3 })))).toEqual([]);
});

test('silence and clipping count from their limits on, and clipping at one place is one finding', () => {
  const clipped: [number, number][] = [1, 2, 2.2, 3.9].map((at, n) => [at, [2, 3, 9, 4][n] ?? 0]);
  const measures = measuresOf({ sound: { silent: [0, 3.1].map((at) => [at, at + 0.9]), clipped } });
  expect(findingsOf(measures, limits)).toEqual([
    { kind: 'clipping', at: 2, to: 2.2, value: 9 },
    { kind: 'clipping', at: 3.9, value: 4 },
  ]);
  expect(named(measures, { silence: 0.9, clipping: 10 })).toEqual([
    { kind: 'silence', at: 0, to: 0.9 },
    { kind: 'silence', at: 3.1, to: 4 },
  ]);
});

test('the first frame is compared with what was given, if that has its shape', () => {
  const take = measuresOf({ grey: 80 });
  const jump = (grey: number, width = 1280) =>
    findingsOf(take, limits, { measures: measuresOf({ grey, width }), end: 'first' });
  expect(jump(80)).toEqual([]);
  expect(jump(86)).toEqual([]);
  expect(jump(110)).toEqual([
    expect.objectContaining({ kind: 'jump', at: 0, value: expect.closeTo(30 / 255, 3), colour: expect.any(Number) }),
  ]);
  // A square picture was cropped or padded.
  expect(jump(200, 720)).toEqual([]);
});

test('of one kind no more is listed than a person would look at', () => {
  const measures = clip(8, (_, index) => (index % 6 === 5 ? { change: 0.5, lasting: 0.5 } : {}));
  expect(findingsOf(measures, limits)).toHaveLength(20);
});
