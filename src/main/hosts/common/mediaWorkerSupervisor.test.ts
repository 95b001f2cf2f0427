import { expect, test, vi } from 'vitest';
import { recordingLog, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { createMediaWorkerSupervisor, type MediaWorker } from './mediaWorkerSupervisor.ts';

const GRACE = 3_000;

/** A supervisor with a test clock and workers that live until they are stopped or crash. */
function supervisor(start?: () => Promise<MediaWorker | null>) {
  const clock = new TestClock();
  const crashes: (() => void)[] = [];
  const released: string[][] = [];
  const counts = { started: 0, stopped: 0 };
  let announce: (event: StudioEvent) => void = () => {};
  const supervised = createMediaWorkerSupervisor({
    subscribe: (listener) => {
      announce = listener;
      return () => {
        announce = () => {};
      };
    },
    start:
      start ??
      (async () => {
        counts.started += 1;
        const { promise: gone, resolve } = Promise.withResolvers<void>();
        crashes.push(resolve);
        const stop = async () => {
          counts.stopped += 1;
          resolve();
        };
        return { gone, stop };
      }),
    release: (taskIds) => released.push(taskIds),
    graceMs: GRACE,
    clock,
    log: recordingLog(),
  });
  const work = () => announce({ type: 'media.work' });
  /** Announces work, and waits until a worker is started for it. */
  const begin = async () => {
    work();
    await clock.advance(GRACE);
  };
  const die = () => crashes.at(-1)?.();
  /** Three workers in a row end without a claim. */
  const diesThrice = async () => {
    work();
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(GRACE);
      die();
      await clock.advance(0);
    }
  };
  return { supervised, clock, counts, released, work, begin, die, diesThrice };
}

test('work that no page claims in time gets a worker; work that a page claims does not', async () => {
  const { supervised, clock, counts, work, begin } = supervisor();
  work();
  await clock.advance(GRACE - 1);
  supervised.pageClaims();
  await clock.advance(GRACE);
  expect(counts.started).toBe(0);
  work();
  await begin();
  expect(counts.started).toBe(1);
});

test('a worker that has nothing to do is ended, and one that is in the middle of a long task is not', async () => {
  const { supervised, clock, counts, begin } = supervisor();
  await begin();
  supervised.workerClaims('t1');
  await clock.advance(60_000);
  expect(counts.stopped).toBe(0);
  supervised.workerFinishes();
  supervised.workerClaims(undefined);
  await clock.advance(29_999);
  expect(counts.stopped).toBe(0);
  await clock.advance(1);
  expect(counts.stopped).toBe(1);
  await begin();
  expect(counts.started).toBe(2);
});

test('a worker that hangs is replaced, and what was announced meanwhile is done by the next one', async () => {
  const { supervised, clock, counts, work, begin } = supervisor();
  await begin();
  supervised.workerClaims('t1');
  work();
  await clock.advance(MEDIA_TASK_LIMIT_MS + 1_000);
  expect(counts).toEqual({ started: 1, stopped: 1 });
  await clock.advance(GRACE);
  expect(counts.started).toBe(2);
});

test.each([
  ['nothing', () => {}],
  // The dying page asks for a task once more, and not for the film that was announced.
  ['the dying page asks for a task', (asks: () => void) => asks()],
])('what is announced while the worker is being stopped is done by the next one: %s', async (_, meanwhile) => {
  const stopped = Promise.withResolvers<void>();
  let started = 0;
  const { supervised, clock, work, begin } = supervisor(async () => {
    started += 1;
    const gone = Promise.withResolvers<void>();
    return { gone: gone.promise, stop: () => stopped.promise.then(() => gone.resolve()) };
  });
  await begin();
  supervised.workerClaims(undefined);
  await clock.advance(30_000);
  work();
  meanwhile(() => supervised.workerClaims(undefined));
  await clock.advance(GRACE);
  expect(started).toBe(1);
  stopped.resolve();
  await clock.advance(GRACE);
  expect(started).toBe(2);
});

test('what a page claims while the worker is being stopped starts no further one', async () => {
  const { supervised, clock, counts, work, begin } = supervisor();
  await begin();
  supervised.workerClaims(undefined);
  work();
  supervised.pageClaims();
  await clock.advance(30_000 + GRACE);
  expect(counts).toEqual({ started: 1, stopped: 1 });
});

test('a worker that is slow to start is not ended before its first claim', async () => {
  const gone = Promise.withResolvers<void>();
  const stop = vi.fn(async () => gone.resolve());
  const ready = Promise.withResolvers<MediaWorker>();
  const { supervised, clock, work } = supervisor(() => ready.promise);
  work();
  await clock.advance(GRACE + 31_000);
  ready.resolve({ gone: gone.promise, stop });
  await clock.advance(31_000);
  expect(stop).not.toHaveBeenCalled();
  supervised.workerClaimsFilm('f1');
  await clock.advance(MEDIA_TASK_LIMIT_MS);
  expect(stop).not.toHaveBeenCalled();
});

