import type { ConnectionStep } from '../../shared/gateway/connection.ts';
import type { KeyPlace } from '../../shared/gateway/profile.ts';
import type { Job, JobAttempt, JobState, Verdict } from '../../shared/jobs/job.ts';
import type { Asset, AssetState } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';

export const STATE_WORDS = {
  queued: t`Queued`,
  blocked: t`Waiting`,
  sending: t`Sending`,
  running: t`Making`,
  fetching: t`Downloading`,
  succeeded: t`Done`,
  failed: t`Failed`,
  canceled: t`Canceled`,
  uncertain: t`Unconfirmed`,
} as const satisfies Record<JobState, string>;

/** A content refusal is not an ordinary failure: another prompt may pass. */
export const failureWord = ({ error }: Pick<Job, 'error'>): string =>
  error?.kind === 'moderation' ? t`Refused` : STATE_WORDS.failed;

/** Storage states of a file. */
export const STORAGE_WORDS = {
  local: t`Stored here`,
  remote: t`At the gateway`,
  expired: t`Lost`,
  deleted: t`Deleted`,
} as const satisfies Record<AssetState | 'deleted', string>;

export const storageWords = ({ state, deleted }: Pick<Asset, 'state' | 'deleted'>) =>
  STORAGE_WORDS[deleted ? 'deleted' : state];

const OUTCOME_WORDS = {
  sending: t`Sent`,
  accepted: t`Sent and accepted`,
  done: t`Answered`,
  refused: t`Refused`,
  unsent: t`Not sent`,
  unknown: t`Sent`,
  lost: t`Marked as lost`,
} as const satisfies Record<JobAttempt['outcome'], string>;

/** The outcome of an attempt, with the status of the answer if there is one. */
function outcomeWords({ outcome, status }: Pick<JobAttempt, 'outcome' | 'status'>): string {
  if (outcome === 'unknown' && status === undefined) return t`Sent, no answer came`;
  return status === undefined ? OUTCOME_WORDS[outcome] : t`${OUTCOME_WORDS[outcome]}, answered with status ${status}`;
}

/** The same with the message of the gateway or the connection, which may contain the status already. */
export function attemptWords(attempt: JobAttempt): string {
  if (attempt.again)
    return t`Repeated with the same key. ${attempt.outcome === 'sending' ? '' : sentWords(attempt)}`.trim();
  return sentWords(attempt);
}

function sentWords({ outcome, status, message }: JobAttempt): string {
  if (!message) return `${outcomeWords({ outcome, status })}.`;
  const isNamed = status === undefined || message.includes(String(status));
  return `${isNamed ? OUTCOME_WORDS[outcome] : outcomeWords({ outcome, status })}. ${message}`;
}

/** After a restore: waiting jobs are not sent automatically. */
export const RESTORED_QUEUE = t`Some waiting jobs may have run since this backup. Check your gateway’s bill and cancel those before you resume, or you may pay twice.`;

/** The steps of a connection test, in their order. */
export const STEP_WORDS = {
  dns: t`Address`,
  connect: t`Connection`,
  tls: t`Encryption`,
  key: t`Key`,
  protocol: t`API format`,
  model: t`Models`,
} as const satisfies Record<ConnectionStep['name'], string>;

/** What the storage place of a key means for the user. */
export const KEY_PLACE_WORDS = {
  keychain: t`Kept in this computer’s keychain and never shown.`,
  memory: t`No keychain. The key is kept until Dailies closes.`,
  unreadable: t`The keychain is locked. Unlock it or enter the key here.`,
  environment: t`DAILIES_API_KEY is used. A key entered here replaces it.`,
} as const satisfies Record<KeyPlace | 'unreadable', string>;

/** The user's rating. */
export const VERDICT_WORDS = { keep: t`Keep`, maybe: t`Maybe`, no: t`No` } as const satisfies Record<Verdict, string>;

export const NOT_JUDGED = t`Not rated`;
