import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { PollOutcome, RemoteTask } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const start = engineHarnesses();

const anImage = { kind: 'imagine', prompt: 'a hill' } as const;
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

describe('doubt', () => {
  test('a lost answer is never sent again automatically; its cost stays in doubt', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(7_200_000);
    expect(harness.job(id)).toMatchObject({
      state: 'uncertain',
      money: { reservedNano: 0, uncertainNano: VIDEO_NANO },
    });
    expect(harness.script.sent).toBe(1);
    expect(harness.engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect(harness.events.some((event) => event.type === 'notice' && event.level === 'doubt')).toBe(true);
  });

  test('a lookup without a task changes nothing and sends nothing', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'lookup' });
    expect(harness.job(id).state).toBe('uncertain');
    expect(harness.script.sent).toBe(1);
  });

  test('a partial answer that names its task is in doubt until that has been asked for, once', async () => {
    const harness = start();
    const task = { id: 'task-9', kind: 'video' as const, acceptedAt: harness.clock.now() };
    harness.script.submit = [{ type: 'unknown', error: error({ accepted: 'unknown' }), task }];
    harness.script.poll = [finished()];
    const { id } = await harness.enqueue(aVideo);
    await settle();
    expect(harness.job(id)).toMatchObject({ state: 'uncertain', remoteId: 'task-9' });
    expect(await harness.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
    });
    expect(harness.script.sent).toBe(1);
  });

  test.each<[string, Partial<RemoteTask>, Omit<Extract<PollOutcome, { type: 'missing' }>, 'type'>, string]>([
    ['nothing', {}, {}, 'The service accepted it, but does not know its task any more.'],
    [
      'that it is not there',
      {},
      { error: error({ message: 'No such task.' }) },
      'The service accepted it, but does not know its task any more. It says: No such task.',
    ],
    ['something else', {}, { said: 'The service says of the task: moved.' }, 'The service says of the task: moved.'],
    [
      'nothing of a task that it named in prose',
      { said: 'It is task-17.' },
      {},
      'The service answered "It is task-17.", and does not know such a task.',
    ],
  ])('a job whose service says %s tells that', async (_what, task, missing, message) => {
    const harness = start();
    const accepted = { id: 'task-17', kind: 'video' as const, acceptedAt: harness.clock.now() };
    harness.script.submit = [{ type: 'accepted', task: { ...accepted, ...task } }];
    harness.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const, ...missing }));
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    expect(harness.job(id).error?.message).toBe(message);
  });

  test('a webhook that still arrives names the task, and the service’s answer to a poll ends the doubt', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    harness.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    expect(harness.engine.queries.lacksTaskId(id)).toBe(true);
    harness.coreEvents.emit(
      'webhook.bodyReceived',
      id,
      '{"status":"SUCCESS","imageUrl":"https://forged.example/a.png"}',
    );
    await harness.clock.advance(60_000);
    expect(harness.script.polled).toBe(0);
    harness.coreEvents.emit(
      'webhook.bodyReceived',
      id,
      '{"id":98765432109876543210,"status":"SUCCESS","imageUrl":"https://forged.example/a.png"}',
    );
    await harness.clock.advance(120_000);
    expect(harness.job(id)).toMatchObject({ state: 'uncertain', remoteId: '98765432109876543210', outputs: [] });
    harness.script.poll = [finished()];
    harness.coreEvents.emit('webhook.received', id);
    expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
    expect(harness.script.sent).toBe(1);
  });

  test('a webhook that names another job’s task is ignored', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock, 'base'), lostAnswer];
    await harness.enqueue(anImage);
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.coreEvents.emit('webhook.bodyReceived', id, '{"taskId":"base"}');
    expect(harness.job(id).remoteId).toBeUndefined();
    expect(harness.engine.queries.lacksTaskId(id)).toBe(true);
  });

  test('the body of a webhook for a known task is ignored', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [{ type: 'running' }, { type: 'running' }];
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'running');
    expect(harness.engine.queries.lacksTaskId(id)).toBe(false);
    harness.coreEvents.emit('webhook.bodyReceived', id, '{"id":"another"}');
    expect(harness.job(id).remoteId).toBe('task-1');
  });

  test('a job says why it cannot be looked up, until its task is known', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    expect(harness.job(id).cannotLookUp).toBe(
      'The answer was lost before a task id came, so there is nothing to ask about.',
    );
    harness.coreEvents.emit('webhook.bodyReceived', id, '{"id":"178"}');
    expect(harness.job(id).cannotLookUp).toBeUndefined();
  });

  test('the count of jobs in doubt equals the listed jobs, whatever their state', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer, lostAnswer, acceptance(harness.clock), lostAnswer];
    const lost = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id: lost.id, as: 'lost' });
    const open = await harness.enqueue(aVideo);
    const canceled = await harness.enqueue(aVideo);
    await harness.until(canceled.id, ({ state }) => state === 'running');
    harness.engine.commands.cancel(canceled.id);
    harness.activate('sandbox');
    const toy = await harness.enqueue(aVideo);
    await harness.until(toy.id, ({ state }) => state === 'uncertain');
    expect(harness.engine.status()).toMatchObject({
      doubt: { count: 1, nano: VIDEO_NANO },
      doubtElsewhere: { count: 3, nano: 3 * VIDEO_NANO },
    });
    const listed = (play: boolean) =>
      harness.engine.queries.list({ limit: 10, costInDoubt: true, play }, harness.isPlay());
    expect(listed(true).jobs.map(({ id }) => id)).toEqual([toy.id]);
    expect(
      listed(false)
        .jobs.map(({ id }) => id)
        .sort(),
    ).toEqual([lost.id, open.id, canceled.id].sort());
  });

  test('written off: the job ends, and its possible cost stays on the record', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'lost' });
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, chargedNano: 0 } });
    expect(harness.engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect((await harness.engine.commands.resolve({ id, as: 'resend' })).ok).toBe(false);
  });

  test('sent again by the user: one more attempt under the same key, and a second reservation', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer, lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await settle();
    expect(harness.job(id).attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(new Set(harness.script.keys).size).toBe(1);
    expect(harness.job(id).money.uncertainNano).toBe(2 * VIDEO_NANO);
  });

  test('sent again while the queue is paused: it waits, and may be billed all the same', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.setPaused(true);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect(harness.job(id)).toMatchObject({ state: 'blocked', money: { uncertainNano: VIDEO_NANO } });
    const figures = await harness.engine.many.figures({ ids: [id] });
    expect(figures).toMatchObject({ data: { cancelable: 1, waiting: 1, sent: 1 } });
  });

  test('sent again and answered: the second attempt is charged, the first stays in doubt, since it may be billed too', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer, acceptance(harness.clock)];
    harness.script.poll = [finished()];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect((await harness.untilEnd(id)).money).toMatchObject({
      reservedNano: 0,
      chargedNano: VIDEO_NANO,
      uncertainNano: VIDEO_NANO,
    });
    expect(sums(harness)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO, reservedNano: 0 });
  });

  test('sent again: the cost stated for the first attempt is not that of the second', async () => {
    const stated = { by: 'usage.cost', as: '1.7 USD', nano: 1_700_000_000 };
    const first = { ...acceptance(new TestClock(), 'first'), stated };
    const harness = start();
    harness.script.submit = [first, acceptance(harness.clock, 'second')];
    harness.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.script.poll = [{ type: 'missing' }, finished()];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    const { money } = await harness.untilEnd(id);
    expect(money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(sums(harness).uncertainNano).toBe(stated.nano);
    expect(money).not.toHaveProperty('statedNano');
    expect(money).not.toHaveProperty('statedBy');
  });

  test('sent again: the second task has a grace period of its own', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock, 'first'), acceptance(harness.clock, 'second')];
    harness.script.poll = Array.from({ length: 120 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'running');
    await harness.clock.advance(50_000);
    expect(harness.job(id)).toMatchObject({ state: 'running', remoteId: 'second' });
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(sums(harness).uncertainNano).toBe(VIDEO_NANO);
  });

  test('sent again and refused: only the second attempt is known to cost nothing', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer, refusal({ status: 400, kind: 'invalid' })];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await settle();
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, reservedNano: 0 } });
  });

  test('sent again, and the service names the same task: one attempt, nothing is left in doubt', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock, 'same'), acceptance(harness.clock, 'same')];
    harness.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.script.poll = [finished()];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  test('a task that the service no longer knows is in doubt after the grace period, and a lookup can still find it', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = Array.from({ length: 30 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(50_000);
    expect(harness.job(id).state).toBe('running');
    await harness.clock.advance(60_000);
    expect(harness.job(id).state).toBe('uncertain');
    harness.script.poll = [finished()];
    await harness.engine.commands.resolve({ id, as: 'lookup' });
    expect(await harness.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
    });
  });

  test('no answer for 65 minutes is doubt; failed polls before that are not', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.gateway.poll = async () => ({ type: 'unreachable', error: error({ kind: 'network' }) });
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(64 * 60_000);
    expect(harness.job(id).state).toBe('running');
    await harness.clock.advance(2 * 60_000);
    expect(harness.job(id).state).toBe('uncertain');
  });
});

