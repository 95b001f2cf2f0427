import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import type { Job } from '../../../shared/job.ts';
import type { PollOutcome, RemoteTask, SubmitOutcome } from '../gateway/index.ts';

const start = engineHarnesses();
const away: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };

/** A video whose task the service has named and says nothing of for an hour, and which is being sent again; the service answers polls again. */
async function sentAgain(told: () => PollOutcome = () => finished('gs://made/one.mp4')) {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  let isBack = false;
  const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const poll = async () => (isBack ? told() : away);
  const harness = start({ script: { gateway: { submitVideo, poll } } });
  const { id } = await harness.enqueue(aVideo);
  answer(acceptance(harness.clock, 'first'));
  await harness.clock.advance(66 * 60_000);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await harness.until(id, ({ state }) => state === 'sending');
  isBack = true;
  return { harness, id, answer: (outcome: SubmitOutcome) => answer(outcome) };
}

/** All jobs, in the order in which they were made, once each is charged. */
async function jobsOnceCharged(harness: EngineHarness): Promise<Job[]> {
  const rows = harness.store.read.all<{ id: string }>({ name: 'test.jobs', text: 'SELECT id FROM jobs ORDER BY seq' });
  for (const { id } of rows) await harness.until(id, ({ money }) => money.chargedNano > 0);
  return rows.map(({ id }) => harness.job(id));
}

test.each([['succeeded'], ['canceled']] as const)(
  'sent again and refused: the task of the first order is asked for, and its result is here (%s)',
  async (end) => {
    const { harness, id, answer } = await sentAgain();
    if (end === 'canceled') harness.engine.commands.cancel(id);
    answer(refusal({ status: 400, kind: 'invalid' }));
    const made = await harness.until(id, ({ money }) => money.chargedNano > 0);
    expect(made).toMatchObject({ state: end, outputs: [{}] });
    expect(made.money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 });
  },
);

test('sent again and failed, perhaps billed: both are in doubt, and the task of the first order can be looked up', async () => {
  const { harness, id, answer } = await sentAgain();
  answer({ ...refusal({ status: 500, kind: 'server', accepted: 'unknown' }), billed: 'unknown' } as SubmitOutcome);
  await harness.clock.advance(60_000);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: 2 * VIDEO_NANO } });
  await harness.engine.commands.resolve({ id, as: 'lookup' });
  const made = await harness.untilEnd(id);
  expect(made).toMatchObject({ state: 'succeeded', outputs: [{}] });
  expect(made.money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
});

test('sent again and refused while a poll of the first order hangs: it is asked for after that', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const polls: ((outcome: PollOutcome) => void)[] = [];
  let hangs = false;
  const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const poll = async () => (hangs ? new Promise<PollOutcome>((done) => polls.push(done)) : away);
  const harness = start({ script: { gateway: { submitVideo, poll } } });
  const { id } = await harness.enqueue(aVideo);
  answer(acceptance(harness.clock, 'first'));
  await harness.clock.advance(66 * 60_000);
  hangs = true;
  await harness.clock.advance(2 * 60_000);
  expect(polls).toHaveLength(1);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await harness.until(id, ({ state }) => state === 'sending');
  answer(refusal({ status: 400, kind: 'invalid' }));
  await harness.clock.advance(1_000);
  polls[0]?.(away);
  await harness.clock.advance(5_000);
  polls[1]?.(finished('gs://made/one.mp4'));
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', outputs: [{}] });
});

test('sent again, and canceled in flight: the task of the first order is not asked for meanwhile', async () => {
  let polls = 0;
  const failed: PollOutcome = { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' };
  const { harness, id, answer } = await sentAgain(() => {
    polls += 1;
    return failed;
  });
  harness.engine.commands.cancel(id);
  await harness.clock.advance(5 * 60_000);
  answer({ type: 'unknown', error: error({ accepted: 'unknown' }) });
  await harness.clock.advance(5 * 60_000);
  expect(polls).toBe(0);
  expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: 2 * VIDEO_NANO } });
});

