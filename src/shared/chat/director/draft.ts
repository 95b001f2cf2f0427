import type { Joint, ShotSource } from '../../board/board.ts';
import type { Reason } from '../../contract/result.ts';
import type { VideoConfig } from '../../kinds/videoConfig.ts';
import type { Nano } from '../../money/money.ts';

/** What a model proposes in a chat. Nothing of it exists before the user approves it. */

export const DRAFT_KINDS = ['newShot', 'changeShot', 'imagine'] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];
export const DRAFT_STATES = ['open', 'approved', 'declined'] as const;
export type DraftState = (typeof DRAFT_STATES)[number];

/** A field of a shot that a draft changes; `config.durationSeconds` is a setting. */
export interface DraftChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** A shot that the approval makes stale: what plays in it starts from what plays in the drafted one. */
export interface GoesStale {
  shotId: string;
  /** Its place on the board as it would be then, from 1. */
  number: number;
}

export interface DraftShot {
  shotId: string;
  /** Its place on the board as it would be then, from 1. */
  number: number;
  title: string;
  prompt: string;
  model: string;
  source: ShotSource;
  config: VideoConfig;
  joint: Joint;
}

export interface Draft {
  id: string;
  conversationId: string;
  /** The answer that brought it, and its call there. */
  messageId: string;
  callId: string;
  projectId: string;
  kind: DraftKind;
  state: DraftState;
  title: string;
  /** Why nothing can be made of it: field and rule. It cannot be approved. */
  errors?: Reason[];
  /** At the highest price, and at the lowest where the price is not settled. */
  estimateNano: Nano;
  lowNano: Nano;
  /** Its price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
  /** The gateway that it is priced for. */
  profileId: string;
  /** What its approval is for (`quotes.get`); absent where nothing can be made of it. */
  quoteId?: string;
  /** The shot as it would be. */
  shot?: DraftShot;
  /** With `changeShot`: what is different. */
  changes?: DraftChange[];
  /** With `imagine`. */
  image?: { prompt: string; mode?: string };
  /** What plays elsewhere and would not fit any more. */
  goesStale?: GoesStale[];
  /** The drafts that it starts from: they are approved before it, or with it. */
  needs?: string[];
  /** With `approved`: the job; absent where the shot was put on the board without a take. */
  jobId?: string;
  createdAt: number;
}

/** The price of several drafts together. */
export const sumOfDrafts = (drafts: readonly Pick<Draft, 'estimateNano' | 'lowNano' | 'unpriced'>[]) =>
  drafts.reduce(
    (sum, { estimateNano, lowNano, unpriced }) => ({
      estimateNano: sum.estimateNano + estimateNano,
      lowNano: sum.lowNano + lowNano,
      unpriced: sum.unpriced + (unpriced ? 1 : 0),
    }),
    { estimateNano: 0, lowNano: 0, unpriced: 0 },
  );

export const canBeApproved = ({ state, errors }: Pick<Draft, 'state' | 'errors'>): boolean =>
  state === 'open' && errors === undefined;
