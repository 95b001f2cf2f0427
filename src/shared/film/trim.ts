import { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import { en } from '../text/texts.ts';

/**
 * The part of a take's clip that the film shows. A trim belongs to its take, so that another take is not cut, and is stored with the shot.
 */

/** The shortest clip after trimming. */
export const LEAST_TRIM_MS = 100;

const point = z.int().min(1).max(3_600_000).optional();

export const trimSchema = z
  .strictObject({
    take: z.string().min(1).max(200),
    /** The variation; absent: the first. */
    output: z.int().min(0).max(3).optional(),
    /** In and out point; absent: start and end of the clip. */
    inMs: point,
    outMs: point,
  })
  .refine(({ inMs = 0, outMs = Number.POSITIVE_INFINITY }) => outMs - inMs >= LEAST_TRIM_MS, {
    path: ['outMs'],
    message: `must be at least ${LEAST_TRIM_MS} ms after the in point`,
  });
export type Trim = z.infer<typeof trimSchema>;

const keyOf = ({ take, output = 0 }: Pick<Trim, 'take' | 'output'>): string => `${take} ${output}`;

export const trimsSchema = z
  .array(trimSchema)
  .max(1_000)
  .refine((all) => new Set(all.map(keyOf)).size === all.length, 'must name each take once');

/** In and out point of one clip, in milliseconds of its own time. */
export type TrimPoints = Pick<Trim, 'inMs' | 'outMs'>;

const lengthMs = (seconds: number): number => Math.ceil(seconds * 1_000);

/** Why the points do not fit a clip of that length; undefined if they do. */
export function faultOfTrim({ inMs = 0, outMs = 0 }: TrimPoints, seconds: number): Reason | undefined {
  const most = lengthMs(seconds);
  if (outMs > most) return { field: 'outMs', message: en`must be at most ${most}, the length of the clip` };
  if (inMs <= most - LEAST_TRIM_MS) return undefined;
  return {
    field: 'inMs',
    message: en`must be at most ${most - LEAST_TRIM_MS}, which is ${LEAST_TRIM_MS} ms before the end of the clip`,
  };
}

/** The trim of a clip; undefined if the film shows all of it or the points do not fit. An out point at its end counts as none. */
export function trimOf(
  trims: readonly Trim[] | undefined,
  of: Pick<Trim, 'take' | 'output'>,
  seconds: number | undefined,
): TrimPoints | undefined {
  const known = trims?.find((one) => keyOf(one) === keyOf(of));
  if (!known || (seconds !== undefined && faultOfTrim(known, seconds) !== undefined)) return undefined;
  const { inMs, outMs } = known;
  const ends = outMs !== undefined && (seconds === undefined || outMs < Math.floor(seconds * 1_000));
  if (inMs === undefined && !ends) return undefined;
  return { ...(inMs === undefined ? {} : { inMs }), ...(ends ? { outMs } : {}) };
}

/** The trims with new points for one take; without points, its trim is removed. Undefined if none is left. */
export function withTrim(
  trims: readonly Trim[] = [],
  { take, output }: Pick<Trim, 'take' | 'output'>,
  { inMs, outMs }: TrimPoints,
): Trim[] | undefined {
  const of = { take, ...(output ? { output } : {}) };
  const points = { ...(inMs ? { inMs } : {}), ...(outMs ? { outMs } : {}) };
  const others = trims.filter((one) => keyOf(one) !== keyOf(of));
  const all = inMs || outMs ? [...others, { ...of, ...points }] : others;
  return all.length > 0 ? all : undefined;
}

export interface ClipPart {
  /** The second at which it begins; absent if all of it plays. */
  from?: number;
  seconds: number;
}

/** The part of a clip of that length that the film shows. */
export function playedPart(trim: TrimPoints | undefined, seconds: number): ClipPart {
  if (!trim) return { seconds };
  const { inMs = 0, outMs = seconds * 1_000 } = trim;
  return { from: inMs / 1_000, seconds: (outMs - inMs) / 1_000 };
}
