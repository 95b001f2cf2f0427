import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { recordingLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { ok } from '../../../../shared/contract/result.ts';
import type { LibrarySettings } from '../../../../shared/contract/settings.ts';
import type { Emptied } from '../../../../shared/library/assetMarks.ts';
import { databaseFile, listBackups, releaseRestored, restoreBackup, type Store } from '../../store/index.ts';
import { AutoEmptyBin } from './autoEmpty.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function start({ days, store, clock }: { days?: 30 | 90; store?: Store; clock?: TestClock } = {}) {
  const time = clock ?? new TestClock();
  const known = store ?? openTestStore({ dataDir: tempDir('bin-keeper'), clock: time });
  if (!store) onTestFinished(() => known.close());
  const settings: LibrarySettings = { floorBytes: 0, warnBytes: 0, ...(days ? { binDays: days } : {}) };
  const asked: number[] = [];
  const log = recordingLog();
  let told = 0;
  let isEmptying = false;
  const answer: Emptied = { items: 2, files: 1, bytes: 3, kept: [{ reason: 'board', count: 1 }] };
  const keeper = new AutoEmptyBin({
    store: known,
    clock: time,
    log,
    bin: {
      get isEmptying() {
        return isEmptying;
      },
      empty: async ({ before }) => {
        asked.push(before ?? -1);
        return ok(answer);
      },
    },
    settings: () => settings,
    emptied: () => {
      told += 1;
    },
  });
  keeper.start();
  /** As the program runs: an hour after the other. */
  const pass = async (hours: number) => {
    for (let n = 0; n < hours; n++) await time.advance(HOUR);
  };
  const empty = () => {
    isEmptying = true;
  };
  return { keeper, clock: time, store: known, settings, asked, log, answer, pass, told: () => told, empty };
}

test('nothing is restored while the bin is being emptied', () => {
  const { keeper, store, empty } = start();
  expect(keeper.restoreParticipant().busy?.(store.read)).toBeUndefined();
  empty();
  expect(keeper.restoreParticipant().busy?.(store.read)).toMatchObject({ error: { code: 'wrong_state' } });
});

test('without the setting nothing goes', async () => {
  const { asked, pass, keeper } = start();
  await pass(100 * 24);
  expect(asked).toEqual([]);
  expect(keeper.last()).toBeUndefined();
  expect(keeper.emptiesFrom()).toBeUndefined();
});

test('after so many days since it was switched on what is older goes, hour by hour, and is written down', async () => {
  const { asked, pass, clock, keeper, log, told } = start({ days: 30 });
  const from = clock.now();
  await pass(30 * 24 - 1);
  expect(asked).toEqual([]);
  expect(keeper.emptiesFrom()).toBe(from + 30 * DAY);
  await pass(2);
  expect(asked).toEqual([from, from + HOUR]);
  expect(keeper.last()).toEqual({ at: clock.now(), items: 2, files: 1, bytes: 3 });
  expect(told()).toBe(2);
  expect(log.lines).toEqual(['the bin was emptied by itself', 'the bin was emptied by itself']);
});

test('other days, or a restore of a backup, begin anew; a restart does not', async () => {
  const first = start({ days: 30 });
  await first.pass(29 * 24);
  first.settings.binDays = 90;
  expect(first.keeper.emptiesFrom()).toBeUndefined();
  await first.pass(5 * 24);
  expect(first.asked).toEqual([]);
  first.settings.binDays = 30;
  await first.pass(29 * 24);
  first.keeper.close();
  const { store, clock } = first;
  const second = start({ days: 30, store, clock });
  await second.pass(2 * 24);
  expect(second.asked.length).toBeGreaterThan(20);
  const restore = (end: () => void) =>
    store.transaction((db) => {
      second.keeper.restoreParticipant().restore(db);
      end();
    });
  expect(() =>
    restore(() => {
      throw new Error('killed');
    }),
  ).toThrow('killed');
  const before = second.asked.length;
  await second.pass(1);
  expect(second.asked).toHaveLength(before + 1);
  restore(() => undefined);
  const asked = second.asked.length;
  await second.pass(29 * 24);
  expect(second.asked).toHaveLength(asked);
});

