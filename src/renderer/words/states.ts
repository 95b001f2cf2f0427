import type { Asset, AssetState } from '../../shared/asset.ts';
import type { JobAttempt, JobState } from '../../shared/job.ts';

/** What people read for a job's state: `word` alone, `now` in a sentence ("The edit is being made"). *In doubt* is the term, `uncertain` the code's. */
export const STATE_WORDS = {
  queued: { word: 'Queued', now: 'waiting' },
  blocked: { word: 'Blocked', now: 'waiting' },
  sending: { word: 'Sending', now: 'being sent' },
  running: { word: 'Running', now: 'being made' },
  fetching: { word: 'Fetching', now: 'being fetched' },
  succeeded: { word: 'Succeeded', now: 'made' },
  failed: { word: 'Failed', now: 'not made' },
  canceled: { word: 'Canceled', now: 'canceled' },
  uncertain: { word: 'In doubt', now: 'in doubt' },
} as const satisfies Record<JobState, { word: string; now: string }>;

/** Where a file is: `name` in a filter, `title` beside it, `after` behind what it is called ("Harbour is on disk"). */
export const STORAGE_WORDS = {
  local: { name: 'On disk', title: 'On disk, verified', after: 'is on disk' },
  remote: { name: 'At gateway', title: 'Only at gateway', after: 'is made, and is at the gateway only' },
  expired: { name: 'Given up', title: 'Download given up', after: 'is made, and its download was given up' },
  deleted: { name: 'Deleted', title: 'Deleted from the bin', after: 'was deleted from the bin' },
} as const satisfies Record<AssetState | 'deleted', { name: string; title: string; after: string }>;

export const storageWords = ({ state, deleted }: Pick<Asset, 'state' | 'deleted'>) =>
  STORAGE_WORDS[deleted ? 'deleted' : state];

const OUTCOME_WORDS = {
  sending: 'Sent',
  accepted: 'Sent and accepted',
  done: 'Answered',
  refused: 'Refused',
  unsent: 'Not sent',
  unknown: 'Sent',
  lost: 'Counted as lost',
} as const satisfies Record<JobAttempt['outcome'], string>;

/** How an attempt ended: what was done, with the status of the answer where there is one. */
export function outcomeWords({ outcome, status }: Pick<JobAttempt, 'outcome' | 'status'>): string {
  if (outcome === 'unknown' && status === undefined) return 'Sent, no answer came';
  return status === undefined ? OUTCOME_WORDS[outcome] : `${OUTCOME_WORDS[outcome]}, answered with status ${status}`;
}

/** The same with what the service or the connection said; the service's own sentence may name the status already. */
export function attemptWords(attempt: JobAttempt): string {
  if (attempt.again)
    return `Asked again under the same key. ${attempt.outcome === 'sending' ? '' : sentWords(attempt)}`.trim();
  return sentWords(attempt);
}

function sentWords({ outcome, status, message }: JobAttempt): string {
  if (!message) return `${outcomeWords({ outcome, status })}.`;
  const isNamed = status === undefined || message.includes(String(status));
  return `${isNamed ? OUTCOME_WORDS[outcome] : outcomeWords({ outcome, status })}. ${message}`;
}
