import type { Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { ProfileLimits } from '../../../../shared/gateway/profileLimits.ts';
import type { Difference } from '../../../../shared/jobs/difference.ts';
import type { ChatResult } from '../../../../shared/jobs/job.ts';
import type { AnyRequest } from '../../../../shared/kinds/kind.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { plural } from '../../../../shared/text/texts.ts';
import type {
  ChatDelta,
  ChatOutcome,
  Gateway,
  PollOutcome,
  RemoteOutput,
  RemoteTask,
  SendOptions,
  SubmitOutcome,
} from '../../gateway/index.ts';
import type { AssetRow } from '../../library/index.ts';
import type { ReadDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import type { JobRow } from '../row.ts';

/**
 * A kind, as the engine needs it: how its request is submitted and polled, and how its results are compared with the request. The engine
 * itself knows two protocols (task and stream), and no kind by name.
 */
export type KindDriver<R extends AnyRequest = AnyRequest> = TaskDriver<R> | StreamDriver<R>;

export type SubmitDeps = Pick<EngineDeps, 'store' | 'library' | 'hookUrl' | 'clock'>;

export interface ClaimedJob<R> {
  profile: Profile;
  row: JobRow;
  request: R;
}

/** The results, compared with the request. */
export interface Comparison {
  differs: Difference[];
  /** The quantity that was made, and the most that may be billed: the larger of the requested and the made quantity. */
  counted?: { made: Quantity; most: Quantity };
}

/** The results of a job: all of them, and those on this machine. A file that could not be decoded has no size. */
export interface Results {
  all: readonly AssetRow[];
  here: readonly AssetRow[];
}

/** A submission that is answered with a task, which is polled until it ends, or with results. */
export interface TaskDriver<R extends AnyRequest = AnyRequest> {
  readonly protocol: 'task';
  /** Whether the service sends a webhook, which may name the task of a job whose answer was lost. */
  readonly hasWebhook: boolean;
  /** Builds the submission. After an error nothing was sent. */
  prepareSubmit(deps: SubmitDeps, claimed: ClaimedJob<R>): Result<Submit>;
  poll(gateway: Gateway, task: RemoteTask, signal: AbortSignal): Promise<PollOutcome>;
  /** Milliseconds between two polls of a task that was accepted `ageMs` ago. */
  pollEveryMs(ageMs: number): number;
  /** The number of additional requests of a poll that does not find its task. */
  readonly extraPollsIfMissing: number;
  /** Compares the results on this machine with the request. */
  compare(db: ReadDb, row: JobRow, request: R, results: Results): Comparison;
  /** The results that are missing though the service did not report them as filtered: they may be billed. */
  findMissing(request: R, results: number, filtered: number): Required<Comparison> | undefined;
}

type Submit = (gateway: Gateway, send: SendOptions) => Promise<SubmitOutcome>;

/** A submission that is answered by one stream. */
export interface StreamDriver<R extends AnyRequest = AnyRequest> {
  readonly protocol: 'stream';
  /** Whether services keep a record of an answer's cost, which is read later (`Gateway.recordedCost`). */
  readonly hasCostRecord: boolean;
  prepareStream(deps: SubmitDeps, claimed: ClaimedJob<R>): Result<Stream>;
  /** The quantity that an answer is charged for. `rejectedBecause` and `note` as in `charging.ts`. */
  countUsage(
    request: R,
    result: ChatResult,
    limits: ProfileLimits,
  ): {
    quantity: Quantity;
    /** Whether the service has counted the whole answer. */
    hasCounted: boolean;
    rejectedBecause?: string;
    note?: string;
  };
}

export type Stream = (
  gateway: Gateway,
  send: SendOptions,
  onDelta: (delta: ChatDelta) => void,
  onPicture: (output: RemoteOutput) => void,
) => Promise<ChatOutcome>;

/** What all image tasks have in common (spec 4.3): one image per task, and a webhook from the service. */
export const imageTask = {
  protocol: 'task',
  hasWebhook: true,
  poll: (gateway, task, signal) => gateway.poll(task, signal),
  pollEveryMs: (ageMs) => (ageMs < 30_000 ? 3_000 : ageMs < 120_000 ? 5_000 : 10_000),
  extraPollsIfMissing: 0,
  findMissing({ n = 1 }: AnyRequest & { n?: number | undefined }, received: number, filtered: number) {
    const missing = n - Math.max(1, received) - filtered;
    if (missing <= 0) return undefined;
    const differs = [{ what: 'count' as const, ordered: plural(n, 'picture'), made: plural(received, 'picture') }];
    return { differs, counted: { made: { images: n - missing }, most: { images: n } } };
  },
} as const satisfies Partial<TaskDriver>;
