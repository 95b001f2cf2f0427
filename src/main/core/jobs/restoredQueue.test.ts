import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { acceptance, aVideo, finished } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { EVENING, HOUR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { backupDir, databaseFile, listBackups, restoreBackup } from '../store/index.ts';

/** A backup that takes the place of the database knows nothing of what was sent since it was made. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();
const HELD = { state: 'blocked', reason: 'paused' };

const byRestore = (dataDir: string, now = 0): void =>
  restoreBackup(dataDir, databaseFile(dataDir), listBackups(dataDir)[0]?.name ?? '', now);

/** As docs/guide/backup.md says for another machine. */
const byHand = (dataDir: string): void => {
  for (const suffix of ['-wal', '-shm']) fs.rmSync(databaseFile(dataDir) + suffix, { force: true });
  const [name = ''] = fs.readdirSync(backupDir(dataDir));
  fs.copyFileSync(path.join(backupDir(dataDir), name), databaseFile(dataDir));
};

/** One waits for its hour when the backup is made, and is sent, made and paid for after it. */
async function paidSinceBackup() {
  const { clock, script, store, dataDir, enqueue, untilEnd, close } = start();
  script.submit = [acceptance(clock)];
  script.poll = [finished()];
  const { id } = await enqueue(aVideo, { notBefore: clock.now() + 60_000 });
  const madeAt = clock.now();
  await store.backUp('daily');
  expect((await untilEnd(id)).state).toBe('succeeded');
  expect(script.sent).toBe(1);
  await close();
  return { clock, dataDir, id, madeAt };
}

test.each([
  ['a restore', byRestore],
  ['a copy by hand', byHand],
])('after %s nothing is sent until the queue is let go on', async (_how, put) => {
  const { clock, dataDir, id, madeAt } = await paidSinceBackup();
  put(dataDir, clock.now());
  const { engine, script, enqueue, job, until } = start({ clock, dataDir });
  script.submit = [acceptance(clock, 'task-2')];
  await clock.advance(120_000);
  expect(script.sent).toBe(0);
  expect(engine.status()).toMatchObject({ paused: true, restoredFrom: madeAt, waiting: 1 });
  expect(job(id)).toMatchObject(HELD);
  // The user found it on the bill.
  engine.commands.cancel(id);
  const next = await enqueue(aVideo);
  await clock.advance(2_000);
  expect(script.sent).toBe(0);
  await engine.commands.setPaused(false);
  expect(engine.status()).toMatchObject({ paused: false });
  expect(engine.status().restoredFrom).toBeUndefined();
  await until(next.id, ({ state }) => state === 'running');
  expect(script.sent).toBe(1);
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
  byRestore(dataDir, clock.now());
  const after = startNight({ dataDir, clock });
  after.allSucceed();
  await clock.advance(10 * 60_000);
  expect(after.script.sent).toBe(0);
  expect(after.job(id)).toMatchObject(HELD);
});

test('a backup of what is still held is of the first one’s time', async () => {
  const { clock, dataDir, madeAt } = await paidSinceBackup();
  byRestore(dataDir, clock.now());
  const held = start({ clock, dataDir });
  await clock.advance(HOUR);
  await held.store.backUp('now');
  await held.close();
  byRestore(dataDir, clock.now());
  expect(start({ clock, dataDir }).engine.status()).toMatchObject({ paused: true, restoredFrom: madeAt });
});

test('the file that goes on is not held by the backups that are made of it', async () => {
  const { clock, store, dataDir, close } = start();
  await store.backUp('daily');
  await close();
  expect(start({ clock, dataDir }).engine.status()).toMatchObject({ paused: false });
});
