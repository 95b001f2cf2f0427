import { isPlayable } from '../../../../shared/film/film.ts';
import { LEAST_TRIM_MS, withTrim } from '../../../../shared/film/trim.ts';
import { FPS } from '../../../player/frames.ts';
import { type BoardEdit, onShot, withoutUndefined } from './shots.ts';
import type { TakeView } from './view.ts';

/** Where a take begins and ends to play, in whole frames of its clip: what is cut is what is seen. */
export interface TrimFrames {
  in: number;
  /** The first one that does not play any more. */
  out: number;
  /** Of the whole clip. */
  all: number;
}

export const LEAST_FRAMES = Math.ceil((LEAST_TRIM_MS * FPS) / 1_000);

const frameOf = (ms: number): number => Math.round((ms * FPS) / 1_000);
const msOf = (frame: number): number => Math.round((frame * 1_000) / FPS);

/** Nothing of a clip is cut, however long it is. */
export const WHOLE: TrimFrames = { in: 0, out: 0, all: 0 };

/** Undefined where nothing can be cut: there is no clip here, or none that is long enough. */
export function trimFrames(take: TakeView | undefined): TrimFrames | undefined {
  const { clip, trim } = take ?? {};
  const all = isPlayable(clip) ? Math.round((clip.seconds ?? 0) * FPS) : 0;
  if (all <= LEAST_FRAMES) return undefined;
  return { in: frameOf(trim?.inMs ?? 0), out: trim?.outMs === undefined ? all : frameOf(trim.outMs), all };
}

/** Cuts a take of a shot; what is at the clip's own end is no cut. */
export const trimTake = (
  shotId: string,
  { jobId, clipIndex }: Pick<TakeView, 'jobId' | 'clipIndex'>,
  { in: first, out, all }: TrimFrames,
): BoardEdit =>
  onShot(shotId, (shot) => {
    const points = { inMs: msOf(first), outMs: out < all ? msOf(out) : 0 };
    return withoutUndefined({ ...shot, trims: withTrim(shot.trims, { take: jobId, output: clipIndex }, points) });
  });
