import { describe, expect, test, vi } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  startEngine,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { PollOutcome, RemoteTask } from '../../gateway/index.ts';

const start = engineHarnesses();
const imagine: StudioRequest = { kind: 'imagine', prompt: 'A quay' };

interface Look {
  id: string;
  at: number;
}

/** Every poll, with the maximum in flight; each takes 60 ms and returns what the test decides. */
function watched(clock: TestClock, says: (task: RemoteTask) => PollOutcome = () => ({ type: 'running' })) {
  const looks: Look[] = [];
  const seen = { looks, most: 0 };
  let now = 0;
  const poll = async (task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> => {
    now += 1;
    seen.most = Math.max(seen.most, now);
    looks.push({ id: task.id, at: clock.now() });
    await new Promise<void>((done) => {
      clock.after(60, done);
      signal?.addEventListener('abort', () => done());
    });
    now -= 1;
    return says(task);
  };
  return { seen, poll };
}

async function withTasks(count: number, says?: (task: RemoteTask) => PollOutcome) {
  const clock = new TestClock();
  const { seen, poll } = watched(clock, says);
  const profile = { limits: { imagesAtOnce: 1_000 } };
  const harness = start({ clock, profile, script: { gateway: { poll } } });
  harness.script.submit = Array.from({ length: count }, (_, n) => ({
    type: 'accepted',
    task: { id: `task-${n}`, kind: 'image', acceptedAt: clock.now() },
  }));
  const made = await harness.engine.commands.enqueue({ requests: Array.from({ length: count }, () => imagine) });
  if (!made.ok) throw new Error(made.error.message);
  const ids = made.data.jobs.map(({ id }) => id);
  await settle();
  return { harness, clock, seen, ids };
}

const byTask = (looks: Look[]): Map<string, number[]> => {
  const times = new Map<string, number[]>();
  for (const { id, at } of looks) times.set(id, [...(times.get(id) ?? []), at]);
  return times;
};

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
  ['running', 66 * 60_000],
  ['missing', 3 * 60_000],
] as const)('a task that stays %s is in doubt as soon as ever, though the clock is set back', async (type, ms) => {
  const { harness, clock, ids } = await withTasks(1, () => ({ type }));
  await clock.advance(30_000);
  clock.set(clock.now() - 24 * 3_600_000);
  await clock.advance(ms);
  expect(harness.job(ids[0] ?? '').state).toBe('uncertain');
});

