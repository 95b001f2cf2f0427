import { expect, test } from 'vitest';
import { GRID_SIDE } from '../../../shared/film/measures.ts';
import { CELL_PIXELS } from '../../../shared/library/picture/grid.ts';
import { Repetitions } from './alike.ts';

const SIDE = GRID_SIDE * CELL_PIXELS;

/** A grey picture, given by position. */
function picture(grey: (x: number, y: number) => number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) pixels.fill(grey(at % SIDE, Math.floor(at / SIDE)), at * 4, at * 4 + 3);
  return pixels;
}

const countsOf = (frames: readonly Uint8ClampedArray[]): number[] => {
  const repetitions = new Repetitions();
  return frames.map((frame) => repetitions.next(frame));
};

/** A soft pattern, shifted by fractions of a pixel. */
const moved = (by: number) => picture((x, y) => 128 + 60 * Math.sin((x + by) / 9) * Math.cos(y / 11));

test('the same picture is counted until another comes', () => {
  const [one, other] = [moved(0), moved(20)];
  expect(countsOf([one, one, one, other, one])).toEqual([0, 1, 2, 0, 0]);
});

test('a slow pan is not taken for a picture that stands', () => {
  const pan = Array.from({ length: 48 }, (_, index) => moved(index * 0.04));
  expect(Math.max(...countsOf(pan))).toBeLessThan(4);
});

test('something small that moves is no repetition', () => {
  const bird = (at: number) => picture((x, y) => (Math.abs(x - at) < 3 && Math.abs(y - 40) < 3 ? 60 : 200));
  expect(countsOf([bird(20), bird(24), bird(28), bird(32)])).toEqual([0, 0, 0, 0]);
});

test('grain on a still picture is no repetition, what an encoder leaves of nothing is', () => {
  const grain = (seed: number, level: number) =>
    picture((x, y) => 120 + level * (((x * 31 + y * 17 + seed * 101) % 21) - 10));
  expect(countsOf([grain(1, 0.2), grain(2, 0.2), grain(3, 0.2)])).toEqual([0, 0, 0]);
  const still = picture(() => 120);
  const barely = picture((x, y) => (x % 16 === 0 && y % 16 === 0 ? 121 : 120));
  expect(countsOf([still, barely, still])).toEqual([0, 1, 2]);
});
