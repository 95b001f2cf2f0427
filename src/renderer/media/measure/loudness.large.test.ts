import { expect, test } from 'vitest';
import type { Stereo } from '../stereo.ts';
import { kWeighting, LoudnessMeter } from './loudness.ts';

/** A stereo sine of 1 kHz at `dbfs` (peak), as in EBU Tech 3341; phase and frequency for its true-peak cases. */
function sine(rate: number, seconds: number, dbfs: number, { hz = 1_000, degrees = 0 } = {}): Stereo {
  const amplitude = 10 ** (dbfs / 20);
  const samples = Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, index) => amplitude * Math.sin((2 * Math.PI * hz * index) / rate + (degrees * Math.PI) / 180),
  );
  return [samples, samples];
}

function integratedOf(rate: number, parts: readonly (readonly [dbfs: number, seconds: number])[]): number | null {
  const meter = new LoudnessMeter(rate);
  for (const [dbfs, seconds] of parts) meter.add(sine(rate, seconds, dbfs));
  return meter.integrated();
}

test('the filters are those of the tables of BS.1770-4 at 48 kHz', () => {
  const [shelf, highPass] = kWeighting(48_000);
  const table = [
    [shelf.b, [1.53512485958697, -2.69169618940638, 1.19839281085285]],
    [shelf.a, [-1.69065929318241, 0.73248077421585]],
    [highPass.b, [1, -2, 1]],
    [highPass.a, [-1.99004745483398, 0.99007225036621]],
  ] as const;
  for (const [ours, published] of table)
    published.forEach((value, index) => {
      expect(ours[index]).toBeCloseTo(value, 10);
    });
});

/** EBU Tech 3341, table 1: each within 0.1 LU. */
test.each([
  ['case 1', [[-23, 20]], -23],
  ['case 2', [[-33, 20]], -33],
  ['case 3', [[-36, 10], [-23, 60], [-36, 10]], -23], // biome-ignore format: one case a line
  ['case 4', [[-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]], -23], // biome-ignore format: one case a line
  ['case 5', [[-26, 20], [-20, 20.1], [-26, 20]], -23], // biome-ignore format: one case a line
] as const)('integrated loudness of EBU Tech 3341, %s', (_, parts, lufs) => {
  expect(Math.abs((integratedOf(48_000, parts) ?? 0) - lufs)).toBeLessThanOrEqual(0.1);
});

test.each([44_100, 32_000, 96_000])('a rate of %d Hz measures the same', (rate) => {
  expect(Math.abs((integratedOf(rate, [[-23, 5]]) ?? 0) + 23)).toBeLessThanOrEqual(0.1);
});

test('momentary loudness is of 400 ms, and does not depend on how the samples are cut', () => {
  const [samples] = sine(48_000, 1, -23);
  const whole = new LoudnessMeter(48_000);
  whole.add([samples, samples]);
  const cut = new LoudnessMeter(48_000);
  for (let from = 0; from < samples.length; from += 997) {
    const part = samples.subarray(from, from + 997);
    cut.add([part, part]);
  }
  expect(cut.momentary()).toHaveLength(7);
  expect(cut.momentary()[6]).toBeCloseTo(whole.momentary()[6] ?? 0, 6);
  expect(cut.truePeakDb()).toBeCloseTo(whole.truePeakDb() ?? 0, 6);
  expect(Math.abs((cut.momentary()[6] ?? 0) + 23)).toBeLessThanOrEqual(0.1);
});

/** EBU Tech 3341, table 1: +0.2 / -0.4 dB. A sine is higher between samples than at them. */
test.each([
  ['case 15', 12_000, 0, 0.5, -6],
  ['case 16', 12_000, 45, 0.5, -6],
  ['case 17', 8_000, 60, 0.5, -6],
  ['case 18', 6_000, 67.5, 0.5, -6],
  ['case 19', 12_000, 45, 1.41, 3],
] as const)('true peak of EBU Tech 3341, %s', (_, hz, degrees, amplitude, dbtp) => {
  const meter = new LoudnessMeter(48_000);
  // Skips the sudden start, which overshoots.
  const tone = sine(48_000, 0.5, 20 * Math.log10(amplitude), { hz, degrees });
  const [side] = tone;
  const risen = side.map((value, index) => value * Math.min(1, index / 4_800));
  meter.add([risen, risen]);
  const peak = meter.truePeakDb() ?? Number.NaN;
  expect(peak).toBeLessThanOrEqual(dbtp + 0.2);
  expect(peak).toBeGreaterThanOrEqual(dbtp - 0.4);
});

test('silence has no loudness and no peak; less than 400 ms has no loudness', () => {
  const silent = new LoudnessMeter(48_000);
  silent.add([new Float32Array(48_000), new Float32Array(48_000)]);
  expect([silent.integrated(), silent.truePeakDb(), silent.momentary()[0]]).toEqual([null, null, null]);
  const short = new LoudnessMeter(48_000);
  short.add(sine(48_000, 0.3, -20));
  expect([short.integrated(), short.momentary()]).toEqual([null, []]);
});
