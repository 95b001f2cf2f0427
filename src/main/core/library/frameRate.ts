import type { FrameRate } from '../../../shared/film/filmExport.ts';
import { constantRate } from '../../../shared/film/joinable.ts';

/** The rates that cameras, editors and services use; a clip is taken to have one of them if its frames come so. */
export const KNOWN_RATES: readonly FrameRate[] = [
  { num: 24, den: 1 },
  { num: 24_000, den: 1_001 },
  { num: 25, den: 1 },
  { num: 30, den: 1 },
  { num: 30_000, den: 1_001 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60, den: 1 },
  { num: 60_000, den: 1_001 },
  { num: 12, den: 1 },
  { num: 15, den: 1 },
  { num: 16, den: 1 },
];

export interface MeasuredRate {
  rate: FrameRate;
  /** Whether each frame lasts as long as the others. */
  constant: boolean;
}

/** In seconds: containers round times to a millisecond (Matroska) or to their own scale. */
const ROUNDING = 0.0011;

/**
 * The rate of a clip from the times at which its frames begin, in seconds and in order, and the length of the last one. The known rate
 * whose frames are nowhere further from these times than rounding makes them; else the average to a thousandth. The length of the last frame
 * counts only where there is no other: it may stand until the sound ends.
 */
export function rateOf(times: readonly number[], lastDuration: number): MeasuredRate | null {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = last - first;
  if (!(span > 0 || lastDuration > 0)) return null;
  const average = span > 0 ? (times.length - 1) / span : times.length / lastDuration;
  const nearest = KNOWN_RATES.toSorted((a, b) => distance(a, average) - distance(b, average));
  const known = nearest.slice(0, 2).find((rate) => fits(times, first, rate));
  const constant = constantRate(times) !== null;
  return { rate: known ?? { num: Math.max(1, Math.round(average * 1_000)), den: 1_000 }, constant };
}

/** How far a written rate may be from a known one: 29.97 is written as 2997/100, too. */
const WRITTEN = 0.01;

/** The known rate that a file means, of those that count `base` frames in a second; undefined if there is none. */
export const knownRate = (written: FrameRate, base: number): FrameRate | undefined =>
  KNOWN_RATES.find(
    (rate) => Math.round(rate.num / rate.den) === base && distance(rate, written.num / written.den) < WRITTEN,
  );

const distance = ({ num, den }: FrameRate, average: number): number => Math.abs(num / den - average);

function fits(times: readonly number[], first: number, { num, den }: FrameRate): boolean {
  if (times.length === 1) return true;
  return times.every((time, index) => Math.abs(time - first - (index * den) / num) <= ROUNDING);
}
