import { describe, expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { PollOutcome, RemoteTask, SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const aJob = jobsOfThisFile();
const request = { kind: 'imagine', prompt: 'a hill' } as const;
const clock = new TestClock();
const missing = (count = 60) => Array<PollOutcome>(count).fill({ type: 'missing' });
const named = (id: string): SubmitOutcome => ({
  type: 'unknown',
  error: error({ accepted: 'unknown' }),
  task: { id, kind: 'video', acceptedAt: clock.now() },
});
const CHARGED = { chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 };

describe('doubt', () => {
  test('a lost answer is never sent again automatically, nor by a lookup; its cost stays in doubt', async () => {
    const { script, engine, events, clock, resolve, now } = await aJob({ state: 'uncertain' });
    await resolve('lookup');
    await clock.advance(7_200_000);
    expect(now()).toMatchObject({ state: 'uncertain', money: { reservedNano: 0, uncertainNano: VIDEO_NANO } });
    expect(script.sent).toBe(1);
    expect(engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect(events.some((event) => event.type === 'notice' && event.level === 'doubt')).toBe(true);
  });

  test('a partial answer that names its task is in doubt until that has been asked for, once', async () => {
    const { script, now, ends } = await aJob({ submit: [named('task-9')], poll: [finished()] });
    expect(now()).toMatchObject({ state: 'uncertain', remoteId: 'task-9' });
    expect(await ends()).toMatchObject({ state: 'succeeded', money: CHARGED });
    expect(script.sent).toBe(1);
  });

  test.each<[string, Partial<RemoteTask>, Omit<Extract<PollOutcome, { type: 'missing' }>, 'type'>, string]>([
    ['nothing', {}, {}, 'The gateway no longer knows this task.'],
    [
      'that it is not there',
      {},
      { error: error({ message: 'No such task.' }) },
      'The gateway does not know this task: No such task.',
    ],
    [
      'nothing of a task that it named in prose',
      { said: 'It is task-17.' },
      {},
      'The gateway does not know this task: It is task-17.',
    ],
  ])('a job whose service says %s tells that', async (_what, task, said, message) => {
    const accepted = { id: 'task-17', kind: 'video' as const, acceptedAt: clock.now(), ...task };
    const poll = Array<PollOutcome>(60).fill({ type: 'missing', ...said });
    const { is } = await aJob({ submit: [{ type: 'accepted', task: accepted }], poll });
    expect((await is('uncertain')).error?.message).toBe(message);
  });

  test('a webhook that still arrives names the task, and the service’s answer to a poll ends the doubt', async () => {
    const { script, engine, coreEvents, clock, id, now, ends } = await aJob({
      state: 'uncertain',
      request,
      poll: missing(),
    });
    const body = '"status":"SUCCESS","imageUrl":"https://forged.example/a.png"}';
    expect(engine.queries.lacksTaskId(id)).toBe(true);
    expect(now().cannotLookUp).toBe('The reply was lost before a task id arrived, so the gateway cannot be asked.');
    coreEvents.emit('webhook.bodyReceived', id, `{${body}`);
    await clock.advance(60_000);
    expect(script.polled).toBe(0);
    coreEvents.emit('webhook.bodyReceived', id, `{"id":98765432109876543210,${body}`);
    expect(now().cannotLookUp).toBeUndefined();
    await clock.advance(120_000);
    expect(now()).toMatchObject({ state: 'uncertain', remoteId: '98765432109876543210', outputs: [] });
    script.poll = [finished()];
    coreEvents.emit('webhook.received', id);
    expect(await ends()).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
    expect(script.sent).toBe(1);
  });

  test('a webhook that names another job’s task, or another task than the known one, is ignored', async () => {
    const { script, engine, coreEvents, id, enqueue, job } = await aJob({ state: 'running', request });
    script.submit = [lostAnswer];
    const { id: lost } = await enqueue(request);
    coreEvents.emit('webhook.bodyReceived', lost, '{"taskId":"task-1"}');
    expect(job(lost).remoteId).toBeUndefined();
    coreEvents.emit('webhook.bodyReceived', id, '{"id":"another"}');
    expect(job(id).remoteId).toBe('task-1');
    expect([lost, id].map((which) => engine.queries.lacksTaskId(which))).toEqual([true, false]);
  });

  test('a task that the service no longer knows is in doubt after the grace period, and a lookup can still find it', async () => {
    const { script, clock, now, resolve, ends } = await aJob({ state: 'running', poll: missing(30) });
    await clock.advance(50_000);
    expect(now().state).toBe('running');
    await clock.advance(60_000);
    expect(now().state).toBe('uncertain');
    script.poll = [finished()];
    await resolve('lookup');
    expect(await ends()).toMatchObject({ state: 'succeeded', money: CHARGED });
  });
});

describe('sent again by the user', () => {
  test('is one more attempt under the same key, and a second reservation', async () => {
    const { script, now, resolve } = await aJob({ submit: [lostAnswer, lostAnswer] });
    await resolve('resend');
    await settle();
    expect(now().attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(new Set(script.keys).size).toBe(1);
    expect(now().money.uncertainNano).toBe(2 * VIDEO_NANO);
  });

  test('waits while the queue is paused, and may be billed all the same', async () => {
    const { engine, id, now, commands, resolve } = await aJob({ state: 'uncertain' });
    await commands.setPaused(true);
    await resolve('resend');
    expect(now()).toMatchObject({ state: 'blocked', money: { uncertainNano: VIDEO_NANO } });
    expect(await engine.many.figures({ ids: [id] })).toMatchObject({ data: { cancelable: 1, waiting: 1, sent: 1 } });
  });

  test('and answered: the second attempt is charged; the first stays in doubt until the bill says otherwise', async () => {
    const { id, sums, commands, resolve, ends } = await aJob({
      submit: [lostAnswer, acceptance(clock)],
      poll: [finished()],
    });
    await resolve('resend');
    expect((await ends()).money).toMatchObject({ ...CHARGED, uncertainNano: VIDEO_NANO });
    expect(sums()).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO, reservedNano: 0 });
    commands.settleDoubt(id, 0);
    expect(sums()).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 });
  });

  test('the second task has a grace period of its own', async () => {
    const submit = ['first', 'second'].map((id) => acceptance(clock, id));
    const { script, clock: time, sums, is, now, resolve, ends } = await aJob({ submit, poll: missing(120) });
    await is('uncertain');
    await resolve('resend');
    await is('running');
    await time.advance(50_000);
    expect(now()).toMatchObject({ state: 'running', remoteId: 'second' });
    script.poll = [finished()];
    expect((await ends()).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(sums().uncertainNano).toBe(VIDEO_NANO);
  });

  test('and refused: only the second attempt is known to cost nothing', async () => {
    const { now, resolve } = await aJob({ submit: [lostAnswer, refusal({ status: 400, kind: 'invalid' })] });
    await resolve('resend');
    await settle();
    expect(now()).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, reservedNano: 0 } });
  });

  test('and named as the same task: one attempt, nothing is left in doubt', async () => {
    const submit = ['same', 'same'].map((id) => acceptance(clock, id));
    const { script, is, resolve, ends } = await aJob({ submit, poll: missing() });
    await is('uncertain');
    script.poll = [finished()];
    await resolve('resend');
    expect((await ends()).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  test('and canceled: the attempt that succeeded is charged once, the other stays in doubt', async () => {
    const submit = [lostAnswer, acceptance(clock)];
    const {
      clock: time,
      now,
      resolve,
      cancel,
    } = await aJob({
      submit,
      gateway: { poll: async () => finished('gs://made/one.mp4') },
    });
    await resolve('resend');
    await settle();
    cancel();
    await time.advance(7_200_000);
    expect(now()).toMatchObject({ state: 'canceled', money: { ...CHARGED, uncertainNano: VIDEO_NANO }, outputs: [{}] });
  });

  test('the next day, and canceled unsent: a result is charged to the day of its own attempt', async () => {
    let answer: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };
    const { clock, store, now, commands, resolve, cancel, charged } = await aJob({
      clock: new TestClock(new Date(2026, 10, 21, 23, 50).getTime()),
      submit: [named('t')],
      gateway: { poll: async () => answer },
    });
    commands.setPaused(true);
    await clock.advance(20 * 60_000);
    await resolve('resend');
    await clock.advance(5 * 60_000);
    expect(now()).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
    answer = finished('gs://made/one.mp4');
    cancel();
    await charged();
    expect(totals(store.read, 'day', {}).rows).toMatchObject([
      { key: '2026-11-21', settledNano: VIDEO_NANO, uncertainNano: 0 },
      { key: '2026-11-22', settledNano: 0, reservedNano: 0, uncertainNano: 0 },
    ]);
  });
});

