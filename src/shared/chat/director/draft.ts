import type { ShotLink, ShotSource } from '../../board/board.ts';
import type { Reason } from '../../contract/result.ts';
import type { VideoConfig } from '../../kinds/videoConfig.ts';
import type { Nano } from '../../money/money.ts';

/** A model's proposals in a chat. Nothing is created before the user approves them. */

export const DRAFT_KINDS = ['newShot', 'changeShot', 'imagine'] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];
export const DRAFT_STATES = ['open', 'approved', 'declined'] as const;
export type DraftState = (typeof DRAFT_STATES)[number];

/** A changed field of a shot; a setting as `config.durationSeconds`. */
export interface DraftChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** A shot that becomes outdated by the approval, as it starts from the drafted one. */
export interface GoesStale {
  shotId: string;
  /** The shot's number on the board after the approval. */
  number: number;
}

export interface DraftShot {
  shotId: string;
  /** The shot's number on the board after the approval. */
  number: number;
  title: string;
  prompt: string;
  model: string;
  source: ShotSource;
  config: VideoConfig;
  joint: ShotLink;
}

export interface Draft {
  id: string;
  conversationId: string;
  messageId: string;
  callId: string;
  projectId: string;
  kind: DraftKind;
  state: DraftState;
  title: string;
  /** Why it cannot be approved. */
  errors?: Reason[];
  /** Highest and lowest price. */
  estimateNano: Nano;
  lowNano: Nano;
  /** The price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
  profileId: string;
  /** The quote that an approval refers to (`quotes.get`); absent if the draft cannot be approved. */
  quoteId?: string;
  shot?: DraftShot;
  /** With `changeShot`: what is different. */
  changes?: DraftChange[];
  image?: { prompt: string; mode?: string };
  /** Shots that would become outdated. */
  goesStale?: GoesStale[];
  /** The drafts that it starts from; they must be approved before it or with it. */
  needs?: string[];
  /** The job of an approved draft; absent if the shot got no take. */
  jobId?: string;
  createdAt: number;
}

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
