import { describe, expect, test, vi } from 'vitest';
import { acceptance, error, finished, startEngine, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { PollOutcome, RemoteTask } from '../../gateway/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const MINUTE_MS = 60_000;
const many = (outcome: PollOutcome, count = 2_000) => Array<PollOutcome>(count).fill(outcome);
const running: PollOutcome = { type: 'running' };
const missing: PollOutcome = { type: 'missing' };
const unreachable: PollOutcome = { type: 'unreachable', error: error({ kind: 'network', retryable: true }) };
const aVideo = (poll: PollOutcome[] = [], options: JobOptions = {}) => aJob({ state: 'running', poll, ...options });

/** Tasks that are polled: every poll takes 60 ms and returns what the test decides; `most` is the maximum in flight. */
async function withTasks(count: number, says: (task: RemoteTask) => PollOutcome = () => running) {
  const clock = new TestClock();
  const seen = { looks: [] as { id: string; at: number }[], most: 0 };
  let inFlight = 0;
  const poll = async (task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> => {
    inFlight += 1;
    seen.most = Math.max(seen.most, inFlight);
    seen.looks.push({ id: task.id, at: clock.now() });
    await new Promise<void>((done) => {
      clock.after(60, done);
      signal?.addEventListener('abort', () => done());
    });
    inFlight -= 1;
    return says(task);
  };
  const harness = start({ clock, profile: { limits: { imagesAtOnce: 1_000 } }, script: { gateway: { poll } } });
  harness.script.submit = Array.from({ length: count }, (_, n) => acceptance(clock, `task-${n}`));
  const ids = await harness.many(count, { kind: 'imagine', prompt: 'A quay' });
  return { harness, clock, seen, ids };
}

test('a clock that is set back puts no poll off', async () => {
  const { clock, seen } = await withTasks(1);
  await clock.advance(60_000);
  const before = seen.looks.length;
  clock.set(clock.now() - 2 * 3_600_000);
  await clock.advance(60_000);
  expect(before).toBeGreaterThan(0);
  expect(seen.looks.length).toBeGreaterThan(before);
});

test.each([
  ['running', 66 * MINUTE_MS],
  ['missing', 3 * MINUTE_MS],
] as const)('a task that stays %s is in doubt as soon as ever, though the clock is set back', async (type, ms) => {
  const { harness, clock, ids } = await withTasks(1, () => ({ type }));
  await clock.advance(30_000);
  clock.set(clock.now() - 24 * 3_600_000);
  await clock.advance(ms);
  expect(harness.job(ids[0] ?? '').state).toBe('uncertain');
});

test('a thousand running tasks are polled no more than 70 times in any second, 8 at once, in turn, with one write for all', async () => {
  const { harness, clock, seen, ids } = await withTasks(1_000);
  await clock.advance(2_000);
  const writes = [vi.spyOn(harness.store, 'transaction'), vi.spyOn(harness.store, 'grouped')];
  await clock.advance(60_000);
  const { looks, most } = seen;
  expect(most).toBeLessThanOrEqual(8);
  for (const [n, { at }] of looks.entries()) expect((looks[n + 70]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(1_000);
  expect(looks.length).toBeGreaterThan(28 * 60);
  const byTask = new Map<string, number[]>();
  for (const { id, at } of looks) byTask.set(id, [...(byTask.get(id) ?? []), at]);
  expect(byTask.size).toBe(1_000);
  const gaps = [...byTask.values()].flatMap((at) => at.slice(1).map((time, n) => time - (at[n] ?? 0)));
  expect(Math.max(...gaps)).toBeLessThan(38_000);
  expect(writes.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  // A requested poll goes before all others.
  const before = looks.length;
  harness.coreEvents.emit('webhook.received', ids[900] ?? '');
  await clock.advance(600);
  expect(looks.slice(before, before + 9).map(({ id }) => id)).toContain(harness.job(ids[900] ?? '').remoteId);
});

test('a few tasks are polled by their age: every 3 s, after half a minute every 5 s, after two minutes every 10 s', async () => {
  const { clock, seen } = await withTasks(3);
  const secondsBetween: number[] = [];
  for (const seconds of [30, 90, 120]) {
    const before = seen.looks.length;
    await clock.advance(seconds * 1_000);
    secondsBetween.push(Math.round(seconds / ((seen.looks.length - before) / 3)));
  }
  expect(secondsBetween).toEqual([3, 5, 10]);
});

describe('a webhook', () => {
  test('a thousand times, for a task that has ended: one poll, and a late one changes nothing', async () => {
    const { id, script, clock, coreEvents, now, ends } = await aVideo([running, finished()]);
    await clock.advance(4_000);
    expect(script.polled).toBe(1);
    for (let n = 0; n < 1_000; n++) {
      coreEvents.emit('webhook.received', id);
      if (n % 100 === 0) await settle();
    }
    const done = await ends();
    coreEvents.emit('webhook.received', id);
    await clock.advance(60_000);
    expect(script.polled).toBe(2);
    expect(now()).toEqual(done);
  });

  test('repeated without changes is polled less and less; the first one with a change is followed at once', async () => {
    const { id, script, clock, coreEvents, until } = await aVideo();
    await clock.advance(5_000);
    const before = script.polled;
    for (let n = 0; n < 600; n++) {
      coreEvents.emit('webhook.received', id);
      await clock.advance(100);
    }
    expect(script.polled - before).toBeLessThan(15);
    script.poll = [{ type: 'running', progress: 50 }, finished()];
    coreEvents.emit('webhook.received', id);
    await until(id, ({ progress }) => progress === 50);
    coreEvents.emit('webhook.received', id);
    const { polled } = script;
    await clock.advance(1_000);
    expect(script.polled).toBe(polled + 1);
  });

  test('for a job that was never accepted, or does not exist, does nothing', async () => {
    const { id, script, clock, coreEvents, now } = await aJob({ state: 'uncertain' });
    for (const which of [id, 'job_none']) coreEvents.emit('webhook.received', which);
    await clock.advance(500);
    expect([script.polled, now().state]).toEqual([0, 'uncertain']);
  });
});

test('after 65 minutes a job is in doubt; a lookup that finds it running gives it another 65', async () => {
  const { script, clock, now, resolve } = await aVideo();
  await clock.advance(66 * MINUTE_MS);
  expect(now().state).toBe('uncertain');
  const asked = script.polled;
  await clock.advance(10 * MINUTE_MS);
  expect(script.polled).toBe(asked);
  await resolve('lookup');
  expect(now().state).toBe('running');
  await clock.advance(64 * MINUTE_MS);
  expect(now().state).toBe('running');
  await clock.advance(2 * MINUTE_MS);
  expect(now().state).toBe('uncertain');
});

describe('a task that was accepted long ago', () => {
  /** A video that was accepted in an earlier run, ten hours ago; the new run begins here. */
  async function nextMorning(poll: PollOutcome[], canceled = false) {
    const { id, clock, dataDir, cancel, close } = await aVideo([], { open: startEngine });
    if (canceled) cancel();
    const closing = close();
    await clock.advance(10_000);
    await closing;
    await clock.advance(10 * 60 * MINUTE_MS);
    const harness = start({ clock, dataDir, script: { poll } });
    return { harness, clock, id, now: () => harness.job(id) };
  }

  test('is polled on after a restart whose first polls find no service', async () => {
    const { harness, clock, id, now } = await nextMorning([unreachable, unreachable, finished()]);
    await clock.advance(3_500);
    expect(now()).toMatchObject({ state: 'running', money: { uncertainNano: 0 } });
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test('is asked for its cost after a restart where it was canceled', async () => {
    const { harness, id, now } = await nextMorning([unreachable, finished()], true);
    expect(now()).toMatchObject({ state: 'canceled', money: { chargedNano: 0, uncertainNano: VIDEO_NANO } });
    const known = await harness.until(id, ({ money }) => money.uncertainNano === 0);
    expect(known).toMatchObject({ state: 'canceled', money: { chargedNano: VIDEO_NANO }, outputs: [{}] });
  });

  test.each([
    ['is still at work', running],
    ['cannot be reached', unreachable],
  ])('is in doubt after 65 minutes of asking where the service %s', async (_what, outcome) => {
    const { clock, now } = await nextMorning(many(outcome));
    await clock.advance(64 * MINUTE_MS);
    expect(now().state).toBe('running');
    await clock.advance(3 * MINUTE_MS);
    expect(now().state).toBe('uncertain');
  });

  test.each([
    ['says that it is at work', running],
    ['cannot be reached yet', unreachable],
  ])('is polled on after the machine has slept and the service %s', async (_what, outcome) => {
    const { script, clock, now, ends } = await aVideo([unreachable, outcome]);
    await clock.advance(2_000);
    clock.set(clock.now() + 70 * MINUTE_MS);
    await clock.advance(30_000);
    expect(script.polled).toBeGreaterThan(1);
    expect(now().state).toBe('running');
    script.poll = [finished()];
    expect((await ends()).state).toBe('succeeded');
  });

  test('is not given up by a poll that fails between others that are answered', async () => {
    const { script, clock, ends } = await aVideo(many(unreachable));
    await clock.advance(60 * MINUTE_MS);
    script.poll = [running, ...many(unreachable)];
    await clock.advance(6 * MINUTE_MS);
    script.poll = [finished()];
    expect((await ends()).state).toBe('succeeded');
  });
});

describe('a task whose service was away for so long that it is in doubt', () => {
  const settled = { state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 } };

  async function lost(options: JobOptions = {}) {
    const one = await aVideo(many(unreachable), options);
    await one.clock.advance(66 * MINUTE_MS);
    expect(one.now()).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
    return one;
  }

  test('is asked for once a minute, and settled as soon as the service answers; nothing is sent', async () => {
    const { script, clock, now } = await lost();
    const asked = script.polled;
    await clock.advance(30 * MINUTE_MS);
    expect(script.polled - asked).toBeGreaterThan(20);
    expect(script.polled - asked).toBeLessThanOrEqual(40);
    script.poll = [finished()];
    await clock.advance(2 * MINUTE_MS);
    expect(now()).toMatchObject(settled);
    expect(script.sent).toBe(1);
  });

  test('is asked for after a restart too', async () => {
    const { id, clock, dataDir, close } = await lost({ open: startEngine });
    const closing = close();
    await clock.advance(10_000);
    await closing;
    const next = start({ clock, dataDir, script: { poll: [...many(unreachable, 3), finished()] } });
    await clock.advance(10 * MINUTE_MS);
    expect(next.job(id)).toMatchObject(settled);
    expect(next.script.sent).toBe(0);
  });

  test.each<[string, PollOutcome, number]>([
    ['once the service does not know it', missing, 5],
    ['after a day', unreachable, 24 * 60],
  ])('is asked for no more %s', async (_, outcome, minutes) => {
    const { script, clock, now } = await lost();
    script.poll = many(outcome);
    await clock.advance(minutes * MINUTE_MS);
    const asked = script.polled;
    await clock.advance(60 * MINUTE_MS);
    expect([script.polled, now().state]).toEqual([asked, 'uncertain']);
  });

  test('is asked for no more where it was counted as lost', async () => {
    const { script, clock, now, resolve } = await lost();
    await resolve('lost');
    script.poll = many(finished(), 9);
    await clock.advance(5 * MINUTE_MS);
    expect(now()).toMatchObject({ state: 'failed', outputs: [] });
  });

  test('which its service calls running for good is found again at starts of one day alone', async () => {
    const { id, clock, dataDir, now, harness: first } = await aVideo(many(running), { open: startEngine });
    await clock.advance(66 * MINUTE_MS);
    expect(now().state).toBe('uncertain');
    let harness = first;
    const again = async (): Promise<string> => {
      const closing = harness.close();
      await clock.advance(10_000);
      await closing;
      harness = startEngine({ clock, dataDir, script: { poll: many(running) } });
      await clock.advance(MINUTE_MS);
      return harness.job(id).state;
    };
    expect(await again()).toBe('running');
    await clock.advance(12 * 60 * MINUTE_MS);
    expect(await again()).toBe('running');
    await clock.advance(12 * 60 * MINUTE_MS);
    expect(await again()).toBe('uncertain');
    expect(harness.script.polled).toBe(0);
    await harness.close();
  });
});