test('canceled after two attempts: the one that succeeded is charged once, the other stays in doubt', async () => {
  const harness = start({ script: { gateway: { poll: async () => finished('gs://made/one.mp4') } } });
  harness.script.submit = [lostAnswer, acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await settle();
  harness.engine.commands.cancel(id);
  await harness.clock.advance(7_200_000);
  expect(harness.job(id)).toMatchObject({
    state: 'canceled',
    money: { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO, reservedNano: 0 },
  });
  expect(harness.job(id).outputs).toHaveLength(1);
});

test('to be sent again the next day, and canceled unsent: a result is charged to the day of its own attempt', async () => {
  const clock = new TestClock(new Date(2026, 10, 21, 23, 50).getTime());
  let isBack = false;
  const away: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };
  const harness = start({
    clock,
    script: { gateway: { poll: async () => (isBack ? finished('gs://made/one.mp4') : away) } },
  });
  const task = { id: 't', kind: 'video' as const, acceptedAt: clock.now() };
  harness.script.submit = [{ type: 'unknown', error: error({ accepted: 'unknown' }), task }];
  const { id } = await harness.enqueue(aVideo);
  harness.engine.commands.setPaused(true);
  await clock.advance(20 * 60_000);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await clock.advance(5 * 60_000);
  expect(harness.job(id)).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
  isBack = true;
  harness.engine.commands.cancel(id);
  await harness.until(id, ({ money }) => money.chargedNano > 0);
  expect(totals(harness.store.read, 'day', {}).rows).toMatchObject([
    { key: '2026-11-21', settledNano: VIDEO_NANO, uncertainNano: 0 },
    { key: '2026-11-22', settledNano: 0, reservedNano: 0, uncertainNano: 0 },
  ]);
});
