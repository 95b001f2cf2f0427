import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { isDenied, MAX_RETRY_AFTER_MS, type PollOutcome } from '../../gateway/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import type { StoredFile } from '../content/contentStore.ts';
import type { DownloadResult } from './download.ts';

/** The next step after one attempt to download a result. */
export type DownloadDecision =
  | { type: 'local'; file: StoredFile }
  /** The result is in an object storage that offers no download; it stays there. */
  | { type: 'remoteOnly'; message: string }
  /** No further attempt is made unless the user asks for one, or its task names another link. */
  | { type: 'abandoned'; message: string }
  /** The service answers that the request was refused, so the result was never made. */
  | { type: 'refused'; message: string; kind: ErrorKind }
  | { type: 'diskFull'; waitMs: number }
  /** The task names a new link. */
  | { type: 'renewed'; uri: string; expiresAt: number | null }
  | {
      type: 'retry';
      message: string;
      waitMs: number;
      /** Whether the next pause is longer. */
      countsAsAttempt: boolean;
      /** Whether the address gave an invalid answer, which counts towards a limit. */
      countsAsBadResponse: boolean;
      /** Whether the address refused, which counts towards the limit of refusals. An invalid answer resets that count to 0. */
      countsAsRefusal?: true;
      /** Whether the task is asked for another link anyway. */
      asksTask?: true;
      /** The host did not answer, or asked for a pause: its other downloads wait too. */
      hostUnreachable: boolean;
    };

/** Invalid answers before the download is abandoned: with the growing pauses and any jitter, more than half an hour. */
const MAX_BAD_RESPONSES = 16;
const MAX_BAD_RESPONSE_BACKOFF_MS = 300_000;
/** Refusals before the download is abandoned. Few, because refusals are deliberate. */
const MAX_REFUSALS = 6;
/** "Not found" responses before the download is abandoned: a copy may need a moment to spread. */
const MAX_NOT_FOUND = 4;
/** How long after the announced expiry an unreachable host is still tried. */
const EXPIRY_GRACE_MS = 24 * 3_600_000;
/** How long a link without an expiry is tried if it never works. */
const MAX_AGE_WITHOUT_EXPIRY_MS = 14 * 24 * 3_600_000;

const FIRST_BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;
/** The shortest pause near the end of a link. */
const PAUSE_NEAR_END_MS = 5_000;
const DISK_FULL_RETRY_MS = 15_000;
/** No download waits longer than this: one that is due later was put off before the clock was set back. */
export const LONGEST_PAUSE_MS = 2 * MAX_RETRY_AFTER_MS;

export interface Attempt {
  asset: AssetRow;
  now: number;
  /** The number of consecutive refusals of the address. */
  refusals?: number;
}

/**
 * | answer of the address                               | Given up                                   | Pauses                            |
 * | --------------------------------------------------- | ------------------------------------------ | --------------------------------- |
 * | no answer, "not ready", a file that breaks off      | a day after the link's end, or in 14 days  | 2 s to 1 min, or as asked         |
 * | invalid: a page, nothing, no complete file          | after 16, more than half an hour           | 2 s to 5 min, half the time left  |
 * | a refusal, or a file that is too large              | after 6 refusals; without right at the end | 2 s to 1 min                      |
 * | "not found"                                         | after 4 refusals; at once after the end    | 2 s to 1 min                      |
 * | "gone", or an address that is never fetched         | at once                                    |                                   |
 *
 * An invalid answer says nothing about the file, so it does not count towards the limit of refusals; a link that ends soon is tried until
 * then. After the link's end its task is asked for another one at each invalid answer, and always before a result is given up.
 */
export function decideDownload(attempt: Attempt, result: DownloadResult): DownloadDecision {
  switch (result.type) {
    case 'local':
      return result;
    case 'diskFull':
      return { type: 'diskFull', waitMs: DISK_FULL_RETRY_MS };
    case 'rejected':
      return afterRejectedFile(attempt, result);
    case 'interrupted':
      return retryLater(attempt, { message: result.message, countsAsAttempt: !result.madeProgress });
    default:
      return afterFailedRequest(attempt, result.outcome);
  }
}

function afterFailedRequest(
  attempt: Attempt,
  { type, error }: Extract<DownloadResult, { type: 'requestFailed' }>['outcome'],
): DownloadDecision {
  const { message } = error;
  switch (type) {
    case 'gone':
    case 'refused':
      return { type: 'abandoned', message };
    case 'failed': {
      const decision = error.retryable
        ? afterRefusal(attempt, message, MAX_NOT_FOUND)
        : { type: 'abandoned' as const, message };
      return decision.type === 'abandoned' ? { type: 'refused', message, kind: error.kind } : decision;
    }
    case 'stored':
      return { type: 'remoteOnly', message };
    case 'missing':
      return isPastExpiry(attempt) ? { type: 'abandoned', message } : afterRefusal(attempt, message, MAX_NOT_FOUND);
    case 'noFile':
      return afterNonsense(attempt, message);
    case 'wrong':
      // Storage may refuse an expired link without giving the reason.
      return isDenied(error.status ?? 0) && isPastExpiry(attempt)
        ? { type: 'abandoned', message }
        : afterRefusal(attempt, message, MAX_REFUSALS);
    case 'pending':
      return retryLater(attempt, { message, waitMs: error.retryAfterMs });
    default: {
      const silent = error.status === undefined && (error.kind === 'network' || error.kind === 'timeout');
      return retryLater(attempt, {
        message,
        waitMs: error.retryAfterMs,
        hostUnreachable: silent || error.retryAfterMs !== undefined,
      });
    }
  }
}

