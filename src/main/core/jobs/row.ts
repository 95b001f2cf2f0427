import type { Asset } from '../../../shared/asset.ts';
import type { Difference } from '../../../shared/difference.ts';
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
} from '../../../shared/job.ts';
import { type JobKind, kindOf, type StudioRequest, shortRequest } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import type { RemoteTask } from '../gateway/index.ts';

/** A job as its table holds it; JSON columns are text here. */
export interface JobRow {
  seq: number;
  id: string;
  /** Kept by triggers. */
  revision: number;
  kind: JobKind;
  state: JobState;
  reason: BlockReason | null;
  request: string;
  profile_id: string;
  /** 1: its money is play money. */
  play: number;
  project_id: string | null;
  /** The night it belongs to. */
  run_id: string | null;
  /** The night its money counts to. */
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
  /** JSON of the price it is made with; `null` where nobody knows it. */
  price: string;
  /** What was counted when it was charged, as JSON. */
  quantity: string | null;
  estimate_nano: number;
  estimate_low_nano: number;
  reserved_nano: number;
  charged_nano: number;
  charged_low_nano: number;
  uncertain_nano: number;
  /** Orders of unknown price that are set aside, in doubt or charged, and of these the ones in doubt. */
  unpriced: number;
  unpriced_doubt: number;
  /** 1: the user lets it be sent although nobody knows its price and a hard cap concerns it. */
  unpriced_allowed: number;
  reserved_at: number | null;
  /** Why its charge is not the price times the order. */
  money_note: string | null;
  /** What its answer stated as its cost: in nano-dollars where that is known, by which field, and in its own words. */
  stated_nano: number | null;
  stated_by: string | null;
  stated_as: string | null;
  /** JSON of {@link JobInput}s; null before it was sent, and where it is made from words alone. */
  inputs: string | null;
  /** JSON of {@link Difference}s. */
  differs: string | null;
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
export const remoteOf = (row: Pick<JobRow, 'remote'>): RemoteTask | undefined =>
  row.remote ? (JSON.parse(row.remote) as RemoteTask) : undefined;
export const errorOf = (row: JobRow): JobError | undefined =>
  row.error ? (JSON.parse(row.error) as JobError) : undefined;

/** Something about its cost only the bill can tell. */
export const costInDoubt = (row: Pick<JobRow, 'uncertain_nano' | 'unpriced_doubt'>): boolean =>
  row.uncertain_nano > 0 || row.unpriced_doubt > 0;

export const hasPrice = (row: Pick<JobRow, 'price'>): boolean => row.price !== 'null';

/** What a waiting job is to cost, as it is shown where it is let go. */
export const priceOfRow = (row: JobRow): ShownPrice => ({
  estimateNano: row.estimate_nano,
  lowNano: row.estimate_low_nano,
  unpriced: hasPrice(row) ? 0 : 1,
});

/** Nobody knows its price, and something may be owed: what has ended and was definitely not billed costs nothing, whatever its price. */
const isUnpriced = (row: JobRow): boolean => !hasPrice(row) && (row.unpriced > 0 || !isTerminal(row.state));

export interface JobParts {
  outputs: Asset[];
  attempts: JobAttempt[];
  dependsOn: string[];
}

/** The row and what belongs to it, in the contract's shape. */
export function toJob(row: JobRow, parts: JobParts): Job {
  const optional = <K extends string, V>(key: K, value: V | null | undefined) =>
    value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>);
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
      ...optional('statedNano', row.stated_nano),
      ...optional('statedBy', row.stated_by),
      ...optional('statedAs', row.stated_as),
      ...optional('note', row.money_note),
      ...(isUnpriced(row) ? { unpriced: true as const } : {}),
      ...(row.unpriced_allowed === 1 ? { unpricedAllowed: true as const } : {}),
    },
    position: row.position,
    createdAt: row.created_at,
    ...optional('reason', row.reason),
    ...optional('projectId', row.project_id),
    ...optional('runId', row.run_id),
    ...optional('model', row.model),
    ...optional('remoteId', row.remote_id),
    ...optional('error', errorOf(row)),
    ...optional('cannotLookUp', whyNoLookUp(row)),
    ...optional('result', resultOf(row)),
    ...optional('inputs', row.inputs === null ? null : (JSON.parse(row.inputs) as JobInput[])),
    ...optional('differs', row.differs === null ? null : (JSON.parse(row.differs) as Difference[])),
    ...optional('verdict', row.verdict),
    ...optional('nextAt', row.next_at),
    ...optional('sentAt', row.sent_at),
    ...optional('finishedAt', row.finished_at),
  };
}

/** The answer is the result itself, and comes piece by piece. */
const isText = (kind: JobKind): boolean => kindOf(kind).makes === 'text';

/** Without the id of a task there is nothing that the service could be asked about. */
function whyNoLookUp({ state, kind, remote }: JobRow): string | undefined {
  if (state !== 'uncertain' || remote !== null) return undefined;
  return isText(kind)
    ? 'A service keeps no chat answer that could be asked for again.'
    : 'The answer was lost before a task id came, so there is nothing to ask about.';
}

/** The stored answer; while it is still coming, or was cut, what has come. */
function resultOf(row: JobRow): ChatResult | undefined {
  if (row.result) return JSON.parse(row.result) as ChatResult;
  if (!isText(row.kind) || (row.partial_text === '' && row.partial_reasoning === '')) return undefined;
  return {
    text: row.partial_text,
    finishReason: '',
    ...(row.partial_reasoning === '' ? {} : { reasoning: row.partial_reasoning }),
  };
}

/** Beyond this a request is cut in lists and events, so that no message outgrows its channel. */
const LISTED_REQUEST_CHARACTERS = 8_000;

/** A longer answer is cut in lists and events: beyond this it would not fit into one message between processes. */
const LISTED_RESULT_CHARACTERS = 60_000;

/** A job for a list or an event, with what is long cut; `jobs.get` has all of it. */
export const truncatedForList = (job: Job): Job => withRequestTruncated(withResultTruncated(job));

function withResultTruncated(job: Job): Job {
  const { result } = job;
  if (!result || result.text.length + (result.reasoning?.length ?? 0) <= LISTED_RESULT_CHARACTERS) return job;
  const { reasoning, text, ...rest } = result;
  const cut = { ...rest, text: text.slice(0, 2_000), ...(reasoning ? { reasoning: reasoning.slice(0, 2_000) } : {}) };
  return { ...job, resultCut: true, result: cut };
}

function withRequestTruncated(job: Job): Job {
  const { request } = job;
  if (JSON.stringify(request).length <= LISTED_REQUEST_CHARACTERS) return job;
  return { ...job, requestCut: true, request: shortRequest(request, 2_000) };
}
