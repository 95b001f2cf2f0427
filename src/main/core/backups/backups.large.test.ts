import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { recordingLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { BackupSettings } from '../../../shared/contract/settings.ts';
import { FileThread } from '../library/index.ts';
import { backupDir, databaseFile, endRecovery, openStore, writeFlag } from '../store/index.ts';
import { isDailyDue, lastTime } from './backups.ts';
import { Backups } from './index.ts';

const DAILY: BackupSettings = { daily: true, at: '06:00', keep: 30 };
const HOUR = 3_600_000;

/** What no test of this file asks for. */
const unasked = {
  ...{ parts: [], copyProject: () => undefined, announceProjects: () => undefined },
  ...{ newThread: () => new FileThread(), emit: () => undefined },
};

function start(given: Partial<BackupSettings> = {}, backUp?: (label: string) => Promise<string>) {
  const clock = new TestClock(new Date(2026, 10, 21, 5).getTime());
  const dataDir = tempDir('backups');
  const store = openTestStore({ dataDir, clock });
  const settings = { backups: { ...DAILY, ...given } };
  const log = recordingLog();
  let changes = 0;
  const backups = new Backups({
    ...unasked,
    ...{ dataDir, clock, log, store: backUp ? { ...store, backUp } : store, settings: () => settings },
    emit: () => {
      changes += 1;
    },
  });
  onTestFinished(async () => {
    backups.close();
    await store.close();
  });
  return { clock, dataDir, store, settings, log, backups, changes: () => changes };
}

const made = async (backups: Backups) => {
  const answer = await backups.make('now');
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
};

test('a backup is listed with its time, bytes and reason, and is a whole database', async () => {
  const { clock, dataDir, backups, changes } = start();
  const { id } = await made(backups);
  const file = path.join(backupDir(dataDir), `${id}.db`);
  const bytes = fs.statSync(file).size;
  expect(backups.list()).toEqual([{ id, at: clock.now(), bytes, reason: 'now', readBack: true }]);
  expect(changes()).toBe(1);
  const copy = new Database(file, { readonly: true });
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  // Copied elsewhere and back, it is as old as it was.
  fs.utimesSync(file, 1, 1);
  expect(backups.list()[0]?.at).toBe(clock.now());
});

test('only those that were read back say so', async () => {
  const { dataDir, backups } = start();
  await made(backups);
  for (const label of ['v41', 'copy'])
    fs.writeFileSync(path.join(backupDir(dataDir), `2020-01-01T00-00-00-000Z-${label}.db`), '');
  expect(backups.list().map(({ reason, readBack }) => [reason, readBack])).toEqual([
    ['now', true],
    ['update', undefined],
    ['other', undefined],
  ]);
});

test('as many as the settings say are kept, and two of one moment are two', async () => {
  const { clock, backups } = start({ keep: 3, monthly: 0 });
  const first = await made(backups);
  const second = await made(backups);
  expect(second.id).not.toBe(first.id);
  for (let n = 0; n < 2; n++) {
    clock.set(clock.now() + HOUR);
    await made(backups);
  }
  expect(backups.list().map(({ id }) => id)).not.toContain(first.id);
  expect(backups.list()).toHaveLength(3);
});

test('the backup that is restored stays, however few are kept', async () => {
  const { backups } = start({ keep: 1, monthly: 0 });
  const { id } = await made(backups);
  const restored = await backups.restore(id);
  expect(restored).toMatchObject({ ok: true });
  expect(backups.list().map((one) => one.id)).toContain(id);
});

test('a file of another name, or of a clock that was ahead, takes no place of a backup, and stays', async () => {
  const { clock, dataDir, backups } = start({ keep: 2, monthly: 1 });
  fs.mkdirSync(backupDir(dataDir), { recursive: true });
  const other = (name: string, at: number) => {
    fs.writeFileSync(path.join(backupDir(dataDir), name), 'x');
    fs.utimesSync(path.join(backupDir(dataDir), name), at / 1_000, at / 1_000);
  };
  for (const name of ['my copy.db', '2020-01-01T06-00-00-000Z-daily copy.db']) other(name, clock.now());
  other('2031-01-01T06-00-00-000Z-daily.db', clock.now());
  const ids: string[] = [];
  for (let day = 0; day < 4; day++) {
    clock.set(clock.now() + 24 * HOUR);
    other('my copy.db', clock.now() - 1_000);
    await backups.makeDaily();
    ids.push(...backups.list().flatMap(({ id, at }) => (at === clock.now() && id.endsWith('Z-daily') ? id : [])));
  }
  const [, , third, fourth] = ids;
  const first = ids[0];
  expect(backups.list().map(({ id, monthly }) => [id, monthly ?? false])).toEqual([
    ['2031-01-01T06-00-00-000Z-daily', false],
    [fourth, false],
    ['my copy', false],
    [third, false],
    [first, true],
    ['2020-01-01T06-00-00-000Z-daily copy', false],
  ]);
});

test('beside the newest, the first one of each of so many months stays, and says so', async () => {
  const { clock, backups, settings } = start({ keep: 2, monthly: 2 });
  const at = async (...day: [number, number, number]) => {
    clock.set(new Date(...day, 6).getTime());
    return (await made(backups)).id;
  };
  await at(2026, 7, 3);
  const september = await at(2026, 8, 1);
  await at(2026, 8, 20);
  const october = await at(2026, 9, 5);
  await at(2026, 9, 6);
  const [fifth, sixth] = [await at(2026, 9, 30), await at(2026, 9, 31)];
  const kept = () => backups.list().map(({ id, monthly }) => [id, monthly ?? false]);
  expect(kept()).toEqual([
    [sixth, false],
    [fifth, false],
    [october, true],
    [september, true],
  ]);
  settings.backups.monthly = 0;
  const last = await at(2026, 10, 1);
  expect(kept()).toEqual([
    [last, false],
    [sixth, false],
  ]);
});

test('one a day is made after its hour, and none where they are switched off', async () => {
  const { clock, backups, settings } = start();
  const reasons = () => backups.list().map(({ reason }) => reason);
  await backups.makeDaily();
  expect(reasons()).toEqual(['daily']);
  clock.set(clock.now() + HOUR - 1);
  await backups.makeDaily();
  expect(reasons()).toHaveLength(1);
  clock.set(clock.now() + 1);
  await Promise.all([backups.makeDaily(), backups.makeDaily()]);
  await backups.makeDaily();
  expect(reasons()).toHaveLength(2);
  settings.backups = { ...DAILY, daily: false };
  clock.set(clock.now() + 48 * HOUR);
  await backups.makeDaily();
  expect(reasons()).toHaveLength(2);
});

test('the hour is looked at while the program runs, until it ends', async () => {
  const asked: string[] = [];
  const { clock, backups, dataDir } = start({}, async (label) => {
    asked.push(label);
    throw new Error('Not now.');
  });
  backups.start();
  await clock.advance(30 * 60_000);
  expect(asked).toEqual(['daily', 'daily', 'daily']);
  backups.close();
  await clock.advance(24 * HOUR);
  expect(asked).toHaveLength(3);
  expect(fs.existsSync(backupDir(dataDir))).toBe(false);
});

test('the hour of a day is the local one, and a backup from the future counts for nothing', () => {
  const noon = new Date(2026, 10, 21, 12).getTime();
  expect(lastTime('06:00', noon)).toBe(new Date(2026, 10, 21, 6).getTime());
  expect(lastTime('12:00', noon)).toBe(noon);
  expect(lastTime('23:30', noon)).toBe(new Date(2026, 10, 20, 23, 30).getTime());
  expect(isDailyDue(DAILY, [{ at: noon }], noon)).toBe(false);
  expect(isDailyDue(DAILY, [{ at: noon + 1 }], noon)).toBe(true);
});

test('a full disk is one sentence', async () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const { backups } = start({}, () => Promise.reject(full));
  const message = expect.stringMatching(/^The disk is full: no backup was made, and nothing of it is left there[.] /);
  expect(await backups.make('now')).toMatchObject({ ok: false, error: { code: 'disk_full', message } });
});

