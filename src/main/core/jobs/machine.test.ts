import { describe, expect, test } from 'vitest';
import { JOB_STATES, type JobState } from '../../../shared/jobs/job.ts';
import { type JobTransition, nextStatus, type TransitionType } from './machine.ts';

const EVENTS: Record<TransitionType, JobTransition> = {
  block: { type: 'block', reason: 'budget' },
  release: { type: 'release' },
  claim: { type: 'claim' },
  defer: { type: 'defer' },
  accept: { type: 'accept' },
  progress: { type: 'progress', percent: 50 },
  answer: { type: 'answer' },
  complete: { type: 'complete' },
  fail: { type: 'fail' },
  lose: { type: 'lose' },
  interrupt: { type: 'interrupt' },
  cancel: { type: 'cancel' },
  writeOff: { type: 'writeOff' },
  resend: { type: 'resend' },
};

/** The whole table, repeated in readable form, so that a change of one cell has to be deliberate: only a definite no or the user sends again. */
const READ_ALOUD: Record<JobState, string> = {
  queued: 'block>blocked release>queued claim>sending fail>failed cancel>canceled',
  blocked: 'block>blocked release>queued fail>failed cancel>canceled',
  sending:
    'block>blocked defer>queued accept>running answer>fetching complete>succeeded fail>failed lose>uncertain interrupt>uncertain cancel>canceled',
  running:
    'accept>running progress>running answer>fetching complete>succeeded fail>failed lose>uncertain interrupt>failed cancel>canceled',
  fetching: 'progress>fetching answer>fetching complete>succeeded fail>failed',
  uncertain: 'accept>running answer>fetching complete>succeeded fail>failed writeOff>failed resend>queued',
  succeeded: '',
  failed: '',
  canceled: '',
};

describe('the table of states', () => {
  test.each(JOB_STATES)('%s: every transition is decided', (state) => {
    const decided = Object.values(EVENTS)
      .map((event) => [event.type, nextStatus({ state, progress: 0 }, event)?.state])
      .filter(([, to]) => to !== undefined)
      .map(([event, to]) => `${event}>${to}`);
    expect(decided.join(' ')).toBe(READ_ALOUD[state]);
  });

  test('progress never falls, and is 100 only at success', () => {
    const at = (percent: number) =>
      nextStatus({ state: 'running', progress: 60 }, { type: 'progress', percent })?.progress;
    expect([at(10), at(61), at(100), at(Number.NaN), at(1e9)]).toEqual([60, 61, 99, 60, 99]);
    expect(nextStatus({ state: 'running', progress: 10 }, { type: 'complete' })).toEqual({
      state: 'succeeded',
      progress: 100,
    });
  });

  test('a deferral with a reason blocks the job with this reason', () => {
    expect(nextStatus({ state: 'sending', progress: 0 }, { type: 'defer', reason: 'rate' })).toEqual({
      state: 'blocked',
      reason: 'rate',
      progress: 0,
    });
  });
});
