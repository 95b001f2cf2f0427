import type { FrameRate } from '../../../../shared/filmExport.ts';

/** Exact times: whole frames at a rate, never a float. */

/**
 * Frames as FCPXML writes time: `n/d s`, as whole seconds where that is exact (`4s`), with the rate's own denominator otherwise
 * (`1001/30000s` is one frame at 29.97).
 */
export function rationalTime(frames: number, { num, den }: FrameRate): string {
  const above = BigInt(frames) * BigInt(den);
  const below = BigInt(num);
  return above % below === 0n ? `${above / below}s` : `${above}/${below}s`;
}

/** Frames that a timecode counts in a second: 30 for 29.97. */
export const timecodeBase = ({ num, den }: FrameRate): number => Math.round(num / den);

/** `01:00:00:00` at the whole rate, not dropping frames: at 29.97 it is slower than a clock, and every frame has its number. */
export function timecode(frames: number, base: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = Math.floor(frames / base);
  return [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60, frames % base]
    .map(two)
    .join(':');
}
