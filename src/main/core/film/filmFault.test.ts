import { expect, test } from 'vitest';
import type { MoviePlan } from '../../../shared/filmExport.ts';
import { encodedSize } from '../../../shared/filmFormat.ts';
import type { ClipFacts } from '../library/index.ts';
import { faultOfFilm } from './filmFault.ts';

const plan = {
  fps: { num: 24, den: 1 },
  ...{ width: 853, height: 480 },
  segments: [{ frames: 48 }],
  mix: { sources: [] },
} as unknown as MoviePlan;
const made = (width: number, height: number) => ({ seconds: 2, video: { frames: 48, width, height } }) as ClipFacts;

/** Bug: no encoder takes an odd number of pixels, and the one that is shipped made wrong colours of them. */
test('a film of clips with an odd side is encoded with an even one, and is that film', () => {
  expect([encodedSize({ width: 853, height: 480 }), encodedSize({ width: 1_280, height: 720 })]).toEqual([
    { width: 854, height: 480 },
    { width: 1_280, height: 720 },
  ]);
  expect([faultOfFilm(plan, made(854, 480)), faultOfFilm(plan, made(853, 480))]).toEqual([undefined, undefined]);
  expect(faultOfFilm(plan, made(852, 480))).toBe('it is 852 × 480 instead of 853 × 480.');
});
