import type { JobKind, StudioRequest } from '../kinds/index.ts';
import type { OmittableField } from '../kinds/videoConfig.ts';
import type { Asset } from '../library/asset.ts';
import type { Nano } from '../money/money.ts';
import type { Difference } from './difference.ts';
import type { JobElsewhere } from './jobElsewhere.ts';
import type { StoredRequest } from './keptRequest.ts';
import type { Verdict } from './verdict.ts';

export { VERDICTS, type Verdict } from './verdict.ts';

export const JOB_STATES = [
  'queued',
  'blocked',
  'sending',
  'running',
  'fetching',
  'uncertain',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type JobState = (typeof JOB_STATES)[number];

export const TERMINAL_STATES = ['succeeded', 'failed', 'canceled'] as const satisfies JobState[];
export const isTerminal = (state: string): boolean => (TERMINAL_STATES as readonly string[]).includes(state);

/** Why a job is blocked. `auth` and `quota` are refusals that the user can fix. */
export const BLOCK_REASONS = [
  'dependency',
  'budget',
  'offline',
  'rate',
  'window',
  'paused',
  'key',
  'auth',
  'quota',
  /** A stated cost contradicts the price book: the user must decide first (`prices.mismatches`). */
  'price',
  /** The job's highest price exceeds what the user confirmed (`jobs.confirmPrice`). */
  'priceRose',
] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

export const ERROR_KINDS = [
  'auth',
  'quota',
  'rate_limit',
  'invalid',
  'moderation',
  'server',
  'timeout',
  'network',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

export interface JobError {
  kind: ErrorKind;
  /** One sentence for the user, from the gateway if it sent one. */
  message: string;
  /** The gateway's request id, for its support. */
  requestId?: string;
  retryable: boolean;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** Prompt tokens read from a cache, which cost less, and written to one, which may cost more. Absent if not stated. */
  cachedTokens?: number;
  cacheWriteTokens?: number;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as text, as the model wrote it. */
  arguments: string;
  /** Returned unread to Gemini with the call (ai.google.dev/gemini-api/docs/thought-signatures). */
  thoughtSignature?: string;
}

export interface ChatResult {
  text: string;
  reasoning?: string;
  /** The field in which the reasoning of an answer with calls arrived; its gateway may require it back. */
  reasoningField?: 'reasoning_content';
  finishReason: string;
  usage?: Usage;
  toolCalls?: ToolCall[];
  /** The number of pictures that came with it, which are the job's outputs. */
  pictures?: number;
}

/** All in nano-dollars. The `low` figures are the lowest price while a price is not settled. */
export interface JobMoney {
  estimateNano: Nano;
  estimateLowNano: Nano;
  reservedNano: Nano;
  chargedNano: Nano;
  chargedLowNano: Nano;
  uncertainNano: Nano;
  /** The stated cost, if its unit and currency are known. Zero is stored, and does not prove that the request was free. */
  statedNano?: Nano;
  /** The field or header that stated it. */
  statedBy?: string;
  /** As it was stated, in any unit: `0.80 USD`, `12 credits`. */
  statedAs?: string;
  /** Why the charge is not price × quantity: one sentence. */
  note?: string;
  /** No price is set: these figures are 0 and mean nothing. Removed once a price is set, or if nothing is owed. */
  unpriced?: true;
  /** The highest amount that the user confirmed; absent if no price was set then. */
  confirmedNano?: Nano;
  /** The job may be sent once without a price, although a hard budget applies (`jobs.allowUnpriced`). */
  unpricedAllowed?: true;
}

export interface JobAttempt {
  /** Milliseconds since 1970. */
  at: number;
  outcome: 'sending' | 'accepted' | 'done' | 'refused' | 'unsent' | 'unknown' | 'lost';
  status?: number;
  requestId?: string;
  message?: string;
  /** Sent again with the same bytes under the same idempotency key. */
  again?: true;
}

/** A picture or clip that the request used, as it was when it was sent. */
export interface JobInput {
  /** The field of the request: `image`, `referenceImages.0`, `base` … */
  field: string;
  /** The hash of the bytes, in lower-case hex; absent if they were not on this machine. */
  sha256?: string;
  assetId?: string;
  /** The job that made it or the clip of the frame, and the index of the variation. */
  jobId?: string;
  output?: number;
  /** For a last frame: the out point in milliseconds; absent for the clip's own end. */
  outMs?: number;
  /** An address of the user's. */
  uri?: string;
}

export interface Job {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  kind: JobKind;
  state: JobState;
  /** With `blocked`: why. */
  reason?: BlockReason;
  request: StudioRequest;
  /** Set in lists and events if the messages of a long chat were shortened; `jobs.get` has all. */
  requestCut?: boolean;
  /** Likewise for a long answer in `result`. */
  resultCut?: boolean;
  profileId: string;
  projectId?: string;
  /** The overnight run that it belongs to (`night.get`). */
  runId?: string;
  model?: string;
  /** The gateway's id as text, with all digits. */
  remoteId?: string;
  /** 0 to 100; never falls; 100 at success. */
  progress: number;
  /** With `running`: the median duration of such jobs from sending to the end, in milliseconds. Absent if none has been made here. */
  usualMs?: number;
  error?: JobError;
  /** With `uncertain`: why the gateway cannot be asked, in one sentence; absent if it can. */
  cannotLookUp?: string;
  /** With `uncertain`: the request as it was sent, if it may be sent again (`shared/gateway/idempotency.ts`). */
  kept?: StoredRequest;
  /** Results in order, each once. */
  outputs: Asset[];
  /** Differences from the request, once the files are on this disk. */
  differs?: Difference[];
  result?: ChatResult;
  money: JobMoney;
  attempts: JobAttempt[];
  dependsOn: string[];
  /** The job's inputs; absent before it is sent, and for a prompt alone. */
  inputs?: JobInput[];
  /** Configuration fields that the gateway does not take; they were not sent. */
  omitted?: OmittableField[];
  /** Queue position: smaller runs earlier. */
  position: number;
  /** Rank among queued jobs, in a list in queue order; 1 is next. */
  place?: number;
  verdict?: Verdict;
  /** The newest job that was made by retrying this one. Calls about many jobs use it instead. */
  retriedAs?: string;
  /** Imported with a bundle: never sent or polled, and its money is in no sum here. */
  elsewhere?: JobElsewhere;
  /** Milliseconds since 1970, like all times. */
  createdAt: number;
  /** When a queued job may be tried next, if known. */
  nextAt?: number;
  sentAt?: number;
  finishedAt?: number;
}

/** Whether it can be canceled. A download is already paid for; an unconfirmed job is resolved in other ways. */
export const isCancelable = ({ state }: Pick<Job, 'state'>): boolean =>
  !isTerminal(state) && state !== 'uncertain' && state !== 'fetching';

/** The results in order, without an image sheet. */
export const resultsOf = (job: Pick<Job, 'outputs'>): Asset[] => job.outputs.filter(isResult);

/** Ended without a usable result. A gateway may finish a canceled job; its results are usable once they are here. */
export const isWithoutResult = (job: Pick<Job, 'state' | 'outputs'>): boolean =>
  (job.state === 'failed' || job.state === 'canceled') && !hasAllResults(job);

const hasAllResults = (job: Pick<Job, 'outputs'>): boolean => {
  const results = resultsOf(job);
  return results.length > 0 && results.every(({ state }) => state !== 'expired');
};

const isResult = ({ role }: Pick<Asset, 'role'>): boolean => role !== 'grid' && role !== 'thumbnail';

/** The picture that a task stands for: its only result, or the sheet of several. An edit can name nothing finer (spec 4.4). */
export function pictureOfTask<Output extends Pick<Asset, 'role'>>(outputs: readonly Output[]): Output | undefined {
  const results = outputs.filter(isResult);
  return results.length === 1 ? results[0] : outputs.find(({ role }) => role === 'grid');
}
