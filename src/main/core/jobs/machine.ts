import { fail } from '../../../shared/contract/result.ts';
import { type BlockReason, isTerminal, type JobState } from '../../../shared/jobs/job.ts';
import { en } from '../../../shared/text/texts.ts';
import type { JobRow } from './row.ts';

/**
 * The state machine of a job as one pure function. Every allowed pair of state and transition is in the table below; the caller is told if
 * a pair is not allowed.
 */

interface JobStatus {
  state: JobState;
  reason?: BlockReason;
  /** 0 to 100. */
  progress: number;
}

export type JobTransition =
  /** The job has to wait for a stated reason. */
  | { type: 'block'; reason: BlockReason }
  /** The job no longer has to wait. */
  | { type: 'release' }
  /** The durable intent to send. */
  | { type: 'claim' }
  /** Definitely not accepted, and worth another attempt later. */
  | { type: 'defer'; reason?: BlockReason }
  /** The service has accepted it. */
  | { type: 'accept' }
  /** `reason`: why it is not asked for at present. */
  | { type: 'progress'; percent: number; reason?: BlockReason }
  /** The results are known; their bytes are not downloaded yet. */
  | { type: 'answer' }
  /** All results are on this machine. */
  | { type: 'complete' }
  /** A definite refusal, or a definite end without a result. */
  | { type: 'fail' }
  /** The answer was lost, so its outcome is unknown. */
  | { type: 'lose' }
  /** Dailies ended before the answer was complete; a chat keeps the text that had arrived. */
  | { type: 'interrupt' }
  | { type: 'cancel' }
  /** The user's three decisions about an unconfirmed job (`lookup` leads to accept, answer or fail, or changes nothing). */
  | { type: 'writeOff' }
  | { type: 'resend' };

export type TransitionType = JobTransition['type'];

type Table = Record<JobState, Partial<Record<TransitionType, JobState>>>;

/** state → transition → next state. */
const TRANSITIONS: Table = {
  queued: { claim: 'sending', block: 'blocked', release: 'queued', cancel: 'canceled', fail: 'failed' },
  blocked: { release: 'queued', block: 'blocked', cancel: 'canceled', fail: 'failed' },
  sending: {
    accept: 'running',
    answer: 'fetching',
    complete: 'succeeded',
    fail: 'failed',
    defer: 'queued',
    block: 'blocked',
    lose: 'uncertain',
    interrupt: 'uncertain',
    cancel: 'canceled',
  },
  running: {
    progress: 'running',
    accept: 'running',
    answer: 'fetching',
    complete: 'succeeded',
    fail: 'failed',
    lose: 'uncertain',
    interrupt: 'failed',
    cancel: 'canceled',
  },
  fetching: { progress: 'fetching', answer: 'fetching', complete: 'succeeded', fail: 'failed' },
  uncertain: {
    accept: 'running',
    answer: 'fetching',
    complete: 'succeeded',
    fail: 'failed',
    writeOff: 'failed',
    resend: 'queued',
  },
  succeeded: {},
  failed: {},
  canceled: {},
};

/** Whether a transition is allowed in a state. */
export const allows = (state: JobState, type: TransitionType): boolean => TRANSITIONS[state][type] !== undefined;

/** The next status, or `null` if the transition is not allowed. A terminal state is final; progress never falls and is 100 at success. */
export function nextStatus(status: JobStatus, transition: JobTransition): JobStatus | null {
  const state = TRANSITIONS[status.state][transition.type];
  if (!state) return null;
  if (transition.type === 'defer' && transition.reason)
    return { state: 'blocked', reason: transition.reason, progress: status.progress };
  if (state === 'blocked')
    return {
      state,
      reason: transition.type === 'block' ? transition.reason : status.reason,
      progress: status.progress,
    };
  const reason = transition.type === 'progress' && transition.reason ? { reason: transition.reason } : {};
  return { state, ...reason, progress: progressAfter(status, transition, state) };
}

function progressAfter(status: JobStatus, transition: JobTransition, state: JobState): number {
  if (state === 'succeeded') return 100;
  if (transition.type !== 'progress') return status.progress;
  const percent = Number.isFinite(transition.percent) ? Math.round(transition.percent) : 0;
  return Math.max(status.progress, Math.min(99, percent));
}

export { isTerminal };

/** Errors of calls that cannot be carried out: one sentence each. */

export const sumTooLarge = fail(
  'too_large',
  en`billedNano: with it, the sums would be more than can be counted exactly.`,
  {
    field: 'billedNano',
  },
);

export const notInDoubt = fail('wrong_state', en`Only an unconfirmed job can be resolved.`);

export const cannotSettle = (row: JobRow): string =>
  row.state === 'uncertain'
    ? en`The job is unconfirmed: look it up, or count it as lost, before its cost is confirmed.`
    : en`The job is not done. Its cost can be confirmed then.`;

export const otherProfileChosen = fail('conflict', en`Nothing was sent: another gateway was chosen meanwhile.`);

export const noSuchJob = fail('not_found', 'There is no such job.');

export function cannotCancel(row: JobRow): string {
  if (row.state === 'fetching') return en`The job is made and paid for; its result is being downloaded.`;
  if (row.state === 'uncertain') return en`The job is unconfirmed: look it up, count it as lost, or send it again.`;
  return en`The job is already ${row.state}.`;
}

export const noSuchProject = fail('not_found', 'projectId: there is no such project. Nothing was queued.', {
  field: 'projectId',
});
