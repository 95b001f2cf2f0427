import { withoutNulls } from '../../../shared/contract/values.ts';
import type { Difference } from '../../../shared/jobs/difference.ts';
import {
  type BlockReason,
  type ChatResult,
  isTerminal,
  type Job,
  type JobAttempt,
  type JobError,
  type JobInput,
  type JobState,
  type Verdict,
} from '../../../shared/jobs/job.ts';
import type { JobElsewhere } from '../../../shared/jobs/jobElsewhere.ts';
import type { StoredRequest } from '../../../shared/jobs/keptRequest.ts';
import { type JobKind, kindOf, type StudioRequest, shortRequest } from '../../../shared/kinds/index.ts';
import type { OmittableField } from '../../../shared/kinds/videoConfig.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import type { RemoteTask } from '../gateway/index.ts';

/** A row of the table of jobs; JSON columns are text here. */
export interface JobRow {
  seq: number;
  id: string;
  /** Kept by triggers. */
  revision: number;
  kind: JobKind;
  state: JobState;
  reason: BlockReason | null;
  request: string;
  /** The revision with which its request was edited last; 0 if it never was. */
  request_revision: number;
  profile_id: string;
  /** 1: its money is play money. */
  play: number;
  project_id: string | null;
  /** The overnight run that the job belongs to. */
  run_id: string | null;
  /** The overnight run that its money counts against. */
  money_run: string | null;
  model: string | null;
  lane: string;
  remote: string | null;
  remote_id: string | null;
  progress: number;
  error: string | null;
  result: string | null;
  partial_text: string;
  partial_reasoning: string;
  idempotency_key: string;
  hook_secret: string;
  /** JSON of the price it is made with; `null` if the price is unknown. */
  price: string;
  /** The charged quantity, as JSON. */
  quantity: string | null;
  estimate_nano: number;
  estimate_low_nano: number;
  /** The highest amount that the user has confirmed; null if its price was not known then. */
  confirmed_nano: number | null;
  reserved_nano: number;
  reserved_low_nano: number;
  charged_nano: number;
  charged_low_nano: number;
  uncertain_nano: number;
  /** The number of attempts of unknown price that are reserved, unconfirmed or charged; and of these, the unconfirmed ones. */
  unpriced: number;
  unpriced_doubt: number;
  /** 1: the user allows sending the job although its price is unknown and a hard budget applies. */
  unpriced_allowed: number;
  reserved_at: number | null;
  /** Why its charge is not the price times the quantity. */
  money_note: string | null;
  /** The cost that its answer stated: in nano-dollars if that is known, by which field, and as its text. */
  stated_nano: number | null;
  stated_by: string | null;
  stated_as: string | null;
  /** JSON of {@link JobInput}s; null before it was sent, and if its request is text only. */
  inputs: string | null;
  /** JSON of fields that were not sent, because the gateway does not accept them; null if there are none. */
  omitted: string | null;
  /** JSON of {@link Difference}s. */
  differs: string | null;
  /** The newest job that was made by retrying this one. */
  retried_as: string | null;
  /** JSON of {@link JobElsewhere}; null of a job that was made here. */
  elsewhere: string | null;
  position: number;
  tries: number;
  not_before: number | null;
  next_at: number | null;
  missing_since: number | null;
  verdict: Verdict | null;
  created_at: number;
  sent_at: number | null;
  finished_at: number | null;
}

export const requestOf = (row: JobRow): StudioRequest => JSON.parse(row.request) as StudioRequest;
/** A task as stored in the row of its job. */
export interface StoredTask extends RemoteTask {
  /** The task is no longer polled, only asked for new links to its results. */
  isSettled?: true;
}
export const remoteOf = (row: Pick<JobRow, 'remote'>): StoredTask | undefined =>
  row.remote ? (JSON.parse(row.remote) as StoredTask) : undefined;
/** Whether polls of the task may still change the job. */
export const hasOpenTask = (row: Pick<JobRow, 'remote'>): boolean =>
  row.remote !== null && remoteOf(row)?.isSettled !== true;
/** Whether the task belongs to the last attempt. The task of an earlier attempt says nothing about this one. */
export const isTaskKnown = (row: Pick<JobRow, 'remote' | 'sent_at'>): boolean =>
  (remoteOf(row)?.acceptedAt ?? -Infinity) >= (row.sent_at ?? 0);
export const errorOf = (row: Pick<JobRow, 'error'>): JobError | undefined =>
  row.error ? (JSON.parse(row.error) as JobError) : undefined;

/** Whether a part of the cost is unconfirmed, so that only the bill can tell it. */
export const costInDoubt = (row: Pick<JobRow, 'uncertain_nano' | 'unpriced_doubt'>): boolean =>
  row.uncertain_nano > 0 || row.unpriced_doubt > 0;

export const hasPrice = (row: Pick<JobRow, 'price'>): boolean => row.price !== 'null';

