import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  error,
  finished,
  lostAnswer,
  type Rig,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const start = rigsOfThisFile();

const anImage = { kind: 'imagine', prompt: 'a hill' } as const;
const sums = (rig: Rig) => totals(rig.store.read, 'kind', {}).sum;

describe('doubt', () => {
  test('a lost answer is never sent again by itself; its money stays, in doubt', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    const { id } = await rig.enqueue(aVideo);
    await rig.clock.advance(7_200_000);
    expect(rig.job(id)).toMatchObject({ state: 'uncertain', money: { reservedNano: 0, uncertainNano: VIDEO_NANO } });
    expect(rig.script.sent).toBe(1);
    expect(rig.engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect(rig.events.some((event) => event.type === 'notice' && event.level === 'doubt')).toBe(true);
  });

  test('looking up without anything to look up changes nothing and sends nothing', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'lookup');
    expect(rig.job(id).state).toBe('uncertain');
    expect(rig.script.sent).toBe(1);
  });

  test('half an answer that named its task is in doubt, and a look-up finds the task', async () => {
    const rig = start();
    const task = { id: 'task-9', kind: 'video' as const, acceptedAt: rig.clock.now() };
    rig.script.submit = [{ type: 'unknown', error: error({ accepted: 'unknown' }), task }];
    rig.script.poll = [finished()];
    const { id } = await rig.enqueue(aVideo);
    await rig.clock.advance(600_000);
    expect(rig.job(id)).toMatchObject({ state: 'uncertain', remoteId: 'task-9' });
    await rig.engine.resolve(id, 'lookup');
    expect(await rig.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
    });
    expect(rig.script.sent).toBe(1);
  });

  test('a webhook that still arrives names the task, and what the service says of that task ends the doubt', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    rig.script.poll = [{ type: 'missing' }, finished()];
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    expect(rig.engine.wantsHint(id)).toBe(true);
    rig.engine.hint(id, '{"status":"SUCCESS","imageUrl":"https://forged.example/a.png"}');
    await rig.clock.advance(60_000);
    expect(rig.script.polled).toBe(0);
    rig.engine.hint(id, '{"id":98765432109876543210,"status":"SUCCESS","imageUrl":"https://forged.example/a.png"}');
    await rig.clock.advance(60_000);
    expect(rig.job(id)).toMatchObject({ state: 'uncertain', remoteId: '98765432109876543210', outputs: [] });
    rig.engine.poke(id);
    expect(await rig.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
    expect(rig.script.sent).toBe(1);
  });

  test('a webhook that names the task of another job names nothing', async () => {
    const rig = start();
    rig.script.submit = [acceptance(rig.clock, 'base'), lostAnswer];
    await rig.enqueue(anImage);
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    rig.engine.hint(id, '{"taskId":"base"}');
    expect(rig.job(id).remoteId).toBeUndefined();
    expect(rig.engine.wantsHint(id)).toBe(true);
  });

  test('a webhook tells nothing new of a task that is known', async () => {
    const rig = start();
    rig.script.submit = [acceptance(rig.clock)];
    rig.script.poll = [{ type: 'running' }, { type: 'running' }];
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'running');
    expect(rig.engine.wantsHint(id)).toBe(false);
    rig.engine.hint(id, '{"id":"another"}');
    expect(rig.job(id).remoteId).toBe('task-1');
  });

  test('a job says why nothing can be looked up, and says it no more when a task is known', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    expect(rig.job(id).cannotLookUp).toBe(
      'The answer was lost before a task id came, so there is nothing to ask about.',
    );
    rig.engine.hint(id, '{"id":"178"}');
    expect(rig.job(id).cannotLookUp).toBeUndefined();
  });

  test('what is counted in doubt is what is listed, whatever its state', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer, lostAnswer, acceptance(rig.clock), lostAnswer];
    const lost = await rig.enqueue(aVideo);
    await rig.engine.resolve(lost.id, 'lost');
    const open = await rig.enqueue(aVideo);
    const canceled = await rig.enqueue(aVideo);
    await rig.until(canceled.id, ({ state }) => state === 'running');
    rig.engine.cancel(canceled.id);
    rig.activate('sandbox');
    const toy = await rig.enqueue(aVideo);
    await rig.until(toy.id, ({ state }) => state === 'uncertain');
    expect(rig.engine.status()).toMatchObject({
      doubt: { count: 1, nano: VIDEO_NANO },
      doubtElsewhere: { count: 3, nano: 3 * VIDEO_NANO },
    });
    const listed = (play: boolean) => rig.engine.list({ limit: 10, costInDoubt: true, play });
    expect(listed(true).jobs.map(({ id }) => id)).toEqual([toy.id]);
    expect(
      listed(false)
        .jobs.map(({ id }) => id)
        .sort(),
    ).toEqual([lost.id, open.id, canceled.id].sort());
  });

  test('counted as lost: it ends, and what it may have cost stays on the record', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'lost');
    expect(rig.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, chargedNano: 0 } });
    expect(rig.engine.status().doubt).toEqual({ count: 1, nano: VIDEO_NANO, unpriced: 0 });
    expect((await rig.engine.resolve(id, 'resend')).ok).toBe(false);
  });

  test('sent again knowingly: one more attempt under the same key, a second reservation', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer, lostAnswer];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'resend');
    await settle();
    expect(rig.job(id).attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(new Set(rig.script.keys).size).toBe(1);
    expect(rig.job(id).money.uncertainNano).toBe(2 * VIDEO_NANO);
  });

  test('sent again and answered: the second order is charged, the first stays in doubt, since it may be billed too', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer, acceptance(rig.clock)];
    rig.script.poll = [finished()];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'resend');
    expect((await rig.untilEnd(id)).money).toMatchObject({
      reservedNano: 0,
      chargedNano: VIDEO_NANO,
      uncertainNano: VIDEO_NANO,
    });
    expect(sums(rig)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO, reservedNano: 0 });
  });

  /** Bug: what the acceptance of an earlier order stated is charged for a later one that states nothing. */
  test('sent again: what the first order stated is not the cost of the second', async () => {
    const stated = { by: 'usage.cost', as: '1.7 USD', nano: 1_700_000_000 };
    const first = { ...acceptance(new TestClock(), 'first'), stated };
    const rig = start();
    rig.script.submit = [first, acceptance(rig.clock, 'second')];
    rig.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'uncertain');
    rig.script.poll = [finished()];
    await rig.engine.resolve(id, 'resend');
    const { money } = await rig.untilEnd(id);
    expect(money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: stated.nano });
    expect(money).not.toHaveProperty('statedNano');
    expect(money).not.toHaveProperty('statedBy');
  });

  test('sent again and refused: only the second order is known to cost nothing', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer, refusal({ status: 400, kind: 'invalid' })];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'resend');
    await settle();
    expect(rig.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO, reservedNano: 0 } });
  });

  test('sent again, and the service names the task it already had: one order, nothing is left in doubt', async () => {
    const rig = start();
    rig.script.submit = [acceptance(rig.clock, 'same'), acceptance(rig.clock, 'same')];
    rig.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'uncertain');
    rig.script.poll = [finished()];
    await rig.engine.resolve(id, 'resend');
    expect((await rig.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  test('a task the service forgets is in doubt after the grace period, and a look-up can still find it', async () => {
    const rig = start();
    rig.script.submit = [acceptance(rig.clock)];
    rig.script.poll = Array.from({ length: 30 }, () => ({ type: 'missing' as const }));
    const { id } = await rig.enqueue(aVideo);
    await rig.clock.advance(50_000);
    expect(rig.job(id).state).toBe('running');
    await rig.clock.advance(60_000);
    expect(rig.job(id).state).toBe('uncertain');
    rig.script.poll = [finished()];
    await rig.engine.resolve(id, 'lookup');
    expect(await rig.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
    });
  });

  test('no answer for 65 minutes is doubt; failed polls before that are not', async () => {
    const rig = start();
    rig.script.submit = [acceptance(rig.clock)];
    rig.script.gateway.poll = async () => ({ type: 'unreachable', error: error({ kind: 'network' }) });
    const { id } = await rig.enqueue(aVideo);
    await rig.clock.advance(64 * 60_000);
    expect(rig.job(id).state).toBe('running');
    await rig.clock.advance(2 * 60_000);
    expect(rig.job(id).state).toBe('uncertain');
  });
});