describe('settling by the bill', () => {
  const NOT_YET = { ok: false, error: { code: 'wrong_state' } };

  test('a canceled job is not settled while its answer is awaited, which would be charged in addition', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
    const { id, now, commands, cancel } = await aJob({ gateway: { submitVideo: () => promise } });
    cancel();
    expect(commands.settleDoubt(id, VIDEO_NANO)).toMatchObject(NOT_YET);
    answer({ ...finished('gs://made/one.mp4'), type: 'done' });
    await settle();
    expect(now().money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(commands.settleDoubt(id, VIDEO_NANO).ok).toBe(false);
  });

  test('nor while its task is asked for: its result is fetched, and charged once', async () => {
    const { script, id, commands, harness } = await aJob({ state: 'canceled' });
    expect(commands.settleDoubt(id, VIDEO_NANO)).toMatchObject(NOT_YET);
    script.poll = [finished()];
    const { money } = await harness.until(id, ({ outputs }) => outputs.length > 0);
    expect(money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  /** Such a task is still asked for, as long as what it made is kept; the bill does not have to wait for that. */
  test.each<[string, PollOutcome]>([
    ['still at work', { type: 'running' }],
    ['silent', { type: 'unreachable', error: error({ kind: 'network' }) }],
  ])('one whose service is %s is settled by the bill after an hour, and not before', async (_, answer) => {
    const { clock, id, now, commands } = await aJob({ state: 'canceled', gateway: { poll: async () => answer } });
    await clock.advance(50 * 60_000);
    expect(commands.settleDoubt(id, VIDEO_NANO).ok).toBe(false);
    await clock.advance(20 * 60_000);
    expect(commands.settleDoubt(id, VIDEO_NANO).ok).toBe(true);
    expect(now().money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  test('a written-off job ends, stays in doubt, is settled by the bill, and is listed until then', async () => {
    const { engine, id, now, sums, commands, resolve } = await aJob({ state: 'uncertain' });
    expect(commands.settleDoubt(id, 0)).toMatchObject(NOT_YET);
    await resolve('lost');
    expect(now()).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, chargedNano: 0 } });
    expect(engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect((await resolve('resend')).ok).toBe(false);
    const listed = () => engine.queries.list({ limit: 10, costInDoubt: true }, false).jobs.map((job) => job.id);
    expect(listed()).toEqual([id]);
    commands.settleDoubt(id, 1_234_567_891);
    expect(now()).toMatchObject({ state: 'failed', money: { chargedNano: 1_234_567_891, uncertainNano: 0 } });
    expect(sums()).toMatchObject({ settledNano: 1_234_567_891, settledLowNano: 1_234_567_891, uncertainNano: 0 });
    expect(listed()).toEqual([]);
    expect(commands.settleDoubt(id, 1)).toMatchObject(NOT_YET);
  });
});
