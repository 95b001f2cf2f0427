import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import type { GainKey } from '../../../../shared/film/sound/mixPlan.ts';

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