test('a copy that fails in the middle leaves no half file, and the older backups stay', async () => {
  const { backups, dataDir } = start({ keep: 1 });
  const first = await made(backups);
  const damaged = tempDir('damaged');
  const store = openTestStore({ dataDir: damaged, clock: new TestClock() });
  onTestFinished(() => store.close());
  store.transaction((db) => {
    for (let n = 0; n < 2_000; n++) writeFlag(db, `flag ${n}`, 'x'.repeat(1_000));
  });
  const raw = new Database(databaseFile(damaged));
  raw.pragma('wal_checkpoint(TRUNCATE)');
  raw.close();
  fs.cpSync(backupDir(dataDir), backupDir(damaged), { recursive: true });
  const bytes = fs.statSync(databaseFile(damaged)).size;
  const handle = fs.openSync(databaseFile(damaged), 'r+');
  fs.writeSync(handle, Buffer.alloc(100_000, 0x5a), 0, 100_000, bytes - 100_000);
  fs.closeSync(handle);
  const settings = () => ({ backups: { ...DAILY, keep: 1 } });
  const own = { dataDir: damaged, clock: new TestClock(), log: recordingLog(), store, settings };
  const broken = new Backups({ ...unasked, ...own });
  expect(await broken.make('now')).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(fs.readdirSync(backupDir(damaged))).toEqual([`${first.id}.db`]);
});