function afterRejectedFile(
  attempt: Attempt,
  { message, isLasting }: Extract<DownloadResult, { type: 'rejected' }>,
): DownloadDecision {
  if (attempt.asset.remote_uri?.startsWith('data:')) return { type: 'abandoned', message };
  return isLasting ? afterRefusal(attempt, message, MAX_REFUSALS) : afterNonsense(attempt, message);
}

function afterRefusal(attempt: Attempt, message: string, limit: number): DownloadDecision {
  const { refusals = 0 } = attempt;
  if (refusals + 1 >= limit) return { type: 'abandoned', message };
  const decision = retryLater({ ...attempt, asset: { ...attempt.asset, tries: refusals } }, { message });
  return decision.type === 'retry' ? { ...decision, countsAsRefusal: true } : decision;
}

function afterNonsense(attempt: Attempt, message: string): DownloadDecision {
  const { id, strikes, expires_at: expiresAt } = attempt.asset;
  const leftMs = (expiresAt ?? Infinity) - attempt.now;
  const endsSoon = leftMs > 0 && leftMs < MAX_BAD_RESPONSE_BACKOFF_MS;
  if (strikes + 1 >= MAX_BAD_RESPONSES && !endsSoon) return { type: 'abandoned', message };
  const pause = Math.min(MAX_BAD_RESPONSE_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** strikes);
  const decision = retryLater(attempt, { message, countsAsBadResponse: true });
  if (decision.type !== 'retry') return decision;
  const waitMs = Math.min(withJitterOf(id, pause), leftMs > 0 ? Math.max(PAUSE_NEAR_END_MS, leftMs / 2) : Infinity);
  return { ...decision, waitMs: Math.round(waitMs), ...(leftMs <= 0 ? { asksTask: true } : {}) };
}

/** Whether the link's announced expiry has passed. */
const isPastExpiry = ({ asset, now }: Attempt): boolean => asset.expires_at !== null && asset.expires_at <= now;

interface Retry {
  message: string;
  waitMs?: number | undefined;
  countsAsAttempt?: boolean;
  countsAsBadResponse?: boolean;
  hostUnreachable?: boolean;
}

export function retryLater(
  attempt: Attempt,
  { message, waitMs = 0, countsAsAttempt = true, countsAsBadResponse = false, hostUnreachable = false }: Retry,
): DownloadDecision {
  const { asset, now } = attempt;
  const deadline =
    asset.expires_at === null ? asset.created_at + MAX_AGE_WITHOUT_EXPIRY_MS : asset.expires_at + EXPIRY_GRACE_MS;
  if (now > deadline) return { type: 'abandoned', message: t`${message} Its link has expired.` };
  const pause = countsAsAttempt
    ? Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(asset.tries, 10))
    : FIRST_BACKOFF_MS;
  return {
    type: 'retry',
    message,
    waitMs: Math.max(waitMs, withJitterOf(asset.id, pause)),
    countsAsAttempt,
    countsAsBadResponse,
    hostUnreachable,
  };
}

/** Adds ±20 %, always the same for one asset, so that downloads that failed together are not retried together. */
function withJitterOf(id: string, pause: number): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 4001;
  return Math.round(pause * (0.8 + (0.4 * hash) / 4001));
}

/** Whether the link seems to work: bytes were kept, or only space was missing here. */
export const isLinkGood = (decision: DownloadDecision): boolean =>
  decision.type === 'diskFull' || (decision.type === 'retry' && !decision.countsAsAttempt);

/** Whether the host requires authorization. */
export const isDeniedAccess = (result: DownloadResult): boolean =>
  result.type === 'requestFailed' && isDenied(result.outcome.error.status ?? 0);

/**
 * Polls the task behind a job's results, without cost and without changing the job. Undefined without a task, for example if the results
 * came with the answer.
 */
export type AskTask = (jobId: string) => Promise<PollOutcome | undefined>;

/** The number of new links for one result that lead to no stored byte, after which further ones are not tried. */
export const MAX_RENEWALS = 3;

/**
 * The next step for a result that would be given up, or whose link has expired. Services keep tasks longer than links, and sign a new link
 * at each poll. `results`: the number of results of the job; if the task names a different number, they cannot be matched.
 */
export function decideRenewal(
  attempt: Attempt,
  decision: Extract<DownloadDecision, { type: 'abandoned' | 'retry' }>,
  outcome: PollOutcome | undefined,
  results: number,
): DownloadDecision {
  if (decision.type === 'abandoned' && outcome?.type === 'unreachable' && isForNow(outcome)) {
    const message = t`${decision.message} Dailies asks for a new link when the gateway answers.`;
    // The announced expiry is that of the link, not of the task.
    const later = retryLater({ ...attempt, asset: { ...attempt.asset, expires_at: null } }, { message });
    return later.type === 'retry' ? later : decision;
  }
  if (outcome?.type !== 'done' || outcome.outputs.length !== results) return decision;
  const { role, output_index, remote_uri } = attempt.asset;
  const output = outcome.outputs[output_index ?? 0];
  if (output?.role !== role || output.uri === remote_uri || !/^https?:/i.test(output.uri)) return decision;
  return { type: 'renewed', uri: output.uri, expiresAt: output.expiresAt ?? null };
}

/** Whether the service may answer differently later. Only a refusal of the poll itself is final; a page in its place is not. */
const isForNow = ({ error }: Extract<PollOutcome, { type: 'unreachable' }>): boolean =>
  error.retryable || error.wrongAddress === true || (error.kind !== 'invalid' && error.kind !== 'moderation');

/** Whether a task could name another link. Not for bytes that came inside its answer. */
export const isRenewable = ({ job_id, output_index, remote_uri }: AssetRow): boolean =>
  job_id !== null && output_index !== null && !remote_uri?.startsWith('data:');
