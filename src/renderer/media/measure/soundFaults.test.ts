import { expect, test } from 'vitest';
import { SoundFaults } from './soundFaults.ts';

const RATE = 1_000;

/** Repeatable noise at this level. */
function noise(samples: number, level: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, index) => level * (((index * 7_919) % 200) / 100 - 1));
}

function foundIn(channels: readonly (readonly Float32Array[])[], seconds: number) {
  const faults = new SoundFaults(RATE);
  for (const part of channels) faults.add(part);
  return faults.found(seconds);
}

test('silence is where no channel is above -60 dB, however the samples come', () => {
  const [loud, quiet] = [noise(1_000, 0.5), noise(1_000, 0.000_9)];
  const { silent } = foundIn(
    [
      [loud, loud],
      [quiet, quiet],
      [quiet, quiet],
      [quiet, loud],
    ],
    4,
  );
  expect(silent).toEqual([[1, 3]]);
});

test('a pause of less than a tenth of a second is not kept', () => {
  const gap = new Float32Array(90);
  const loud = Float32Array.from({ length: 500 }, () => 0.2);
  expect(foundIn([[loud], [gap], [loud]], 1.09).silent).toEqual([]);
});

test('a sound that ends before its clip is silent until the end of the clip', () => {
  const loud = Float32Array.from({ length: 1_000 }, () => 0.2);
  expect(foundIn([[loud]], 4).silent).toEqual([[1, 4]]);
  expect(foundIn([[loud]], 1.02).silent).toEqual([]);
});

test('clipping is two or more samples of one channel in a row at full scale', () => {
  const samples = Float32Array.from([0, 1, 0, 1, 1, 0.5, -1, -1.1, -1, 0, 0.9999]);
  const other = Float32Array.from([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(foundIn([[samples, other]], 0.011).clipped).toEqual([
    [0.003, 2],
    [0.006, 3],
  ]);
});

test('a run that goes on over two pieces of samples is one run', () => {
  const full = Float32Array.from([1, 1, 1]);
  expect(foundIn([[full], [full]], 0.006).clipped).toEqual([[0, 6]]);
});

test('of very many only the longest are kept, in order of time', () => {
  const pattern = Float32Array.from({ length: 5_000 }, (_, index) => (index % 10 < (index < 1_000 ? 5 : 2) ? 1 : 0));
  const { clipped } = foundIn([[pattern]], 5);
  expect(clipped).toHaveLength(100);
  expect(clipped.every(([, samples]) => samples === 5)).toBe(true);
  expect(clipped.map(([at]) => at)).toEqual(clipped.map(([at]) => at).toSorted((one, other) => one - other));
});