test('canceled after it was sent twice: the one that is found made is charged once, the other stays in doubt', async () => {
  const rig = start({ script: { gateway: { poll: async () => finished('gs://made/one.mp4') } } });
  rig.script.submit = [lostAnswer, acceptance(rig.clock)];
  const { id } = await rig.enqueue(aVideo);
  await rig.engine.resolve(id, 'resend');
  await settle();
  rig.engine.cancel(id);
  await rig.clock.advance(7_200_000);
  expect(rig.job(id)).toMatchObject({
    state: 'canceled',
    money: { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO, reservedNano: 0 },
  });
  expect(rig.job(id).outputs).toHaveLength(1);
});

test('to be sent again the next day, and canceled unsent: what turns out made is charged to the day of its own doubt', async () => {
  const clock = new TestClock(new Date(2026, 10, 21, 23, 50).getTime());
  const rig = start({ clock, script: { gateway: { poll: async () => finished('gs://made/one.mp4') } } });
  const task = { id: 't', kind: 'video' as const, acceptedAt: clock.now() };
  rig.script.submit = [{ type: 'unknown', error: error({ accepted: 'unknown' }), task }];
  const { id } = await rig.enqueue(aVideo);
  rig.engine.setPaused(true);
  await clock.advance(20 * 60_000);
  await rig.engine.resolve(id, 'resend');
  expect(rig.job(id)).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
  rig.engine.cancel(id);
  rig.engine.poke(id);
  await rig.until(id, ({ money }) => money.chargedNano > 0);
  expect(totals(rig.store.read, 'day', {}).rows).toMatchObject([
    { key: '2026-11-21', settledNano: VIDEO_NANO, uncertainNano: 0 },
    { key: '2026-11-22', settledNano: 0, reservedNano: 0, uncertainNano: 0 },
  ]);
});

