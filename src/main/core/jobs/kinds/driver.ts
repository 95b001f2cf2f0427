import type { Difference } from '../../../../shared/difference.ts';
import type { ChatResult } from '../../../../shared/job.ts';
import type { AnyRequest } from '../../../../shared/kinds/kind.ts';
import type { Profile } from '../../../../shared/profile.ts';
import type { ProfileLimits } from '../../../../shared/profileLimits.ts';
import type { Quantity } from '../../../../shared/quantity.ts';
import type { Result } from '../../../../shared/result.ts';
import type {
  ChatDelta,
  ChatOutcome,
  Gateway,
  PollOutcome,
  RemoteTask,
  SendOptions,
  SubmitOutcome,
} from '../../gateway/index.ts';
import type { AssetRow } from '../../library/index.ts';
import type { ReadDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import type { JobRow } from '../row.ts';

/**
 * What the engine has to know of a kind: how a request becomes what the client sends, how it is followed, and how what came is held
 * against what was ordered. The engine itself goes one of two ways, and knows no kind by name.
 */
export type KindDriver<R extends AnyRequest = AnyRequest> = TaskDriver<R> | StreamDriver<R>;

export type SubmitDeps = Pick<EngineDeps, 'store' | 'dataDir' | 'hookUrl'>;

export interface ClaimedJob<R> {
  profile: Profile;
  row: JobRow;
  request: R;
}

/** What came, held against what was ordered. */
export interface Comparison {
  differs: Difference[];
  /** What was made, and the most that may be billed: what was ordered, or what was made where that is more. */
  counted?: { made: Quantity; most: Quantity };
}

/** The results of a job: all of them, and those that are on this machine. One whose content nobody could read has no size. */
export interface Results {
  all: readonly AssetRow[];
  here: readonly AssetRow[];
}

/** Ordered, answered with a task or with results, and followed until it is over. */
export interface TaskDriver<R extends AnyRequest = AnyRequest> {
  readonly protocol: 'task';
  /** The service calls back, and its call may name the task of an order whose answer was lost (DESIGN "Webhooks"). */
  readonly hasWebhook: boolean;
  /** A failure here means that nothing was sent. */
  prepareSubmit(deps: SubmitDeps, claimed: ClaimedJob<R>): Result<Submit>;
  poll(gateway: Gateway, task: RemoteTask, signal: AbortSignal): Promise<PollOutcome>;
  /** Milliseconds between two polls of a task that was accepted `ageMs` ago. */
  pollEveryMs(ageMs: number): number;
  /** So many more requests a poll takes that finds its task nowhere. */
  readonly extraPollsIfMissing: number;
  /** What is on this machine, held against the order. */
  compare(db: ReadDb, row: JobRow, request: R, results: Results): Comparison;
  /** Fewer results came than were ordered, and the service did not say that it filtered the others: those may be on the bill. */
  findMissing(request: R, results: number, filtered: number): Required<Comparison> | undefined;
}

export type Submit = (gateway: Gateway, send: SendOptions) => Promise<SubmitOutcome>;

/** Ordered and answered in one exchange, piece by piece. */
export interface StreamDriver<R extends AnyRequest = AnyRequest> {
  readonly protocol: 'stream';
  /** Services keep a record of what an answer cost, to be read later (`Gateway.recordedCost`). */
  readonly hasCostRecord: boolean;
  prepareStream(deps: SubmitDeps, claimed: ClaimedJob<R>): Result<Stream>;
  /** What an answer is charged for. `rejectedBecause` and `note` as in `charging.ts`. */
  countUsage(
    request: R,
    result: ChatResult,
    limits: ProfileLimits,
  ): { quantity: Quantity; rejectedBecause?: string; note?: string };
}

export type Stream = (gateway: Gateway, send: SendOptions, onDelta: (delta: ChatDelta) => void) => Promise<ChatOutcome>;
