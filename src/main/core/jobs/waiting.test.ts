import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { setBudget, totals } from '../ledger/index.ts';

const start = engineHarnesses();

describe('midnight', () => {
  const MINUTE_MS = 60_000;
  const justBefore = () => new TestClock(new Date(2026, 10, 21, 23, 59).getTime());
  const cap = (harness: EngineHarness, hardNano: number) =>
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano }));
  const days = (harness: EngineHarness) =>
    totals(harness.store.read, 'day', {}).rows.map(({ key, settledNano }) => [key, settledNano]);

  test('money reserved yesterday has to fit under the cap of the day on which the job is sent', async () => {
    const harness = start({ clock: justBefore() });
    cap(harness, VIDEO_NANO);
    harness.engine.commands.setPaused(true);
    const first = await harness.enqueue(aVideo);
    await harness.clock.advance(2 * MINUTE_MS);
    const second = await harness.enqueue(aVideo);
    expect(harness.job(second.id)).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [finished()];
    harness.engine.commands.setPaused(false);
    await harness.untilEnd(second.id);
    expect(harness.script.sent).toBe(1);
    expect(harness.job(first.id)).toMatchObject({ state: 'blocked', reason: 'budget', money: { reservedNano: 0 } });
    expect(days(harness).at(-1)).toEqual(['2026-11-22', VIDEO_NANO]);
  });

  test('a job that did not fit under the day’s cap goes on at midnight by itself', async () => {
    const harness = start({ clock: justBefore() });
    cap(harness, VIDEO_NANO);
    harness.script.submit = [acceptance(harness.clock)];
    harness.script.poll = [finished()];
    await harness.untilEnd((await harness.enqueue(aVideo)).id);
    const { id } = await harness.enqueue(aVideo);
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    harness.script.submit = [acceptance(harness.clock, 'next')];
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).finishedAt).toBeGreaterThanOrEqual(new Date(2026, 10, 22).getTime());
    expect(days(harness).at(-1)).toEqual(['2026-11-22', VIDEO_NANO]);
  });

  test('the new day’s money is reserved in the order of the queue', async () => {
    const harness = start({ clock: justBefore(), profile: { limits: { videosAtOnce: 1 } } });
    cap(harness, 2 * VIDEO_NANO);
    harness.script.submit = [acceptance(harness.clock)];
    const made = await harness.engine.commands.enqueue({ requests: [aVideo, aVideo, aVideo, aVideo] });
    const ids = made.ok ? made.data.jobs.map(({ id }) => id) : [];
    const states = () => ids.map((id) => harness.job(id).reason ?? harness.job(id).state);
    await settle();
    expect(states()).toEqual(['running', 'queued', 'budget', 'budget']);
    await harness.clock.advance(2 * MINUTE_MS);
    expect(states()).toEqual(['running', 'queued', 'queued', 'budget']);
  });

  test('an answer after midnight counts against the day whose cap allowed the job', async () => {
    const harness = start({ clock: justBefore() });
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    await harness.clock.advance(2 * MINUTE_MS);
    harness.script.poll = [finished()];
    await harness.untilEnd(id);
    expect(days(harness)).toEqual([['2026-11-21', VIDEO_NANO]]);
  });
});

describe('the order of the queue', () => {
  const order = (harness: EngineHarness, ids: string[]) =>
    ids
      .map((id) => harness.job(id))
      .sort((a, b) => a.position - b.position)
      .map(({ id }) => ids.indexOf(id));

  test('a new job is behind those that were moved to the end', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const ids = [(await harness.enqueue(aVideo)).id, (await harness.enqueue(aVideo)).id];
    harness.engine.commands.move(ids[0] ?? '', undefined);
    harness.engine.commands.move(ids[1] ?? '', undefined);
    ids.push((await harness.enqueue(aVideo)).id);
    expect(order(harness, ids)).toEqual([0, 1, 2]);
  });

  test('two jobs can be moved in front of a third repeatedly without ever having the same position', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const ids = [
      (await harness.enqueue(aVideo)).id,
      (await harness.enqueue(aVideo)).id,
      (await harness.enqueue(aVideo)).id,
    ];
    const [a = '', b = '', c = ''] = ids;
    for (let n = 0; n < 80; n++) {
      expect(harness.engine.commands.move(n % 2 === 0 ? a : b, c).ok).toBe(true);
      expect(order(harness, ids)).toEqual(n % 2 === 0 ? [1, 0, 2] : [0, 1, 2]);
    }
  });
});

test('a canceled task is polled for its cost, but not forever', async () => {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  harness.engine.commands.cancel(id);
  await harness.clock.advance(66 * 60_000);
  const asked = harness.script.polled;
  expect(asked).toBeGreaterThan(100);
  await harness.clock.advance(60 * 60_000);
  expect(harness.script.polled).toBe(asked);
  expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: VIDEO_NANO } });
});

test('a task whose key was removed waits for the key, and stays open at its gateway', async () => {
  let hasKey = true;
  const harness = start({ hasKey: () => hasKey });
  harness.script.submit = [acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  expect(harness.job(id).state).toBe('running');
  hasKey = false;
  await harness.clock.advance(66 * 60_000);
  expect(harness.job(id)).toMatchObject({ state: 'running', reason: 'key', money: { reservedNano: VIDEO_NANO } });
  expect(harness.engine.queries.openJobs('p')).toBe(1);
  expect(harness.engine.queries.jobsAtService('p')).toBe(1);
});

test('a job enqueued behind one that has ended without a result fails at once, unsent', async () => {
  const harness = start();
  const first = await harness.enqueue(aVideo, { notBefore: harness.clock.now() + 60_000 });
  harness.engine.commands.cancel(first.id);
  const behind = await harness.enqueue(aVideo, { dependsOn: [first.id] });
  expect(harness.job(behind.id)).toMatchObject({
    state: 'failed',
    error: { kind: 'invalid' },
    money: { reservedNano: 0 },
  });
  expect(harness.script.sent).toBe(0);
});