describe('when the bill has come', () => {
  test('a canceled order is not settled while its answer is awaited, which would be charged beside the bill', async () => {
    let answer: (outcome: SubmitOutcome) => void = () => undefined;
    const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
    const rig = start({ script: { gateway: { submitVideo } } });
    const { id } = await rig.enqueue(aVideo);
    rig.engine.cancel(id);
    expect(rig.engine.settleDoubt(id, VIDEO_NANO)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    answer({ ...finished('gs://made/one.mp4'), type: 'done' });
    await settle();
    expect(rig.job(id).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(rig.engine.settleDoubt(id, VIDEO_NANO).ok).toBe(false);
  });

  test('an order counted as lost is settled as the bill says, and is found until then', async () => {
    const rig = start();
    rig.script.submit = [lostAnswer];
    const { id } = await rig.enqueue(aVideo);
    expect(rig.engine.settleDoubt(id, 0)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    await rig.engine.resolve(id, 'lost');
    expect(rig.engine.list({ limit: 10, costInDoubt: true }).jobs.map((job) => job.id)).toEqual([id]);
    rig.engine.settleDoubt(id, 1_234_567_891);
    expect(rig.job(id)).toMatchObject({ state: 'failed', money: { chargedNano: 1_234_567_891, uncertainNano: 0 } });
    expect(sums(rig)).toMatchObject({ settledNano: 1_234_567_891, settledLowNano: 1_234_567_891, uncertainNano: 0 });
    expect(rig.engine.list({ limit: 10, costInDoubt: true }).total).toBe(0);
    expect(rig.engine.settleDoubt(id, 1)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  });

  test('an order sent twice knowingly: the first was not billed, the second keeps its charge', async () => {
    const rig = start({ script: { gateway: { poll: async () => finished('gs://made/one.mp4') } } });
    rig.script.submit = [lostAnswer, acceptance(rig.clock)];
    const { id } = await rig.enqueue(aVideo);
    await rig.engine.resolve(id, 'resend');
    expect(await rig.untilEnd(id)).toMatchObject({ money: { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO } });
    rig.engine.settleDoubt(id, 0);
    expect(sums(rig)).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
  });
});
