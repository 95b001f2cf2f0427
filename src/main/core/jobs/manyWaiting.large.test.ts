import { expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { HOUR, nightsOfThisFile, startNight as openNight } from '../../../../test/helpers/nightHarness.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import { type Store, sql } from '../store/index.ts';

/**
 * What concerns thousands of waiting jobs is done a few at a time: one transaction for all of them would be a turn of the main process in
 * which no answer is read and no page is served. What comes out is the same.
 */

const start = nightsOfThisFile();

const JOBS = 130;
/** A job that is evaluated anew is some dozen writes at most. */
const MOST_WRITES = 25 * 24;

/** Counts the rows that each transaction writes. */
function countingStore() {
  const writes: number[] = [];
  const total = sql('test.totalChanges', 'SELECT total_changes() AS n');
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work) =>
      store.transaction((db) => {
        const count = () => db.one<{ n: number }>(total)?.n ?? 0;
        const before = count();
        const result = work(db);
        writes.push(count() - before);
        return result;
      }),
  });
  return { writes, wrapStore };
}

async function fullNight(begin = start) {
  const counted = countingStore();
  const harness = begin({ wrapStore: counted.wrapStore, profile: { limits: { videosAtOnce: 1 } } });
  harness.service.submit = () => acceptance(harness.clock);
  harness.plan({ capNano: JOBS * VIDEO_NANO });
  const ids = await harness.many(JOBS, aVideo, { night: true });
  counted.writes.length = 0;
  const reserved = () => ids.filter((id) => harness.job(id).money.reservedNano > 0);
  const most = () => Math.max(...counted.writes);
  return { harness, ids, reserved, most };
}

test('a lower cap goes to the first in the queue, a higher one to all, and an end gives everything back', async () => {
  const { harness, ids, reserved, most } = await fullNight();
  expect(reserved()).toEqual(ids);
  harness.plan({ capNano: 7 * VIDEO_NANO });
  await settle();
  expect(reserved()).toEqual(ids.slice(0, 7));
  expect(harness.job(ids[7] ?? '').reason).toBe('budget');
  harness.plan({ capNano: JOBS * VIDEO_NANO });
  await settle();
  expect(reserved()).toEqual(ids);
  harness.night.stop();
  await settle();
  expect(reserved()).toEqual([]);
  expect(harness.night.get().last?.used.reservedNano).toBe(0);
  expect(most()).toBeLessThan(MOST_WRITES);
});

test('a cap that is changed again while it is shared out is what counts', async () => {
  const { harness, ids, reserved } = await fullNight();
  for (const jobs of [90, 3, 60, 11]) harness.plan({ capNano: jobs * VIDEO_NANO });
  await settle();
  expect(reserved()).toEqual(ids.slice(0, 11));
});

test('an end in the middle of sharing out leaves the money to the first in the queue at the next start', async () => {
  const { harness, ids } = await fullNight(openNight);
  harness.plan({ capNano: 11 * VIDEO_NANO });
  await harness.close();
  const { job } = start({ dataDir: harness.dataDir, clock: harness.clock });
  await settle();
  expect(ids.filter((id) => job(id).money.reservedNano > 0)).toEqual(ids.slice(0, 11));
});

test('a night opens, and its jobs that wait for midnight’s new money get it in the order of the queue', async () => {
  const { harness, ids, reserved, most } = await fullNight();
  await harness.clock.advance(3 * HOUR + 1_000);
  expect(harness.job(ids[1] ?? '').state).toBe('queued');
  harness.setDayCap(20 * VIDEO_NANO);
  await harness.clock.advance(HOUR + 60_000);
  // The first is with the service, on yesterday's account.
  expect(reserved()).toEqual(ids.slice(0, 21));
  expect(most()).toBeLessThan(MOST_WRITES);
});

test('a pause and its end reach every job, the last word counts', async () => {
  const { harness, ids, most } = await fullNight();
  await harness.clock.advance(3 * HOUR + 1_000);
  const { commands } = harness.engine;
  const states = () => new Set(ids.slice(1).map((id) => harness.job(id).reason ?? harness.job(id).state));
  await commands.setPaused(true);
  expect(states()).toEqual(new Set(['paused']));
  for (const [last, state] of [
    [false, 'queued'],
    [true, 'paused'],
  ] as const) {
    await Promise.all([last, !last, last].map((isPaused) => commands.setPaused(isPaused)));
    await settle();
    expect(states()).toEqual(new Set([state]));
  }
  expect(most()).toBeLessThan(MOST_WRITES);
});