test('nothing goes at a start, or in an hour in which the clock jumps', async () => {
  const first = start({ days: 30 });
  first.keeper.close();
  const { store, clock } = first;
  clock.set(clock.now() + 400 * DAY);
  const { asked, pass } = start({ days: 30, store, clock });
  await clock.advance(0);
  expect(asked).toEqual([]);
  clock.set(clock.now() + 400 * DAY);
  await pass(1);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toHaveLength(1);
});

test('where it took nothing, nothing is written down; a fault is logged and tried again', async () => {
  const { answer, asked, pass, keeper, store, log } = start({ days: 30 });
  Object.assign(answer, { items: 0 });
  await pass(31 * 24);
  expect(keeper.last()).toBeUndefined();
  const { transaction } = store;
  Object.assign(answer, { items: 1 });
  store.transaction = () => {
    throw new Error('disk full');
  };
  const before = asked.length;
  await pass(1);
  expect(log.lines.at(-1)).toBe('the bin could not be emptied by itself');
  store.transaction = transaction;
  await pass(1);
  expect(asked).toHaveLength(before + 2);
  expect(keeper.last()).toMatchObject({ items: 1 });
});

test('while nothing can be written it looks again each hour, and the days count from when they could be', async () => {
  const time = new TestClock();
  const store = openTestStore({ dataDir: tempDir('bin-keeper'), clock: time });
  onTestFinished(() => store.close());
  const { transaction } = store;
  store.transaction = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const { asked, pass } = start({ days: 30, store, clock: time });
  await pass(5);
  store.transaction = transaction;
  await pass(1);
  const from = time.now();
  await pass(30 * 24);
  expect(asked).toEqual([from]);
});

/** A database whose backup of 40 days ago takes its place; the bin was emptied by itself then, too. */
async function restored() {
  const dataDir = tempDir('bin-keeper');
  const before = openTestStore({ dataDir, clock: new TestClock() });
  const first = start({ days: 30, store: before });
  await first.store.backUp('daily');
  const clock = new TestClock(first.clock.now() + 40 * DAY);
  first.keeper.close();
  await before.close();
  const takeBackup = () =>
    restoreBackup(dataDir, databaseFile(dataDir), listBackups(dataDir)[0]?.name ?? '', clock.now());
  const open = () => {
    const store = openTestStore({ dataDir, clock });
    onTestFinished(() => store.close());
    return store;
  };
  takeBackup();
  return { store: open(), clock, takeBackup, open };
}

test('a backup that takes the place of the database begins to count anew', async () => {
  const { store, clock } = await restored();
  const after = start({ days: 30, store, clock });
  await after.pass(2);
  store.transaction(releaseRestored);
  await after.pass(28 * 24);
  expect(after.asked).toEqual([]);
  await after.pass(2 * 24);
  expect(after.asked.length).toBeGreaterThan(0);
});

test('while the queue of a restored backup is held the days pass all the same, also over a restart', async () => {
  const { store, clock } = await restored();
  const held = start({ days: 30, store, clock });
  await held.pass(20 * 24);
  held.keeper.close();
  const again = start({ days: 30, store, clock });
  await again.pass(10 * 24 - 1);
  expect([...held.asked, ...again.asked]).toEqual([]);
  await again.pass(2);
  expect(again.asked.length).toBeGreaterThan(0);
});

test.each([
  ['the same backup', async () => undefined],
  ['a backup that was made while the queue was held', (store: Store) => store.backUp('daily')],
])('%s, taken once more, begins to count once more', async (_, meanwhile) => {
  const { store, clock, takeBackup, open } = await restored();
  const first = start({ days: 30, store, clock });
  await first.pass(2 * 24);
  await meanwhile(store);
  store.transaction(releaseRestored);
  await first.pass(27 * 24);
  first.keeper.close();
  await store.close();
  takeBackup();
  const second = start({ days: 30, store: open(), clock });
  await second.pass(29 * 24);
  expect(second.asked).toEqual([]);
});