describe('a thousand running tasks', () => {
  test('are polled no more than 70 times in any second, 8 at once, in turn, without a write', async () => {
    const { harness, clock, seen } = await withTasks(1_000);
    await clock.advance(2_000);
    const writes = [vi.spyOn(harness.store, 'transaction'), vi.spyOn(harness.store, 'grouped')];
    await clock.advance(60_000);
    const { looks, most } = seen;
    expect(most).toBeLessThanOrEqual(8);
    for (const [n, { at }] of looks.entries())
      expect((looks[n + 70]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(1_000);
    expect(looks.length).toBeGreaterThan(28 * 60);
    const times = [...byTask(looks).values()];
    expect(times).toHaveLength(1_000);
    const gaps = times.flatMap((at) => at.slice(1).map((time, n) => time - (at[n] ?? 0)));
    expect(Math.max(...gaps)).toBeLessThan(38_000);
    expect(writes.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('a requested poll goes before all others', async () => {
    const { harness, clock, seen, ids } = await withTasks(1_000, ({ id }) =>
      id === 'task-700' ? finished() : { type: 'running' },
    );
    await clock.advance(9_000);
    const before = seen.looks.length;
    harness.coreEvents.emit('webhook.received', ids[900] ?? '');
    await clock.advance(600);
    expect(seen.looks.slice(before, before + 9).map(({ id }) => id)).toContain(harness.job(ids[900] ?? '').remoteId);
  });
});

describe('a few tasks', () => {
  test('are polled by their age: every 3 s, after half a minute every 5 s, after two minutes every 10 s', async () => {
    const { clock, seen } = await withTasks(3);
    const secondsBetween: number[] = [];
    for (const seconds of [30, 90, 120]) {
      const before = seen.looks.length;
      await clock.advance(seconds * 1_000);
      secondsBetween.push(Math.round(seconds / ((seen.looks.length - before) / 3)));
    }
    expect(secondsBetween).toEqual([3, 5, 10]);
  });
});

async function oneVideo(poll: PollOutcome[] = []): Promise<{ harness: EngineHarness; id: string }> {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = poll;
  const { id } = await harness.enqueue(aVideo);
  return { harness, id };
}

describe('a webhook', () => {
  test('a thousand times, for a task that has ended: one poll, and a late one changes nothing', async () => {
    const { harness, id } = await oneVideo([{ type: 'running' }, finished()]);
    await harness.clock.advance(4_000);
    expect(harness.script.polled).toBe(1);
    for (let n = 0; n < 1_000; n++) {
      harness.coreEvents.emit('webhook.received', id);
      if (n % 100 === 0) await settle();
    }
    await harness.untilEnd(id);
    const done = harness.job(id);
    harness.coreEvents.emit('webhook.received', id);
    await harness.clock.advance(60_000);
    expect(harness.script.polled).toBe(2);
    expect(harness.job(id)).toEqual(done);
  });

  test('repeated without changes is polled less and less; the first one with a change is followed at once', async () => {
    const { harness, id } = await oneVideo();
    await harness.clock.advance(5_000);
    const before = harness.script.polled;
    for (let n = 0; n < 600; n++) {
      harness.coreEvents.emit('webhook.received', id);
      await harness.clock.advance(100);
    }
    expect(harness.script.polled - before).toBeLessThan(15);
    harness.script.poll = [{ type: 'running', progress: 50 }, finished()];
    harness.coreEvents.emit('webhook.received', id);
    await harness.until(id, ({ progress }) => progress === 50);
    harness.coreEvents.emit('webhook.received', id);
    const polled = harness.script.polled;
    await harness.clock.advance(1_000);
    expect(harness.script.polled).toBe(polled + 1);
    await harness.untilEnd(id);
  });

  test('for a job in doubt leads to a poll, and the answer ends the doubt', async () => {
    const { harness, id } = await oneVideo(Array.from({ length: 40 }, () => ({ type: 'missing' as const })));
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.script.poll = [finished()];
    harness.coreEvents.emit('webhook.received', id);
    expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
  });

  test('for a job that was never accepted, or does not exist, does nothing', async () => {
    const { harness, id } = await oneVideo();
    const polled = harness.script.polled;
    harness.script.submit = [{ type: 'unknown', error: error({ kind: 'network', accepted: 'unknown' }) }];
    const lost = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    for (const which of [lost.id, 'job_none']) harness.coreEvents.emit('webhook.received', which);
    await harness.clock.advance(500);
    expect(harness.script.polled).toBe(polled);
    expect(harness.job(lost.id).state).toBe('uncertain');
  });
});

test('after 65 minutes a job is in doubt; a lookup that finds it running gives it another 65', async () => {
  const { harness, id } = await oneVideo();
  const MINUTE_MS = 60_000;
  await harness.clock.advance(66 * MINUTE_MS);
  expect(harness.job(id).state).toBe('uncertain');
  const asked = harness.script.polled;
  await harness.clock.advance(10 * MINUTE_MS);
  expect(harness.script.polled).toBe(asked);
  await harness.engine.commands.resolve({ id, as: 'lookup' });
  expect(harness.job(id).state).toBe('running');
  await harness.clock.advance(64 * MINUTE_MS);
  expect(harness.job(id).state).toBe('running');
  await harness.clock.advance(2 * MINUTE_MS);
  expect(harness.job(id).state).toBe('uncertain');
});

describe('a task that was accepted long ago', () => {
  const MINUTE_MS = 60_000;
  const unreachable: PollOutcome = { type: 'unreachable', error: error({ kind: 'network', retryable: true }) };

  /** A video that was accepted in an earlier run, ten hours ago; the new run begins here. */
  async function nextMorning(
    poll: PollOutcome[],
    { hasKey = () => true, canceled = false }: { hasKey?: () => boolean; canceled?: boolean } = {},
  ): Promise<{ harness: EngineHarness; id: string }> {
    const clock = new TestClock();
    const before = startEngine({ clock });
    before.script.submit = [acceptance(clock)];
    const { id } = await before.enqueue(aVideo);
    await clock.advance(500);
    expect(before.job(id).state).toBe('running');
    if (canceled) before.engine.commands.cancel(id);
    const closing = before.close();
    await clock.advance(10_000);
    await closing;
    await clock.advance(10 * 60 * MINUTE_MS);
    return { harness: start({ clock, dataDir: before.dataDir, script: { poll }, hasKey }), id };
  }

  test('is polled on after a restart whose first polls find no service', async () => {
    const { harness, id } = await nextMorning([unreachable, unreachable, finished()]);
    await harness.clock.advance(3_500);
    expect(harness.job(id)).toMatchObject({ state: 'running', money: { uncertainNano: 0 } });
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test('waits for its key after a restart', async () => {
    let hasKey = false;
    const { harness, id } = await nextMorning([finished()], { hasKey: () => hasKey });
    await harness.clock.advance(5 * MINUTE_MS);
    expect(harness.job(id).state).toBe('running');
    hasKey = true;
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test.each([
    ['is still at work', { type: 'running' as const }],
    ['cannot be reached', unreachable],
  ])('is in doubt after 65 minutes of asking where the service %s', async (_what, outcome) => {
    const { harness, id } = await nextMorning(Array.from({ length: 1_000 }, () => outcome));
    await harness.clock.advance(64 * MINUTE_MS);
    expect(harness.job(id).state).toBe('running');
    await harness.clock.advance(3 * MINUTE_MS);
    expect(harness.job(id).state).toBe('uncertain');
  });

  test.each([
    ['says that it is at work', { type: 'running' as const }],
    ['cannot be reached yet', unreachable],
  ])('is polled on after the machine has slept and the service %s', async (_what, outcome) => {
    const { harness, id } = await oneVideo([unreachable, outcome]);
    await harness.clock.advance(2_000);
    harness.clock.set(harness.clock.now() + 70 * MINUTE_MS);
    await harness.clock.advance(30_000);
    expect(harness.script.polled).toBeGreaterThan(1);
    expect(harness.job(id).state).toBe('running');
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test('is not given up by a poll that fails between others that are answered', async () => {
    const { harness, id } = await oneVideo(Array.from({ length: 1_000 }, () => unreachable));
    await harness.clock.advance(60 * MINUTE_MS);
    harness.script.poll = [{ type: 'running' }, ...Array.from({ length: 1_000 }, () => unreachable)];
    await harness.clock.advance(6 * MINUTE_MS);
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test('is asked for its cost after a restart where it was canceled, for 65 minutes', async () => {
    const { harness, id } = await nextMorning([unreachable, finished()], { canceled: true });
    expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: 0, uncertainNano: VIDEO_NANO } });
    const known = await harness.until(id, ({ money }) => money.uncertainNano === 0);
    expect(known).toMatchObject({ state: 'canceled', money: { chargedNano: VIDEO_NANO }, outputs: [{}] });
    const still = await nextMorning([], { canceled: true });
    await still.harness.clock.advance(66 * MINUTE_MS);
    const asked = still.harness.script.polled;
    expect(asked).toBeGreaterThan(100);
    await still.harness.clock.advance(60 * MINUTE_MS);
    expect(still.harness.script.polled).toBe(asked);
  });
});

describe('a task whose service was away for so long that it is in doubt', () => {
  const MINUTE_MS = 60_000;
  const away = (): PollOutcome[] =>
    Array.from({ length: 2_000 }, () => ({ type: 'unreachable', error: error({ kind: 'network', retryable: true }) }));
  const settled = { state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 } };

  async function lost(): Promise<{ harness: EngineHarness; id: string }> {
    const { harness, id } = await oneVideo(away());
    await harness.clock.advance(66 * MINUTE_MS);
    expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
    return { harness, id };
  }

  test('is asked for once a minute, and settled as soon as the service answers; nothing is sent', async () => {
    const { harness, id } = await lost();
    const asked = harness.script.polled;
    await harness.clock.advance(30 * MINUTE_MS);
    expect(harness.script.polled - asked).toBeGreaterThan(20);
    expect(harness.script.polled - asked).toBeLessThanOrEqual(40);
    harness.script.poll = [finished()];
    await harness.clock.advance(2 * MINUTE_MS);
    expect(harness.job(id)).toMatchObject(settled);
    expect(harness.script.sent).toBe(1);
  });

  test('is asked for after a restart too', async () => {
    const { harness: before, id } = await lost();
    const closing = before.close();
    await before.clock.advance(10_000);
    await closing;
    const { clock, dataDir } = before;
    const harness = start({ clock, dataDir, script: { poll: [...away().slice(0, 3), finished()] } });
    await clock.advance(10 * MINUTE_MS);
    expect(harness.job(id)).toMatchObject(settled);
    expect(harness.script.sent).toBe(0);
  });

  test('is asked for no more once the service does not know it', async () => {
    const { harness, id } = await lost();
    harness.script.poll = Array.from({ length: 1_000 }, () => ({ type: 'missing' as const }));
    await harness.clock.advance(5 * MINUTE_MS);
    const asked = harness.script.polled;
    await harness.clock.advance(30 * MINUTE_MS);
    expect(harness.script.polled).toBe(asked);
    expect(harness.job(id).state).toBe('uncertain');
  });

  test('is asked for no longer than a day', async () => {
    const { harness, id } = await lost();
    await harness.clock.advance(24 * 60 * MINUTE_MS);
    const asked = harness.script.polled;
    await harness.clock.advance(60 * MINUTE_MS);
    expect(harness.script.polled).toBe(asked);
    expect(harness.job(id).state).toBe('uncertain');
  });

  test('which its service calls running for good is found again at starts of one day alone', async () => {
    const running = () => Array.from({ length: 2_000 }, () => ({ type: 'running' as const }));
    const { harness: first, id } = await oneVideo(running());
    await first.clock.advance(66 * MINUTE_MS);
    expect(first.job(id).state).toBe('uncertain');
    let harness = first;
    const again = async (): Promise<string> => {
      const { clock, dataDir } = harness;
      const closing = harness.close();
      await clock.advance(10_000);
      await closing;
      harness = start({ clock, dataDir, script: { poll: running() } });
      await clock.advance(MINUTE_MS);
      return harness.job(id).state;
    };
    expect(await again()).toBe('running');
    await harness.clock.advance(12 * 60 * MINUTE_MS);
    expect(await again()).toBe('running');
    await harness.clock.advance(12 * 60 * MINUTE_MS);
    expect(await again()).toBe('uncertain');
    expect(harness.script.polled).toBe(0);
  });

  test('is asked for no more where it was counted as lost', async () => {
    const { harness, id } = await lost();
    await harness.engine.commands.resolve({ id, as: 'lost' });
    harness.script.poll = Array.from({ length: 9 }, () => finished());
    await harness.clock.advance(5 * MINUTE_MS);
    expect(harness.job(id)).toMatchObject({ state: 'failed', outputs: [] });
  });
});
