import type { JobKind, StudioRequest } from '../kinds/index.ts';
import type { OmittableField } from '../kinds/videoConfig.ts';
import type { Asset } from '../library/asset.ts';
import type { Nano } from '../money/money.ts';
import type { Difference } from './difference.ts';
import type { JobElsewhere } from './jobElsewhere.ts';
import type { KeptRequest } from './keptRequest.ts';
import type { Verdict } from './verdict.ts';

export { VERDICTS, type Verdict } from './verdict.ts';

/** States of a job. */
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
  /** An answer stated a cost that does not match the price book: the user has to decide first (`prices.mismatches`). */
  'price',
  /** Its highest price is above what the user has confirmed (`jobs.confirmPrice`). */
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
  /** One sentence for the user, the service's own if it sent one. */
  message: string;
  /** The service's request id, to quote to its support. */
  requestId?: string;
  retryable: boolean;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** Of the prompt: read from a cache, which costs less, and written to one, which may cost more. Absent: the service does not say. */
  cachedTokens?: number;
  cacheWriteTokens?: number;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as text, as the model wrote it. */
  arguments: string;
  /** What Gemini wants back with the call, unread (ai.google.dev/gemini-api/docs/thought-signatures). */
  thoughtSignature?: string;
}

export interface ChatResult {
  text: string;
  reasoning?: string;
  /** Of an answer with calls: the reasoning came under this name, and its service may want it back under it. */
  reasoningField?: 'reasoning_content';
  finishReason: string;
  usage?: Usage;
  toolCalls?: ToolCall[];
  /** How many pictures came with it: they are the outputs of its job. */
  pictures?: number;
}

/** All in nano-dollars. The `low` figures are the lowest price if a price is not settled. */
export interface JobMoney {
  estimateNano: Nano;
  estimateLowNano: Nano;
  reservedNano: Nano;
  chargedNano: Nano;
  chargedLowNano: Nano;
  uncertainNano: Nano;
  /** The cost that the answer stated, if its unit and currency are known. Zero is kept, and does not prove that the request was free. */
  statedNano?: Nano;
  /** The field or header that stated it. */
  statedBy?: string;
  /** As it was stated, in any unit: `0.80 USD`, `12 credits`. */
  statedAs?: string;
  /** Why the charge is not the price times the quantity: one sentence. */
  note?: string;
  /** Its price is unknown, so these figures are 0 and mean nothing. Removed once a price is set, or if nothing is owed. */
  unpriced?: true;
  /** The highest amount that the user has confirmed; absent where the price was not known then. */
  confirmedNano?: Nano;
  /** It may be sent once without a known price, although a hard cap applies (`jobs.allowUnpriced`). */
  unpricedAllowed?: true;
}

export interface JobAttempt {
  /** Milliseconds since 1970. */
  at: number;
  outcome: 'sending' | 'accepted' | 'done' | 'refused' | 'unsent' | 'unknown' | 'lost';
  status?: number;
  requestId?: string;
  message?: string;
  /** The same bytes were sent once more under the same idempotency key. */
  again?: true;
}

/** A picture or clip that a request was made from, as it was when it was sent. */
export interface JobInput {
  /** The field of the request: `image`, `referenceImages.0`, `base` … */
  field: string;
  /** Of the bytes, in lower-case hex; absent where they were not on this machine. */
  sha256?: string;
  assetId?: string;
  /** The job that made it, or the clip it is a frame of, and which of its candidates that is, counting from 0. */
  jobId?: string;
  output?: number;
  /** Of a clip's last frame: the out point before which it is, in milliseconds; absent for the clip's own end. */
  outMs?: number;
  /** Sent as an address of the user's. */
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
  /** Set in lists and events if the messages of a long chat were shortened; `jobs.get` has all of them. */
  requestCut?: boolean;
  /** The same for a long answer in `result`. */
  resultCut?: boolean;
  profileId: string;
  projectId?: string;
  /** The night it belongs to (`night.get`). */
  runId?: string;
  model?: string;
  /** The service's id as text, with all its digits. */
  remoteId?: string;
  /** 0 to 100; never falls; 100 at success. */
  progress: number;
  /** With `running`: how long such jobs took lately from sending to the end, in milliseconds (the median). Absent if none has been made here. */
  usualMs?: number;
  error?: JobError;
  /** With `uncertain`: why the service cannot be queried, in one sentence. Absent if it can. */
  cannotLookUp?: string;
  /** With `uncertain`: the request as it was sent, where it may be asked for again (`shared/idempotency.ts`). */
  kept?: KeptRequest;
  /** Results in order, each once. */
  outputs: Asset[];
  /** How they differ from the request; known once the files are on this disk. */
  differs?: Difference[];
  result?: ChatResult;
  money: JobMoney;
  attempts: JobAttempt[];
  dependsOn: string[];
  /** What it was made from; absent before it was sent, and if it was made from a prompt alone. */
  inputs?: JobInput[];
  /** The fields of its configuration that its gateway does not take: they were not sent. */
  omitted?: OmittableField[];
  /** Its position in the queue: a smaller one runs earlier. */
  position: number;
  /** Its rank among the waiting jobs, in a list in the queue's order; 1 is next. */
  place?: number;
  verdict?: Verdict;
  /** The newest job that was made from it, when it was requested again. Calls about many jobs take it for the one that stands for this. */
  retriedAs?: string;
  /** A bundle brought it from another library: it is never sent or asked for, and its money there is in no sum here. */
  elsewhere?: JobElsewhere;
  /** Milliseconds since 1970, like all times. */
  createdAt: number;
  /** When a waiting job may be tried next, if that is known. */
  nextAt?: number;
  sentAt?: number;
  finishedAt?: number;
}

/** Whether it can be canceled. What is being downloaded is made and paid for; a lost answer has ways out of its own. */
export const isCancelable = ({ state }: Pick<Job, 'state'>): boolean =>
  !isTerminal(state) && state !== 'uncertain' && state !== 'fetching';

/** A job's results in order, without the sheet that shows several at once. */
export const resultsOf = (job: Pick<Job, 'outputs'>): Asset[] => job.outputs.filter(isResult);

/** Ended without a result to build on; a service may finish a job that was canceled, and its results are used once they are here. */
export const isWithoutResult = (job: Pick<Job, 'state' | 'outputs'>): boolean =>
  (job.state === 'failed' || job.state === 'canceled') && !hasAllResults(job);

const hasAllResults = (job: Pick<Job, 'outputs'>): boolean => {
  const results = resultsOf(job);
  return results.length > 0 && results.every(({ state }) => state !== 'expired');
};

const isResult = ({ role }: Pick<Asset, 'role'>): boolean => role !== 'grid' && role !== 'thumbnail';

/** What a task as a whole stands for: its only result, or else the sheet of several. An edit can name nothing finer (spec 4.4). */
export function pictureOfTask<Output extends Pick<Asset, 'role'>>(outputs: readonly Output[]): Output | undefined {
  const results = outputs.filter(isResult);
  return results.length === 1 ? results[0] : outputs.find(({ role }) => role === 'grid');
}
