import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { settle, TestClock, tempDir } from '../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { backupDir, databaseFile } from './store/index.ts';

/** A studio whose database was damaged: its empty one knows nothing of what is on disk, and a backup may soon. */

const openStudio = studiosOfThisFile();

const damage = (dataDir: string): void => {
  for (const suffix of ['-wal', '-shm']) fs.rmSync(databaseFile(dataDir) + suffix, { force: true });
  fs.writeFileSync(databaseFile(dataDir), 'no database any more '.repeat(1_000));
};

/** Half of a download. */
function filesOfRows(dataDir: string): string[] {
  const files = [
    ['library', 'parts', 'asset_1.part'],
    ['library', 'parts', 'asset_1.part.json'],
  ].map((names) => path.join(dataDir, ...names));
  for (const file of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{}');
  }
  return files;
}

const areThere = (files: readonly string[]): boolean[] => files.map((file) => fs.existsSync(file));

test('what no row names is kept until a backup is taken or the user goes on empty', async () => {
  const dataDir = tempDir('damaged');
  const files = filesOfRows(dataDir);
  damage(dataDir);
  for (let start = 0; start < 2; start += 1) {
    const studio = await openStudio({ dataDir });
    expect((await studio.ask('app.info')).recovery).toBeDefined();
    await settle();
    await studio.close();
    expect(areThere(files)).toEqual([true, true]);
  }
  const last = await openStudio({ dataDir });
  await last.ask('store.goOnEmpty');
  expect((await last.ask('app.info')).recovery).toBeUndefined();
  expect(await last.call('store.goOnEmpty')).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  await last.close();
  await openStudio({ dataDir });
  await expect.poll(() => areThere(files)).toEqual([false, false]);
});

const put = async ({ upload }: Pick<TestStudio, 'upload'>) => (await upload('quay.png', testPng(8, 8, 1))).id;

test('what was deleted for ever after damage is off the disk once the user goes on empty', async () => {
  const dataDir = tempDir('damaged');
  await (await openStudio({ dataDir })).close();
  damage(dataDir);
  const empty = await openStudio({ dataDir });
  const id = await put(empty);
  const file = empty.studio.media.open(id);
  if (!file.ok) throw new Error(file.error.message);
  await empty.ask('library.bin', { ids: [id] });
  await empty.ask('library.emptyBin', {});
  expect(areThere([file.data.path])).toEqual([true]);
  await empty.ask('store.goOnEmpty');
  await expect.poll(() => areThere([file.data.path])).toEqual([false]);
});

test('a file of the library that the backup names stays while only the backup names it', async () => {
  const first = await openStudio();
  const { dataDir } = first;
  const id = await put(first);
  await first.ask('backups.make');
  await first.close();
  damage(dataDir);
  const empty = await openStudio({ dataDir });
  const again = await put(empty);
  await empty.ask('library.bin', { ids: [again] });
  await empty.ask('library.emptyBin', {});
  await empty.close();
  const [backup = ''] = fs.readdirSync(backupDir(dataDir));
  fs.copyFileSync(path.join(backupDir(dataDir), backup), databaseFile(dataDir));
  const restored = await openStudio({ dataDir });
  const file = restored.studio.media.open(id);
  expect(file.ok && fs.existsSync(file.data.path)).toBe(true);
});

test('a backup replaces what was requested since the damage only once that has ended, and is said to be lost', async () => {
  const dataDir = tempDir('damaged');
  const before = await openStudio({ dataDir });
  await before.ask('backups.make');
  await before.close();
  damage(dataDir);
  const [clock, relaunch] = [new TestClock(), vi.fn()];
  const open = () => openStudio({ dataDir, ports: { clock }, relaunch });
  const empty = await open();
  await empty.ask('profiles.save', { id: 'p', baseUrl: 'http://127.0.0.1:9' });
  await empty.ask('profiles.activate', { id: 'p' });
  await empty.ask('queue.pause', {});
  const requests = ['A quay', 'A lamp'].map((prompt) => ({ kind: 'imagine' as const, prompt }));
  await empty.ask('jobs.enqueue', { requests });
  await empty.close();
  const change = (sql: string, ...values: unknown[]) => {
    const db = new Database(databaseFile(dataDir));
    db.prepare(sql).run(...values);
    db.close();
  };
  const task = { id: '178', kind: 'image', acceptedAt: clock.now() };
  change(
    `UPDATE jobs SET state = 'running', reason = NULL, sent_at = ?, charged_nano = 2000000000, remote_id = '178', remote = ?, play = 0,
       profile_id = 'p', reserved_nano = 0`,
    clock.now(),
    JSON.stringify(task),
  );
  const first = await open();
  const [{ name = '' } = {}] = (await first.ask('app.info')).recovery?.backups ?? [];
  expect(await first.call('store.restore', { name })).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringMatching(/^2 jobs .* still at their gateway/) },
  });
  await first.close();
  change(`UPDATE jobs SET state = 'succeeded'`);
  const second = await open();
  const asked = { error: { code: 'conflict', message: expect.stringContaining('$4.00'), data: { loses: 2 } } };
  expect(await second.call('store.restore', { name })).toMatchObject(asked);
  expect(await second.call('store.restore', { name, loses: 1 })).toMatchObject(asked);
  await clock.advance(1_000);
  expect(relaunch).not.toHaveBeenCalled();
  await second.ask('store.restore', { name, loses: 2 });
  await clock.advance(1_000);
  expect(relaunch).toHaveBeenCalledTimes(1);
});

test('nothing takes the place of a database that is whole', async () => {
  const relaunch = vi.fn();
  const { ask, call, dataDir } = await openStudio({ relaunch });
  await ask('backups.make');
  const [name = ''] = fs.readdirSync(backupDir(dataDir));
  expect(await call('store.restore', { name })).toMatchObject({ error: { code: 'wrong_state' } });
});