test('old backups that cannot be removed are no fault of a new one, and go with a later one', async () => {
  const { clock, backups, log } = start({ keep: 1, monthly: 0 });
  const first = await made(backups);
  const removing = vi.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  });
  clock.set(clock.now() + 2 * HOUR);
  await backups.makeDaily();
  expect(backups.list().map(({ id, reason }) => [id === first.id, reason])).toEqual([
    [false, 'daily'],
    [true, 'now'],
  ]);
  expect(log.lines).toEqual(['old backups could not be removed']);
  removing.mockRestore();
  clock.set(clock.now() + 24 * HOUR);
  await backups.makeDaily();
  expect(backups.list()).toMatchObject([{ reason: 'daily', at: clock.now() }]);
});

test('after a fault of the folder the next look makes the daily one', async () => {
  const { clock, backups, dataDir, log } = start();
  fs.mkdirSync(backupDir(dataDir), { recursive: true });
  clock.set(clock.now() + 2 * HOUR);
  const reading = vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
    throw Object.assign(new Error('input/output error'), { code: 'EIO' });
  });
  await backups.makeDaily();
  expect(log.lines).toEqual(['no backup was made']);
  reading.mockRestore();
  await backups.makeDaily();
  expect(backups.list()).toMatchObject([{ reason: 'daily' }]);
});

test('while a damaged database waits for a backup, none is made by itself and none is removed', async () => {
  const { clock, dataDir, store, backups, settings } = start({ keep: 2, monthly: 0 });
  const full = [await made(backups), await made(backups)];
  await store.close();
  fs.writeFileSync(databaseFile(dataDir), 'no database any more '.repeat(1_000));
  const opened = openStore({ dataDir, clock, log: recordingLog() });
  if (!opened.ok) throw new Error(opened.error.message);
  const empty = opened.data;
  onTestFinished(() => empty.close());
  const project = { unknown: () => 1, preview: () => ({ gone: [], back: [] }), restore: () => undefined };
  const own = { dataDir, clock, log: recordingLog(), store: empty, parts: [project], settings: () => settings };
  const after = new Backups({ ...unasked, ...own });
  clock.set(clock.now() + 24 * HOUR);
  await after.makeDaily();
  expect(after.list()).toHaveLength(2);
  await made(after);
  const kept = full.map(({ id }) => id);
  expect(after.list().map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
  expect(await after.restore(kept[0] ?? '')).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', message: expect.stringContaining('lost with the damaged database') },
  });
  empty.transaction(endRecovery);
  clock.set(clock.now() + 24 * HOUR);
  await after.makeDaily();
  expect(after.list()).toHaveLength(2);
});
