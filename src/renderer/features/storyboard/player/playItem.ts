import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import type { GainKey } from '../../../../shared/film/sound/mixPlan.ts';
import type { PlayRange } from '../../../player/frames.ts';

/** What a player plays, one after the other: clips, and their place where there is no clip. */

interface Place {
  shotId: string;
  /** Seconds of the film. */
  start: number;
  seconds: number;
}

export interface Clip extends Place {
  kind: 'clip';
  url: string;
  /** The second of the file at which it begins, where it is trimmed. */
  from?: number;
  /** How loud its own sound is over the seconds of its file; unchanged if not said. */
  gains?: readonly GainKey[];
  /** What the channels of its sound are for, if known. */
  layout?: ChannelLayout;
}

/** Holds the place of a shot without a clip, for its planned length. */
export interface Still extends Place {
  kind: 'still';
}

export type PlayItem = Clip | Still;

/** How far a joint is looped to either side, in seconds. */
const AROUND_JOINT = 1;

/** A second before and after the joint that begins a shot, no further than the two shots reach. */
export function rangeAround(items: readonly Place[], shotId: string): PlayRange | undefined {
  const index = items.findIndex((item) => item.shotId === shotId);
  const [before, after] = [items[index - 1], items[index]];
  if (!before || !after) return undefined;
  return {
    from: Math.max(before.start, after.start - AROUND_JOINT),
    to: after.start + Math.min(after.seconds, AROUND_JOINT),
  };
}

/** The shot that the joint nearest to a time begins. */
export function nearestJoint(items: readonly Place[], at: number): string | undefined {
  const [first, ...others] = items.slice(1);
  if (!first) return undefined;
  const away = ({ start }: Place) => Math.abs(start - at);
  return others.reduce((best, item) => (away(item) < away(best) ? item : best), first).shotId;
}
