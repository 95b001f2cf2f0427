import { expect, test } from 'vitest';
import { acceptance, error, finished, refusal, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { PollOutcome, SubmitOutcome } from '../gateway/index.ts';

const aJob = jobsOfThisFile();
const clock = new TestClock();
const away: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };
const CHARGED = { chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 };

/** A video whose task the service has named and says nothing of for an hour, and which is being sent again; `hangs`: a poll is open. */
async function sentAgain(told: () => PollOutcome = () => finished('gs://made/one.mp4'), hangs = false) {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  let stage: 'away' | 'hangs' | 'back' = 'away';
  const polls: ((outcome: PollOutcome) => void)[] = [];
  const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const poll = async () =>
    stage === 'hangs' ? new Promise<PollOutcome>((done) => polls.push(done)) : stage === 'away' ? away : told();
  const one = await aJob({ gateway: { submitVideo, poll } });
  answer(acceptance(one.clock, 'first'));
  await one.clock.advance(66 * 60_000);
  if (hangs) {
    stage = 'hangs';
    await one.clock.advance(2 * 60_000);
    expect(polls).toHaveLength(1);
  }
  await one.resolve('resend');
  await one.is('sending');
  if (!hangs) stage = 'back';
  const back = () => {
    stage = 'back';
  };
  /** All jobs, in the order in which they were made, once each is charged. */
  const allCharged = async (): Promise<Job[]> => {
    await one.until(one.id, ({ outputs }) => outputs.length > 0);
    const rows = one.store.read.all<{ id: string }>({ name: 'test.jobs', text: 'SELECT id FROM jobs ORDER BY seq' });
    for (const { id } of rows) await one.until(id, ({ money }) => money.chargedNano > 0);
    return rows.map(({ id }) => one.job(id));
  };
  return { ...one, answer: (outcome: SubmitOutcome) => answer(outcome), polls, back, allCharged };
}

test.each(['succeeded', 'canceled'] as const)(
  'sent again and refused: the task of the first request is asked for, and its result is here (%s)',
  async (state) => {
    const { answer, cancel, charged } = await sentAgain();
    if (state === 'canceled') cancel();
    answer(refusal({ status: 400, kind: 'invalid' }));
    expect(await charged()).toMatchObject({ state, outputs: [{}], money: CHARGED });
  },
);

test('sent again and failed, perhaps billed: both are in doubt, and the task of the first request can be looked up', async () => {
  const { answer, clock: time, now, resolve, ends } = await sentAgain();
  answer({ ...refusal({ status: 500, kind: 'server', accepted: 'unknown' }), billed: 'unknown' } as SubmitOutcome);
  await time.advance(60_000);
  expect(now()).toMatchObject({ state: 'uncertain', money: { uncertainNano: 2 * VIDEO_NANO } });
  await resolve('lookup');
  const money = { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO };
  expect(await ends()).toMatchObject({ state: 'succeeded', outputs: [{}], money });
});

test('sent again and refused while a poll of the first request hangs: it is asked for after that', async () => {
  const { answer, polls, clock: time, ends } = await sentAgain(undefined, true);
  answer(refusal({ status: 400, kind: 'invalid' }));
  await time.advance(1_000);
  polls[0]?.(away);
  await time.advance(5_000);
  polls[1]?.(finished('gs://made/one.mp4'));
  expect(await ends()).toMatchObject({ state: 'succeeded', outputs: [{}] });
});

test('sent again while a poll of the first request hangs, and canceled in flight: both clips are here', async () => {
  const { answer, polls, back, clock: time, cancel, allCharged } = await sentAgain(finished, true);
  cancel();
  back();
  polls[0]?.(finished());
  await time.advance(1_000);
  answer(acceptance(clock, 'second'));
  expect(await allCharged()).toMatchObject(['second', 'first'].map((remoteId) => ({ remoteId, outputs: [{}] })));
});

test('sent again, and canceled in flight: the task of the first request is not asked for meanwhile', async () => {
  let polls = 0;
  const {
    answer,
    clock: time,
    now,
    cancel,
  } = await sentAgain(() => {
    polls += 1;
    return { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' };
  });
  cancel();
  await time.advance(5 * 60_000);
  answer({ type: 'unknown', error: error({ accepted: 'unknown' }) });
  await time.advance(5 * 60_000);
  expect(polls).toBe(0);
  expect(now()).toMatchObject({ state: 'canceled', money: { uncertainNano: 2 * VIDEO_NANO } });
});

test.each(['succeeded', 'canceled'] as const)(
  'sent again and taken as another order: the first one has a job of its own, and both clips are here (%s)',
  async (state) => {
    const { id, answer, cancel, allCharged } = await sentAgain(() => finished());
    if (state === 'canceled') cancel();
    answer(acceptance(clock, 'second'));
    const [first, own, ...more] = await allCharged();
    expect(more).toEqual([]);
    const accepted = { outcome: 'accepted' };
    expect(first).toMatchObject({
      state,
      remoteId: 'second',
      outputs: [{}],
      money: CHARGED,
      attempts: [accepted, accepted],
    });
    expect(own).toMatchObject({ state: 'succeeded', remoteId: 'first', outputs: [{}], money: CHARGED });
    expect(own?.attempts).toMatchObject([{ ...accepted, message: expect.stringContaining(id) }]);
    // By the time that it was sent at, a bill finds it.
    expect(own?.sentAt).toBe(first?.attempts[0]?.at);
  },
);

const unknown = { type: 'unknown' as const, error: error({ accepted: 'unknown' }) };
test.each<[string, SubmitOutcome, (string | undefined)[]]>([
  [
    'the broken answer names another order: both are followed',
    { ...unknown, task: { id: 'second', kind: 'video', acceptedAt: clock.now() } },
    ['second', 'first'],
  ],
  ['given back the same order: one job follows it', acceptance(clock, 'first'), ['first']],
  [
    'the second clip is there at once without a name: the first request is followed too',
    { ...finished(), type: 'done' },
    [undefined, 'first'],
  ],
])('sent again, and %s, and nothing is in doubt', async (_, outcome, tasks) => {
  const { answer, allCharged } = await sentAgain(() => finished());
  answer(outcome);
  const jobs = await allCharged();
  expect(jobs.map(({ remoteId }) => remoteId)).toEqual(tasks);
  for (const job of jobs) expect(job).toMatchObject({ outputs: [{}], money: CHARGED });
});

test('sent a third time, and given the second request back: nothing is in doubt', async () => {
  const { answer, is, resolve, now } = await sentAgain(() => ({ type: 'missing' }));
  answer(acceptance(clock, 'second'));
  await is('uncertain');
  await resolve('resend');
  await is('sending');
  answer(acceptance(clock, 'second'));
  await is('running');
  expect(now().money).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
});