/** The cost of a waiting job, as it is shown beside the button that sends it. */
export const priceOfRow = (row: JobRow): ShownPrice => ({
  estimateNano: row.estimate_nano,
  lowNano: row.estimate_low_nano,
  unpriced: hasPrice(row) ? 0 : 1,
});

/** Whether the price is unknown and something may be owed. A job that ended without being billed costs nothing. */
const isUnpriced = (row: JobRow): boolean => !hasPrice(row) && (row.unpriced > 0 || !isTerminal(row.state));

export interface JobParts {
  outputs: Asset[];
  attempts: JobAttempt[];
  dependsOn: string[];
  kept?: StoredRequest;
  usualMs?: number;
}

/** The row with its parts, in the contract's shape. */
export function toJob(row: JobRow, parts: JobParts): Job {
  return {
    id: row.id,
    revision: row.revision,
    kind: row.kind,
    state: row.state,
    request: requestOf(row),
    profileId: row.profile_id,
    progress: row.progress,
    ...parts,
    money: {
      estimateNano: row.estimate_nano,
      estimateLowNano: row.estimate_low_nano,
      reservedNano: row.reserved_nano,
      chargedNano: row.charged_nano,
      chargedLowNano: row.charged_low_nano,
      uncertainNano: row.uncertain_nano,
      ...withoutNulls({
        statedNano: row.stated_nano,
        statedBy: row.stated_by,
        statedAs: row.stated_as,
        confirmedNano: row.confirmed_nano,
        note: row.money_note,
      }),
      ...(isUnpriced(row) ? { unpriced: true as const } : {}),
      ...(row.unpriced_allowed === 1 ? { unpricedAllowed: true as const } : {}),
    },
    position: row.position,
    createdAt: row.created_at,
    ...withoutNulls({
      reason: row.reason,
      projectId: row.project_id,
      runId: row.run_id,
      model: row.model,
      remoteId: row.remote_id,
      error: errorOf(row),
      cannotLookUp: whyNoLookUp(row),
      result: resultOf(row),
      inputs: row.inputs === null ? null : (JSON.parse(row.inputs) as JobInput[]),
      omitted: row.omitted === null ? null : (JSON.parse(row.omitted) as OmittableField[]),
      differs: row.differs === null ? null : (JSON.parse(row.differs) as Difference[]),
      retriedAs: row.retried_as,
      elsewhere: row.elsewhere === null ? null : (JSON.parse(row.elsewhere) as JobElsewhere),
      verdict: row.verdict,
      nextAt: row.next_at,
      sentAt: row.sent_at,
      finishedAt: row.finished_at,
    }),
  };
}

/** Whether the answer itself is the result, and is streamed. */
const isText = (kind: JobKind): boolean => kindOf(kind).makes === 'text';

/** Why an unconfirmed job cannot be looked up: without a task id there is nothing to poll. */
function whyNoLookUp({ state, kind, remote }: JobRow): string | undefined {
  if (state !== 'uncertain' || remote !== null) return undefined;
  return isText(kind)
    ? t`Gateways keep no chat answers, so it cannot be fetched again.`
    : t`The reply was lost before a task id arrived, so the gateway cannot be asked.`;
}

/** The stored answer, or the text received so far if it is incomplete. */
function resultOf(row: JobRow): ChatResult | undefined {
  if (row.result) return JSON.parse(row.result) as ChatResult;
  if (!isText(row.kind) || (row.partial_text === '' && row.partial_reasoning === '')) return undefined;
  return {
    text: row.partial_text,
    finishReason: '',
    ...(row.partial_reasoning === '' ? {} : { reasoning: row.partial_reasoning }),
  };
}

/** Longer requests are truncated in lists and events, so that a message does not exceed the limit of its channel. */
const LISTED_REQUEST_CHARACTERS = 8_000;

/** Longer answers are truncated in lists and events: they would not fit into one message between processes. */
const LISTED_RESULT_CHARACTERS = 60_000;

/** A job for a list or an event, with long texts truncated; `jobs.get` has all of it. */
export const truncatedForList = (job: Job): Job =>
  withRequestTruncated(withResultTruncated(job), JSON.stringify(job.request).length);

/** The same for the jobs of these rows, in which the length of each request is known. */
export const allTruncatedForList = (jobs: readonly Job[], rows: readonly Pick<JobRow, 'request'>[]): Job[] =>
  jobs.map((job, at) => withRequestTruncated(withResultTruncated(job), rows[at]?.request.length ?? 0));

function withResultTruncated(job: Job): Job {
  const { result } = job;
  if (!result || result.text.length + (result.reasoning?.length ?? 0) <= LISTED_RESULT_CHARACTERS) return job;
  const { reasoning, text, ...rest } = result;
  const cut = { ...rest, text: text.slice(0, 2_000), ...(reasoning ? { reasoning: reasoning.slice(0, 2_000) } : {}) };
  return { ...job, resultCut: true, result: cut };
}

function withRequestTruncated(job: Job, characters: number): Job {
  const { request } = job;
  if (characters <= LISTED_REQUEST_CHARACTERS) return job;
  return { ...job, requestCut: true, request: shortRequest(request, 2_000) };
}