test('a worker that never claims is replaced, but not for ever', async () => {
  const { clock, counts, work } = supervisor();
  const announced = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      work();
      await clock.advance(60_000);
    }
  };
  work();
  await clock.advance(GRACE + 60_000);
  expect(counts).toEqual({ started: 1, stopped: 1 });
  await announced(6);
  expect(counts).toEqual({ started: 3, stopped: 3 });
  // After a long pause it is tried once more.
  await announced(6);
  expect(counts).toEqual({ started: 6, stopped: 6 });
});

test('a worker that cannot be started is tried three times, and once more when a pause is over', async () => {
  let tries = 0;
  const gone = Promise.withResolvers<void>();
  const { supervised, clock, work } = supervisor(async () => {
    tries += 1;
    if (tries <= 3) throw new Error('no window');
    return { gone: gone.promise, stop: async () => gone.resolve() };
  });
  for (let round = 0; round < 3; round += 1) {
    work();
    await clock.advance(GRACE);
  }
  work();
  await clock.advance(60_000);
  expect(tries).toBe(3);
  await clock.advance(4 * 60_000 + GRACE);
  expect(tries).toBe(4);
  await supervised.close();
});

test('what a page claims in the pause starts no worker when it would be over', async () => {
  const { supervised, clock, counts, work, diesThrice } = supervisor();
  await diesThrice();
  work();
  supervised.pageClaims();
  await clock.advance(5 * 60_000 + GRACE);
  expect(counts.started).toBe(3);
});

test('workers that die are replaced, but not for ever: only once a page has claimed work', async () => {
  const { supervised, counts, diesThrice, begin } = supervisor();
  await diesThrice();
  await begin();
  expect(counts.started).toBe(3);
  supervised.pageClaims();
  await begin();
  expect(counts.started).toBe(4);
});

test('a worker that makes a film is not idle where there is no task beside it', async () => {
  const { supervised, clock, counts, begin } = supervisor();
  await begin();
  supervised.workerClaimsFilm('f1');
  supervised.workerClaims(undefined);
  await clock.advance(MEDIA_TASK_LIMIT_MS);
  expect(counts.stopped).toBe(0);
  supervised.workerFinishesFilm();
  await clock.advance(30_000);
  expect(counts.stopped).toBe(1);
});

test.each([
  ['nothing', undefined],
  ['a task', 't1'],
])('a film that hangs is given back although the worker goes on claiming %s', async (_, taskId) => {
  const { supervised, clock, counts, released, work, begin } = supervisor();
  await begin();
  supervised.workerClaimsFilm('f1');
  for (let minute = 0; minute < 2; minute += 1) {
    work();
    supervised.workerClaims(taskId);
    if (taskId !== undefined) supervised.workerFinishes();
    await clock.advance(MEDIA_TASK_LIMIT_MS);
  }
  expect(counts.stopped).toBe(1);
  expect(released[0]).toContain('f1');
  expect(counts.started).toBe(2);
});

test('a film that beats goes on for as long as it takes', async () => {
  const { supervised, clock, counts, begin } = supervisor();
  await begin();
  supervised.workerClaimsFilm('f1');
  for (let minute = 0; minute < 10; minute += 1) {
    await clock.advance(MEDIA_TASK_LIMIT_MS);
    supervised.workerBeats();
  }
  expect(counts).toEqual({ started: 1, stopped: 0 });
});

test('what a worker had claimed when it died is given back before the next one starts', async () => {
  const { supervised, clock, counts, released, die, begin } = supervisor();
  await begin();
  supervised.workerClaims('t1');
  supervised.workerClaimsFilm('f1');
  die();
  await clock.advance(0);
  expect([released, counts.started]).toEqual([[['t1', 'f1']], 1]);
  await clock.advance(GRACE);
  expect(counts.started).toBe(2);
});

test('shutdown stops the worker and cancels the pending start', async () => {
  const running = supervisor();
  running.work();
  await running.clock.advance(GRACE);
  await running.supervised.close();
  expect(running.counts.stopped).toBe(1);
  const waiting = supervisor();
  waiting.work();
  await waiting.supervised.close();
  await waiting.clock.advance(GRACE);
  expect(waiting.counts.started).toBe(0);
});

test('where there is nothing to start, the next work is tried again', async () => {
  let tries = 0;
  const { clock, work } = supervisor(async () => {
    tries += 1;
    return null;
  });
  for (let round = 0; round < 2; round += 1) {
    work();
    await clock.advance(GRACE);
  }
  expect(tries).toBe(2);
});
