import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { acceptance, aVideo, type EngineHarness, finished } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { EVENING, HOUR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { backupDir, databaseFile, listBackups, restoreBackup } from '../store/index.ts';

/** A backup that takes the place of the database knows nothing of what was sent since it was made. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();

type Put = (dataDir: string, clock: TestClock) => void;

const byRestore: Put = (dataDir, clock) =>
  restoreBackup(dataDir, databaseFile(dataDir), listBackups(dataDir)[0]?.name ?? '', clock.now());

/** As docs/guide/backup.md says for another machine. */
const byHand: Put = (dataDir) => {
  for (const suffix of ['-wal', '-shm']) fs.rmSync(databaseFile(dataDir) + suffix, { force: true });
  const [name = ''] = fs.readdirSync(backupDir(dataDir));
  fs.copyFileSync(path.join(backupDir(dataDir), name), databaseFile(dataDir));
};

/** One waits for its hour when the backup is made, and is sent, made and paid for after it. */
async function paidSinceBackup(clock: TestClock): Promise<{ before: EngineHarness; id: string; madeAt: number }> {
  const before = start({ clock });
  before.script.submit = [acceptance(clock)];
  before.script.poll = [finished()];
  const { id } = await before.enqueue(aVideo, { notBefore: clock.now() + 60_000 });
  const madeAt = clock.now();
  await before.store.backUp('daily');
  expect((await before.untilEnd(id)).state).toBe('succeeded');
  expect(before.script.sent).toBe(1);
  await before.close();
  return { before, id, madeAt };
}

test.each([
  ['a restore', byRestore],
  ['a copy by hand', byHand],
])('after %s nothing is sent until the queue is let go on', async (_how, put) => {
  const clock = new TestClock();
  const { before, id, madeAt } = await paidSinceBackup(clock);
  put(before.dataDir, clock);
  const after = start({ clock, dataDir: before.dataDir });
  after.script.submit = [acceptance(clock, 'task-2')];
  await clock.advance(120_000);
  expect(after.script.sent).toBe(0);
  expect(after.engine.status()).toMatchObject({ paused: true, restoredFrom: madeAt, waiting: 1 });
  expect(after.job(id)).toMatchObject({ state: 'blocked', reason: 'paused' });
  // The user found it on the bill.
  after.engine.commands.cancel(id);
  const next = await after.enqueue(aVideo);
  await clock.advance(2_000);
  expect(after.script.sent).toBe(0);
  await after.engine.commands.setPaused(false);
  expect(after.engine.status()).toMatchObject({ paused: false });
  expect(after.engine.status().restoredFrom).toBeUndefined();
  await after.until(next.id, ({ state }) => state === 'running');
  expect(after.script.sent).toBe(1);
});

test('a night of the backup sends nothing by itself', async () => {
  const before = startNight();
  before.plan();
  before.allSucceed();
  const [id = ''] = await before.fill(1);
  await before.store.backUp('daily');
  await before.clock.advance(3 * HOUR + 1);
  expect((await before.untilEnd(id)).state).toBe('succeeded');
  const { dataDir } = before;
  await before.close();
  const clock = new TestClock(EVENING + 4 * HOUR);
  byRestore(dataDir, clock);
  const after = startNight({ dataDir, clock });
  after.allSucceed();
  await clock.advance(10 * 60_000);
  expect(after.script.sent).toBe(0);
  expect(after.job(id)).toMatchObject({ state: 'blocked', reason: 'paused' });
});

test('a backup of what is still held is of the first one’s time', async () => {
  const clock = new TestClock();
  const { before, madeAt } = await paidSinceBackup(clock);
  byRestore(before.dataDir, clock);
  const held = start({ clock, dataDir: before.dataDir });
  await clock.advance(HOUR);
  await held.store.backUp('now');
  await held.close();
  byRestore(before.dataDir, clock);
  const after = start({ clock, dataDir: before.dataDir });
  expect(after.engine.status()).toMatchObject({ paused: true, restoredFrom: madeAt });
});

test('the file that goes on is not held by the backups that are made of it', async () => {
  const clock = new TestClock();
  const before = start({ clock });
  await before.store.backUp('daily');
  await before.close();
  const after = start({ clock, dataDir: before.dataDir });
  expect(after.engine.status()).toMatchObject({ paused: false });
});
