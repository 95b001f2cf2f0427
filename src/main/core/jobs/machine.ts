import { type BlockReason, isTerminal, type JobState } from '../../../shared/job.ts';

/**
 * The life of a job as one pure function (DESIGN "Job states"). Every pair of state and event is decided in the table below;
 * a pair that is not there is not allowed, and the caller is told so instead of something half happening.
 */

export interface Life {
  state: JobState;
  reason?: BlockReason;
  /** 0 to 100. */
  progress: number;
}

export type JobEvent =
  /** Has to wait, for a stated reason. */
  | { type: 'block'; reason: BlockReason }
  /** What it waited for is there. */
  | { type: 'release' }
  /** The durable intent to send. */
  | { type: 'claim' }
  /** Definitely not accepted, and worth another try later. */
  | { type: 'defer'; reason?: BlockReason }
  /** The service has it. */
  | { type: 'accept' }
  | { type: 'progress'; percent: number }
  /** Results are known; their bytes are still to come. */
  | { type: 'answer' }
  /** Everything it is to give is here. */
  | { type: 'complete' }
  /** A definite no, or a definite end without a result. */
  | { type: 'fail' }
  /** The answer was lost: nobody knows. */
  | { type: 'lose' }
  /** Dailies ended before the answer was there; what a chat had said by then is all that it will say. */
  | { type: 'interrupt' }
  | { type: 'cancel' }
  /** The user's three ways out of doubt (`lookup` leads to accept, answer or fail, or changes nothing). */
  | { type: 'countLost' }
  | { type: 'resend' };

export type EventType = JobEvent['type'];

type Table = Record<JobState, Partial<Record<EventType, JobState>>>;

/** state → event → next state. */
export const TRANSITIONS: Table = {
  draft: { release: 'queued', block: 'blocked', cancel: 'canceled', fail: 'failed' },
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
    countLost: 'failed',
    resend: 'queued',
  },
  succeeded: {},
  failed: {},
  canceled: {},
};

/** Whether an event is allowed in a state. */
export const allows = (state: JobState, event: EventType): boolean => TRANSITIONS[state][event] !== undefined;

/** The next life, or `null` where the event is not allowed. Terminal is final; progress never falls and is 100 at success. */
export function next(life: Life, event: JobEvent): Life | null {
  const state = TRANSITIONS[life.state][event.type];
  if (!state) return null;
  if (event.type === 'defer' && event.reason)
    return { state: 'blocked', reason: event.reason, progress: life.progress };
  if (state === 'blocked')
    return { state, reason: event.type === 'block' ? event.reason : life.reason, progress: life.progress };
  return { state, progress: progressAfter(life, event, state) };
}

function progressAfter(life: Life, event: JobEvent, state: JobState): number {
  if (state === 'succeeded') return 100;
  if (event.type !== 'progress') return life.progress;
  const percent = Number.isFinite(event.percent) ? Math.round(event.percent) : 0;
  return Math.max(life.progress, Math.min(99, percent));
}

export { isTerminal };
