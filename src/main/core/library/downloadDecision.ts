import type { ErrorKind } from '../../../shared/job.ts';
import { t } from '../../../shared/texts.ts';
import { isDenied, MAX_RETRY_AFTER_MS } from '../gateway/index.ts';
import type { AssetRow } from './assetColumns.ts';
import type { StoredFile } from './contentStore.ts';
import type { DownloadResult } from './download.ts';

/** What to do after one attempt to download a result. */
export type DownloadDecision =
  | { type: 'local'; file: StoredFile }
  /** The result is in an object storage that offers no download; it stays there. */
  | { type: 'remoteOnly'; message: string }
  /** No further attempt is made unless the user asks for one, or its task names another link. */
  | { type: 'abandoned'; message: string }
  /** The service answers that the request was refused, so the result was never made. */
  | { type: 'refused'; message: string; kind: ErrorKind }
  | { type: 'diskFull'; waitMs: number }
  /** Its task names another link. */
  | { type: 'renewed'; uri: string; expiresAt: number | null }
  | {
      type: 'retry';
      message: string;
      waitMs: number;
      /** Whether the next pause is longer. */
      countsAsAttempt: boolean;
      /** Whether the attempt counts towards the limit of bad responses. */
      countsAsBadResponse: boolean;
      /** The host did not answer, or asked for a pause: its other downloads wait too. */
      hostUnreachable: boolean;
    };

/**
 * Responses that are not a file before the download is abandoned; with the growing pauses, half an hour: a gateway that answers
 * nonsense for a while has the result all the same.
 */
const MAX_BAD_RESPONSES = 8;
/** Refusals as bad responses: they are meant. */
const MAX_REFUSALS = 6;
/** "Not found" responses before the download is abandoned: a copy may need a moment to spread. */
const MAX_NOT_FOUND = 4;
/** How long after the announced expiry an unreachable host is still tried. */
const EXPIRY_GRACE_MS = 24 * 3_600_000;
/** How long a link without an expiry is tried if it never works. */
const MAX_AGE_WITHOUT_EXPIRY_MS = 14 * 24 * 3_600_000;

const FIRST_BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;
/** Each bad response makes the next pause longer by this factor. */
const BAD_RESPONSE_FACTOR = 10;
const MAX_BAD_RESPONSE_BACKOFF_MS = 480_000;
const DISK_FULL_RETRY_MS = 15_000;
/** No download waits longer than this: one that is due later was put off before the clock was set back. */
export const LONGEST_PAUSE_MS = 2 * MAX_RETRY_AFTER_MS;

export interface Attempt {
  asset: AssetRow;
  now: number;
}

/** A download is abandoned only after a definite refusal, too many bad responses, or long after the link's expiry. */
export function decideDownload(attempt: Attempt, result: DownloadResult): DownloadDecision {
  switch (result.type) {
    case 'local':
      return result;
    case 'diskFull':
      return { type: 'diskFull', waitMs: DISK_FULL_RETRY_MS };
    case 'rejected':
      return afterBadResponse(
        attempt,
        result.message,
        attempt.asset.remote_uri?.startsWith('data:') ? 1 : MAX_BAD_RESPONSES,
      );
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
        ? afterBadResponse(attempt, message, MAX_NOT_FOUND)
        : { type: 'abandoned' as const, message };
      return decision.type === 'abandoned' ? { type: 'refused', message, kind: error.kind } : decision;
    }
    case 'stored':
      return { type: 'remoteOnly', message };
    case 'missing':
      return isPastExpiry(attempt) ? { type: 'abandoned', message } : afterBadResponse(attempt, message, MAX_NOT_FOUND);
    case 'wrong':
      return afterNoFile(attempt, message, error.status);
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

function afterNoFile(attempt: Attempt, message: string, status = 0): DownloadDecision {
  // A storage may not say why it refuses.
  if (isDenied(status) && isPastExpiry(attempt)) return { type: 'abandoned', message };
  return afterBadResponse(attempt, message, status >= 400 ? MAX_REFUSALS : MAX_BAD_RESPONSES);
}

function afterBadResponse(attempt: Attempt, message: string, limit: number): DownloadDecision {
  const { id, strikes } = attempt.asset;
  if (strikes + 1 >= limit) return { type: 'abandoned', message };
  const pause = Math.min(MAX_BAD_RESPONSE_BACKOFF_MS, FIRST_BACKOFF_MS * BAD_RESPONSE_FACTOR ** Math.min(strikes, 10));
  const waitMs = limit === MAX_BAD_RESPONSES ? withJitterOf(id, pause) : 0;
  return retryLater(attempt, { message, waitMs, countsAsBadResponse: true });
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
  if (now > deadline) return { type: 'abandoned', message: t`${message} The time of its link is over.` };
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

/** Whether nothing speaks against the link: bytes of it were kept, or there was no room for them here. */
export const isLinkGood = (decision: DownloadDecision): boolean =>
  decision.type === 'diskFull' || (decision.type === 'retry' && !decision.countsAsAttempt);
