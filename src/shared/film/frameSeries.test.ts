import { expect, test } from 'vitest';
import {
  frameSeriesSchema,
  LOOKED_AT_S,
  PIECE_S,
  packFrames,
  piecesOf,
  type SeriesFrame,
  unpackFrames,
} from './frameSeries.ts';

const frame = (index: number, more: Partial<SeriesFrame> = {}): SeriesFrame => ({
  at: index / 24,
  light: 0.3,
  peak: 0.9,
  change: 0.02,
  lasting: 0.01,
  repeats: 0,
  isFirst: index === 0,
  ...more,
});

test('what is packed comes back within what a limit can tell apart', () => {
  const frames = [frame(0), frame(1, { light: 0.0213, change: 0.46, lasting: 0.4512 }), frame(2, { repeats: 300 })];
  const series = packFrames(frames);
  expect(frameSeriesSchema.safeParse(series).success).toBe(true);
  const [first, second, third] = unpackFrames(series);
  expect(first).toMatchObject({ at: 0, isFirst: true, repeats: 0 });
  expect(second?.light).toBeCloseTo(0.0213, 4);
  expect(second?.lasting).toBeCloseTo(0.4512, 4);
  expect(second?.peak).toBeCloseTo(0.9, 2);
  expect(third).toMatchObject({ isFirst: false, repeats: 255 });
});

test('the time of the last frame is that of the clip, at any rate', () => {
  for (const fps of [23.976, 24, 29.97, 60]) {
    const frames = Array.from({ length: 30 * 24 }, (_, index) => frame(index, { at: index / fps }));
    expect(unpackFrames(packFrames(frames)).at(-1)?.at).toBeCloseTo(719 / fps, 3);
  }
});

test('eight seconds take no more than some kilobytes', () => {
  const frames = Array.from({ length: 192 }, (_, index) => frame(index));
  expect(packFrames(frames).frames.length).toBeLessThan(3_000);
});

test('a series that says it has more frames than it has gives those it has', () => {
  const series = packFrames([frame(0), frame(1)]);
  expect(unpackFrames({ ...series, pieces: [{ at: 0, frames: 500 }] })).toHaveLength(2);
});

test('a short clip is looked at whole; a long one in pieces of one length, from its start to its end', () => {
  expect(piecesOf(0, 8)).toEqual([{ from: 0, to: 8 }]);
  expect(piecesOf(0.5, LOOKED_AT_S + 0.5)).toHaveLength(1);
  const pieces = piecesOf(0, 600);
  expect(pieces).toHaveLength(LOOKED_AT_S / PIECE_S);
  expect(pieces[0]).toEqual({ from: 0, to: PIECE_S });
  expect(pieces.at(-1)?.to).toBeCloseTo(600);
  const just = piecesOf(0, LOOKED_AT_S + 1);
  just.slice(1).forEach(({ from }, index) => {
    expect(from).toBeGreaterThanOrEqual((just[index]?.to ?? 0) - 1e-9);
  });
});
