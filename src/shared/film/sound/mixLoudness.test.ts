import { expect, it } from 'vitest';
import { mixLoudness } from './mixLoudness.ts';
import type { MixSource } from './mixPlan.ts';

const source = (assetId: string, more: Partial<MixSource> = {}): MixSource => ({
  from: 'shot',
  assetId,
  start: 0,
  end: 4,
  fileStart: 0,
  keys: [{ at: 0, gain: 1 }],
  ...more,
});
const steady = (lufs: number, seconds = 4) => Array<number>(seconds * 10 - 3).fill(lufs);
const at = (loudness: ReturnType<typeof mixLoudness>, second: number) => loudness?.points[Math.round(second * 10)];

it('follows each source at its level, and adds sounds up in power', () => {
  const mix = { seconds: 8, sources: [source('a'), source('b', { start: 4, end: 8 }), source('m', { end: 8 })] };
  const known = new Map([
    ['a', steady(-20)],
    ['b', steady(-30)],
    ['m', steady(-30, 8)],
  ]);
  const loudness = mixLoudness(mix, known);
  expect(at(loudness, 2)).toBeCloseTo(10 * Math.log10(10 ** -2 + 10 ** -3), 6);
  expect(at(loudness, 6)).toBeCloseTo(-30 + 10 * Math.log10(2), 6);
  expect(loudness?.points).toHaveLength(80);
});

it('is gated: silence and what is far below the rest do not count', () => {
  const sources = [source('a'), source('b', { start: 6, end: 10 })];
  const known = new Map([
    ['a', steady(-20)],
    ['b', steady(-45)],
  ]);
  const loudness = mixLoudness({ seconds: 10, sources }, known);
  expect(loudness?.lufs).toBeCloseTo(-20, 6);
  expect(at(loudness, 5)).toBeNull();
});

it('is nothing while a source is not measured, and silence without any', () => {
  expect(mixLoudness({ seconds: 4, sources: [source('a')] }, new Map())).toBeUndefined();
  expect(mixLoudness({ seconds: 4, sources: [] }, new Map())?.lufs).toBeNull();
});
