import type { FrameRate } from '../../../../shared/film/filmExport.ts';

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

/** The sum of two times, each of frames at a rate. */
export function rationalSum(
  [a, one]: [frames: number, rate: FrameRate],
  [b, other]: [frames: number, rate: FrameRate],
): string {
  if (b === 0 || (one.num === other.num && one.den === other.den)) return rationalTime(a + b, one);
  if (a === 0) return rationalTime(b, other);
  return rationalTime(a * one.den * other.num + b * other.den * one.num, { num: one.num * other.num, den: 1 });
}

/** Frames that a timecode counts in a second: 30 for 29.97. */
export const timecodeBase = ({ num, den }: FrameRate): number => Math.round(num / den);

/** How a timecode counts. */
export interface TimecodeMode {
  /** Frames in a second. */
  base: number;
  /** Skips numbers so that it keeps up with a clock; only with 30 or 60 frames in a second. */
  isDrop: boolean;
}

/** Of 29.97 and 59.94 alone: at a whole rate there is nothing to catch up with. */
export const canDrop = (rate: FrameRate): boolean => rate.den === 1_001 && timecodeBase(rate) % 30 === 0;

/** Two numbers at 30 frames a second, four at 60, at each minute but the tenth (SMPTE ST 12-1, drop-frame counting). */
const droppedOf = ({ base }: TimecodeMode): number => base / 15;

/** `01:00:00:00`, or `01:00:00;00` where frames are dropped; `frames` is what has passed since midnight. */
export function timecode(frames: number, mode: TimecodeMode): string {
  const { base, isDrop } = mode;
  const two = (value: number): string => String(value).padStart(2, '0');
  const label = labelOf(frames, mode);
  const seconds = Math.floor(label / base);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${isDrop ? ';' : ':'}${two(label % base)}`;
}

/** The number that a frame has on a timecode, as if none had been skipped. */
export function labelOf(frames: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return frames;
  const dropped = droppedOf(mode);
  const minute = 60 * mode.base - dropped;
  const tenMinutes = 10 * minute + dropped;
  const rest = frames % tenMinutes;
  const minutes = Math.max(0, Math.floor((rest - dropped) / minute));
  return frames + dropped * (9 * Math.floor(frames / tenMinutes) + minutes);
}

/** The frame that has a number; of one that is skipped, the next. */
export function frameOf(label: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return label;
  const minutes = Math.floor(label / (60 * mode.base));
  const skipped = droppedOf(mode) * (minutes - Math.floor(minutes / 10));
  const isSkipped = minutes % 10 !== 0 && label % (60 * mode.base) < droppedOf(mode);
  return (isSkipped ? minutes * 60 * mode.base + droppedOf(mode) : label) - skipped;
}
