import { describe, expect, test } from 'vitest';
import { acceptance, aVideo, finished, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { setBudget, totals } from '../ledger/index.ts';

const start = rigsOfThisFile();

describe('midnight', () => {
  const MINUTE_MS = 60_000;
  const justBefore = () => new TestClock(new Date(2026, 10, 21, 23, 59).getTime());
  const cap = (rig: Rig, hardNano: number) => rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano }));
  const days = (rig: Rig) => totals(rig.store.read, 'day', {}).rows.map(({ key, settledNano }) => [key, settledNano]);

  test('what was set aside yesterday has to fit under the cap of the day it is sent on', async () => {
    const rig = start({ clock: justBefore() });
    cap(rig, VIDEO_NANO);
    rig.engine.setPaused(true);
    const first = await rig.enqueue(aVideo);
    await rig.clock.advance(2 * MINUTE_MS);
    const second = await rig.enqueue(aVideo);
    expect(rig.job(second.id)).toMatchObject({ reason: 'paused', money: { reservedNano: VIDEO_NANO } });
    rig.script.submit = [acceptance(rig.clock)];
    rig.script.poll = [finished()];
    rig.engine.setPaused(false);
    await rig.untilEnd(second.id);
    expect(rig.script.sent).toBe(1);
    expect(rig.job(first.id)).toMatchObject({ state: 'blocked', reason: 'budget', money: { reservedNano: 0 } });
    expect(days(rig).at(-1)).toEqual(['2026-11-22', VIDEO_NANO]);
  });

  test('what did not fit under the cap of the day goes on at midnight by itself', async () => {
    const rig = start({ clock: justBefore() });
    cap(rig, VIDEO_NANO);
    rig.script.submit = [acceptance(rig.clock)];
    rig.script.poll = [finished()];
    await rig.untilEnd((await rig.enqueue(aVideo)).id);
    const { id } = await rig.enqueue(aVideo);
    expect(rig.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    rig.script.submit = [acceptance(rig.clock, 'next')];
    rig.script.poll = [finished()];
    expect((await rig.untilEnd(id)).finishedAt).toBeGreaterThanOrEqual(new Date(2026, 10, 22).getTime());
    expect(days(rig).at(-1)).toEqual(['2026-11-22', VIDEO_NANO]);
  });

  test('the new day is shared out in the order of the queue', async () => {
    const rig = start({ clock: justBefore(), profile: { limits: { videosAtOnce: 1 } } });
    cap(rig, 2 * VIDEO_NANO);
    rig.script.submit = [acceptance(rig.clock)];
    const made = await rig.engine.enqueue({ requests: [aVideo, aVideo, aVideo, aVideo] });
    const ids = made.ok ? made.data.jobs.map(({ id }) => id) : [];
    const states = () => ids.map((id) => rig.job(id).reason ?? rig.job(id).state);
    await settle();
    expect(states()).toEqual(['running', 'queued', 'budget', 'budget']);
    await rig.clock.advance(2 * MINUTE_MS);
    expect(states()).toEqual(['running', 'queued', 'queued', 'budget']);
  });

  test('an answer after midnight counts to the day whose cap let it go', async () => {
    const rig = start({ clock: justBefore() });
    rig.script.submit = [acceptance(rig.clock)];
    const { id } = await rig.enqueue(aVideo);
    await rig.clock.advance(2 * MINUTE_MS);
    rig.script.poll = [finished()];
    await rig.untilEnd(id);
    expect(days(rig)).toEqual([['2026-11-21', VIDEO_NANO]]);
  });
});

describe('the order of the queue', () => {
  const order = (rig: Rig, ids: string[]) =>
    ids
      .map((id) => rig.job(id))
      .sort((a, b) => a.position - b.position)
      .map(({ id }) => ids.indexOf(id));

  test('a new job stands behind those that were moved to the end', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    const ids = [(await rig.enqueue(aVideo)).id, (await rig.enqueue(aVideo)).id];
    rig.engine.move(ids[0] ?? '', undefined);
    rig.engine.move(ids[1] ?? '', undefined);
    ids.push((await rig.enqueue(aVideo)).id);
    expect(order(rig, ids)).toEqual([0, 1, 2]);
  });

  test('two jobs can be moved in front of a third again and again without ever standing on one place', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    const ids = [(await rig.enqueue(aVideo)).id, (await rig.enqueue(aVideo)).id, (await rig.enqueue(aVideo)).id];
    const [a = '', b = '', c = ''] = ids;
    for (let n = 0; n < 80; n++) {
      expect(rig.engine.move(n % 2 === 0 ? a : b, c).ok).toBe(true);
      expect(order(rig, ids)).toEqual(n % 2 === 0 ? [1, 0, 2] : [0, 1, 2]);
    }
  });
});

test('a canceled task is asked after for its bill, but not for ever', async () => {
  const rig = start();
  rig.script.submit = [acceptance(rig.clock)];
  const { id } = await rig.enqueue(aVideo);
  rig.engine.cancel(id);
  await rig.clock.advance(66 * 60_000);
  const asked = rig.script.polled;
  expect(asked).toBeGreaterThan(100);
  await rig.clock.advance(60 * 60_000);
  expect(rig.script.polled).toBe(asked);
  expect(rig.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: VIDEO_NANO } });
});

test('a task whose key was taken away is in doubt after 65 minutes, not running for ever', async () => {
  let hasKey = true;
  const rig = start({ hasKey: () => hasKey });
  rig.script.submit = [acceptance(rig.clock)];
  const { id } = await rig.enqueue(aVideo);
  expect(rig.job(id).state).toBe('running');
  hasKey = false;
  await rig.clock.advance(60 * 60_000);
  expect(rig.job(id).state).toBe('running');
  await rig.clock.advance(6 * 60_000);
  await settle();
  expect(rig.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
  expect(rig.engine.openJobs('p')).toBe(1);
  expect(rig.engine.ordersAtService('p')).toBe(1);
});

test('what is enqueued behind a job that has ended without a result fails at once, unsent', async () => {
  const rig = start();
  const first = await rig.enqueue(aVideo, { notBefore: rig.clock.now() + 60_000 });
  rig.engine.cancel(first.id);
  const behind = await rig.enqueue(aVideo, { dependsOn: [first.id] });
  expect(rig.job(behind.id)).toMatchObject({ state: 'failed', error: { kind: 'invalid' }, money: { reservedNano: 0 } });
  expect(rig.script.sent).toBe(0);
});
