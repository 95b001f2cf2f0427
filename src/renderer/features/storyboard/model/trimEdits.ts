import { isPlayable } from '../../../../shared/film/film.ts';
import { LEAST_TRIM_MS, withTrim } from '../../../../shared/film/trim.ts';
import { FPS } from '../../../player/frames.ts';
import { type BoardEdit, onShot, withoutUndefined } from './shots.ts';
import type { TakeView } from './view.ts';

/** In and out point of a take in whole frames of its clip. */
export interface TrimFrames {
  in: number;
  /** The first frame that is cut off. */
  out: number;
  /** The number of frames of the whole clip. */
  all: number;
}

export const LEAST_FRAMES = Math.ceil((LEAST_TRIM_MS * FPS) / 1_000);

const frameOf = (ms: number): number => Math.round((ms * FPS) / 1_000);
const msOf = (frame: number): number => Math.round((frame * 1_000) / FPS);

/** No trim, whatever the clip's length. */
export const WHOLE: TrimFrames = { in: 0, out: 0, all: 0 };

/** Undefined if the take cannot be trimmed: no clip here, or too short. */
export function trimFrames(take: TakeView | undefined): TrimFrames | undefined {
  const { clip, trim } = take ?? {};
  const all = isPlayable(clip) ? Math.round((clip.seconds ?? 0) * FPS) : 0;
  if (all <= LEAST_FRAMES) return undefined;
  return { in: frameOf(trim?.inMs ?? 0), out: trim?.outMs === undefined ? all : frameOf(trim.outMs), all };
}

/** Trims a take of a shot; a point at the clip's own end is no trim. */
export const trimTake = (
  shotId: string,
  { jobId, clipIndex }: Pick<TakeView, 'jobId' | 'clipIndex'>,
  { in: first, out, all }: TrimFrames,
): BoardEdit =>
  onShot(shotId, (shot) => {
    const points = { inMs: msOf(first), outMs: out < all ? msOf(out) : 0 };
    return withoutUndefined({ ...shot, trims: withTrim(shot.trims, { take: jobId, output: clipIndex }, points) });
  });
