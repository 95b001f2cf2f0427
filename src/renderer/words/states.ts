import type { ConnectionStep } from '../../shared/gateway/connection.ts';
import type { KeyPlace } from '../../shared/gateway/profile.ts';
import type { JobAttempt, JobState, Verdict } from '../../shared/jobs/job.ts';
import type { Asset, AssetState } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';

/** What people read for a job's state: `word` alone, `now` in a sentence ("The edit is being made"). */
export const STATE_WORDS = {
  queued: { word: t`Queued`, now: t`waiting` },
  blocked: { word: t`Waiting`, now: t`waiting` },
  sending: { word: t`Sending`, now: t`being sent` },
  running: { word: t`Making`, now: t`being made` },
  fetching: { word: t`Downloading`, now: t`being downloaded` },
  succeeded: { word: t`Done`, now: t`made` },
  failed: { word: t`Failed`, now: t`not made` },
  canceled: { word: t`Canceled`, now: t`canceled` },
  uncertain: { word: t`Unconfirmed`, now: t`unconfirmed` },
} as const satisfies Record<JobState, { word: string; now: string }>;

/** Where a file is: `name` in a filter, `title` beside it, `after` behind what it is called ("Harbour is on disk"). */
export const STORAGE_WORDS = {
  local: { name: t`On disk`, title: t`On disk, verified`, after: t`is on disk` },
  remote: { name: t`At gateway`, title: t`Only at gateway`, after: t`is made, and is at the gateway only` },
  expired: { name: t`Lost`, title: t`Lost, not downloaded`, after: t`is made, but was not downloaded` },
  deleted: { name: t`Deleted`, title: t`Deleted from the bin`, after: t`was deleted from the bin` },
} as const satisfies Record<AssetState | 'deleted', { name: string; title: string; after: string }>;

export const storageWords = ({ state, deleted }: Pick<Asset, 'state' | 'deleted'>) =>
  STORAGE_WORDS[deleted ? 'deleted' : state];

const OUTCOME_WORDS = {
  sending: t`Sent`,
  accepted: t`Sent and accepted`,
  done: t`Answered`,
  refused: t`Refused`,
  unsent: t`Not sent`,
  unknown: t`Sent`,
  lost: t`Counted as lost`,
} as const satisfies Record<JobAttempt['outcome'], string>;

/** How an attempt ended: what was done, with the status of the answer where there is one. */
export function outcomeWords({ outcome, status }: Pick<JobAttempt, 'outcome' | 'status'>): string {
  if (outcome === 'unknown' && status === undefined) return t`Sent, no answer came`;
  return status === undefined ? OUTCOME_WORDS[outcome] : t`${OUTCOME_WORDS[outcome]}, answered with status ${status}`;
}

/** The same with what the service or the connection said; the service's own sentence may name the status already. */
export function attemptWords(attempt: JobAttempt): string {
  if (attempt.again)
    return t`Asked again under the same key. ${attempt.outcome === 'sending' ? '' : sentWords(attempt)}`.trim();
  return sentWords(attempt);
}

function sentWords({ outcome, status, message }: JobAttempt): string {
  if (!message) return `${outcomeWords({ outcome, status })}.`;
  const isNamed = status === undefined || message.includes(String(status));
  return `${isNamed ? OUTCOME_WORDS[outcome] : outcomeWords({ outcome, status })}. ${message}`;
}

/** After a restore: what waits is not sent by itself. */
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

/** What follows from the place where a key is, or would be, kept. */
export const KEY_PLACE_WORDS = {
  keychain: t`Kept in this computer’s keychain and never shown.`,
  memory: t`No keychain. The key is kept until Dailies closes.`,
  unreadable: t`The keychain is locked. Unlock it or enter the key here.`,
  environment: t`DAILIES_API_KEY is used. A key entered here replaces it.`,
} as const satisfies Record<KeyPlace | 'unreadable', string>;

/** The user's verdict: `label` on its button, `judged` on what has it. */
export const VERDICT_WORDS = {
  keep: { label: t`Keep`, judged: 'kept' },
  maybe: { label: t`Maybe`, judged: 'maybe' },
  no: { label: t`No`, judged: t`not kept` },
} as const satisfies Record<Verdict, { label: string; judged: string }>;

export const NOT_JUDGED = t`Not rated`;
