import { expect, test } from 'vitest';
import { Resampler } from './resampler.ts';

const sine = (hertz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate));

/** The output for input in blocks of odd lengths. */
function resampled(input: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  const blocks: number[] = [];
  for (let at = 0; at < input.length; at += 997) blocks.push(...resampler.push(input.subarray(at, at + 997)));
  return Float32Array.from(blocks);
}

test.each([
  [44_100, 48_000],
  [22_050, 48_000],
  [96_000, 48_000],
])('a tone at %i Hz is the same tone at %i Hz', (from, to) => {
  const output = resampled(sine(1_000, from, from), from, to);
  const expected = sine(1_000, to, output.length);
  expect(output.length).toBeGreaterThan(to * 0.99);
  const inner = output.subarray(200, -200);
  const error = inner.reduce((most, value, index) => Math.max(most, Math.abs(value - (expected[index + 200] ?? 0))), 0);
  expect(error).toBeLessThan(0.002);
});

test('a tone above the narrower band is gone', () => {
  const output = resampled(sine(30_000, 96_000, 96_000), 96_000, 48_000);
  expect(Math.max(...output.subarray(200, -200))).toBeLessThan(0.01);
});