test.each([['succeeded'], ['canceled']] as const)(
  'sent again and taken as another order: the first one has a job of its own, and both clips are here (%s)',
  async (end) => {
    const { harness, id, answer } = await sentAgain(() => finished());
    if (end === 'canceled') harness.engine.commands.cancel(id);
    answer(acceptance(harness.clock, 'second'));
    await harness.until(id, ({ outputs }) => outputs.length > 0);
    const jobs = await jobsOnceCharged(harness);
    expect(jobs.map(({ state, remoteId, outputs }) => [state, remoteId, outputs.length])).toEqual([
      [end, 'second', 1],
      ['succeeded', 'first', 1],
    ]);
    for (const { money } of jobs)
      expect(money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 });
    const [first, own] = jobs;
    expect(own?.attempts).toMatchObject([{ outcome: 'accepted', message: expect.stringContaining(id) }]);
    // By the time that it was sent at, a bill finds it.
    expect(own?.sentAt).toBe(first?.attempts[0]?.at);
    expect(first?.attempts).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
  },
);

test('sent again, and the broken answer names another order: both are followed', async () => {
  const { harness, id, answer } = await sentAgain(() => finished());
  const task: RemoteTask = { id: 'second', kind: 'video', acceptedAt: harness.clock.now() };
  answer({ type: 'unknown', error: error({ accepted: 'unknown' }), task });
  await harness.until(id, ({ outputs }) => outputs.length > 0);
  expect((await jobsOnceCharged(harness)).map(({ remoteId }) => remoteId)).toEqual(['second', 'first']);
});

test('sent again, and given back the same order: one job follows it, and nothing is in doubt', async () => {
  const { harness, id, answer } = await sentAgain(() => finished());
  answer(acceptance(harness.clock, 'first'));
  await harness.until(id, ({ outputs }) => outputs.length > 0);
  const jobs = await jobsOnceCharged(harness);
  expect(jobs).toMatchObject([{ id, money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } }]);
});

test('sent again, and the second clip is there at once without a name: the first order is followed too', async () => {
  const { harness, id, answer } = await sentAgain(() => finished());
  answer({ ...finished(), type: 'done' });
  await harness.until(id, ({ outputs }) => outputs.length > 0);
  const jobs = await jobsOnceCharged(harness);
  expect(jobs.map(({ outputs, money }) => [outputs.length, money.uncertainNano])).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('sent a third time, and given the second order back: nothing is in doubt', async () => {
  const { harness, id, answer } = await sentAgain(() => ({ type: 'missing' }));
  answer(acceptance(harness.clock, 'second'));
  await harness.until(id, ({ state }) => state === 'uncertain');
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await harness.until(id, ({ state }) => state === 'sending');
  answer(acceptance(harness.clock, 'second'));
  await harness.until(id, ({ state }) => state === 'running');
  expect(harness.job(id).money).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
});

test('sent again while a poll of the first order hangs, and canceled in flight: both clips are here', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const polls: ((outcome: PollOutcome) => void)[] = [];
  let stage: 'away' | 'hangs' | 'back' = 'away';
  const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const poll = async () =>
    stage === 'hangs' ? new Promise<PollOutcome>((done) => polls.push(done)) : stage === 'away' ? away : finished();
  const harness = start({ script: { gateway: { submitVideo, poll } } });
  const { id } = await harness.enqueue(aVideo);
  answer(acceptance(harness.clock, 'first'));
  await harness.clock.advance(66 * 60_000);
  stage = 'hangs';
  await harness.clock.advance(2 * 60_000);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await harness.until(id, ({ state }) => state === 'sending');
  harness.engine.commands.cancel(id);
  stage = 'back';
  polls[0]?.(finished());
  await harness.clock.advance(1_000);
  answer(acceptance(harness.clock, 'second'));
  await harness.until(id, ({ outputs }) => outputs.length > 0);
  const jobs = await jobsOnceCharged(harness);
  expect(jobs.map(({ remoteId, outputs }) => [remoteId, outputs.length])).toEqual([
    ['second', 1],
    ['first', 1],
  ]);
});
