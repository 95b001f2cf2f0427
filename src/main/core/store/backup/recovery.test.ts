import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import {
  backupDir,
  databaseFile,
  endRecovery,
  isRecovering,
  listBackups,
  newestVersion,
  openStore,
  restoreBackup,
  type Store,
  sql,
} from '../index.ts';

afterEach(() => vi.restoreAllMocks());

const opened = (dataDir: string): Store => openTestStore({ dataDir, clock: new TestClock() });

const addProject = sql('test.add', `INSERT INTO projects (id, name, created_at) VALUES ($id, 'x', 0)`);
const countProjects = sql('test.count', 'SELECT count(*) AS n FROM projects');
/** The only backup of the folder takes the place of the database. */
const restore = (dir: string) => restoreBackup(dir, databaseFile(dir), listBackups(dir)[0]?.name ?? '', 0);
const projectsIn = (store: Store): number => store.read.one<{ n: number }>(countProjects)?.n ?? -1;

const GARBAGE = 'this is not a database, and it is long enough to be read as one'.repeat(200);
const damage = (dir: string): void => fs.writeFileSync(databaseFile(dir), GARBAGE);

/** A folder with a backup of one project, whose database is damaged. */
async function damagedFolder(): Promise<string> {
  const dir = tempDir();
  const store = opened(dir);
  store.transaction((db) => db.run(addProject, { id: 'a' }));
  await store.backUp('daily');
  await store.close();
  damage(dir);
  return dir;
}

test('the offer to recover is there over restarts, until the user goes on without', async () => {
  const dir = await damagedFolder();
  const first = opened(dir);
  const { movedTo } = first.recovery ?? {};
  expect(fs.readFileSync(movedTo ?? '', 'utf8')).toBe(GARBAGE);
  await first.close();
  const second = opened(dir);
  expect(second.recovery).toMatchObject({ movedTo, backups: listBackups(dir) });
  expect(second.recovery?.backups).toHaveLength(1);
  second.transaction(endRecovery);
  expect(second.recovery).toBeUndefined();
  await second.close();
  const third = opened(dir);
  expect(third.recovery).toBeUndefined();
  await third.close();
});

test('a backup that is taken ends it', async () => {
  const dir = await damagedFolder();
  await opened(dir).close();
  restore(dir);
  const restored = opened(dir);
  expect(projectsIn(restored)).toBe(1);
  expect(isRecovering(restored.read)).toBe(false);
  expect(restored.recovery).toBeUndefined();
  await restored.close();
});

/** Lets so many files be renamed, and ends the program at the next: nothing is removed after that, either. */
function killedAfter(renames: number): void {
  const [rename, remove] = [fs.renameSync, fs.rmSync];
  let left = renames;
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (left-- <= 0) throw new Error('killed');
    rename(from, to);
  });
  vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => left >= 0 && remove(file, options));
}

test.each([0, 1, 2])(
  'a replacement that is killed after %s renames is not begun, or completed at the next start',
  async (renames) => {
    const dir = await damagedFolder();
    killedAfter(renames);
    expect(() => opened(dir)).toThrow();
    vi.restoreAllMocks();
    const after = opened(dir);
    expect(after.recovery?.backups).toHaveLength(1);
    expect(fs.readFileSync(after.recovery?.movedTo ?? '', 'utf8')).toBe(GARBAGE);
    await after.close();

    killedAfter(renames);
    expect(() => restore(dir)).toThrow('killed');
    vi.restoreAllMocks();
    const restored = opened(dir);
    expect(projectsIn(restored)).toBe(renames === 0 ? 0 : 1);
    expect(restored.recovery === undefined).toBe(renames > 0);
    await restored.close();
    expect(fs.readdirSync(dir).filter((name) => /[.]next-/.test(name))).toEqual([]);
  },
);

test('without room for an empty one the damaged file stays where it is', async () => {
  const dir = await damagedFolder();
  const sync = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  const refused = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  expect(refused).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
  sync.mockRestore();
  expect(fs.readFileSync(databaseFile(dir), 'utf8')).toBe(GARBAGE);
  expect(fs.readdirSync(dir).filter((name) => name.startsWith(`${path.basename(databaseFile(dir))}.`))).toEqual([]);
});

const NEWER = `PRAGMA user_version = ${newestVersion() + 1}`;
const DEVELOPMENT = `PRAGMA user_version = ${newestVersion() - 1}`;

test.each([
  ['is of a newer version', (file: string) => change(file, NEWER), 'newer Dailies'],
  ['is of a development build', (file: string) => change(file, DEVELOPMENT), 'development build'],
  ['is no database', (file: string) => fs.writeFileSync(file, GARBAGE), 'not a database'],
  ['is of another program', (file: string) => change(file, 'DROP TABLE attempts'), 'not a backup of Dailies'],
  ['does not fit on the disk', () => failingAfter('fsyncSync', 0, 'no space left'), 'no space left'],
  ['meets a database that is held by another program', () => failingAfter('renameSync', 1, 'in use'), 'in use'],
])('a backup that %s changes nothing', async (_what, spoil, why) => {
  const dir = tempDir();
  const store = opened(dir);
  await store.backUp('daily');
  store.transaction((db) => db.run(addProject, { id: 'newer' }));
  await store.close();
  const name = listBackups(dir)[0]?.name ?? '';
  spoil(path.join(backupDir(dir), name));
  expect(() => restoreBackup(dir, databaseFile(dir), name, 0)).toThrow(why);
  vi.restoreAllMocks();
  expect(fs.readdirSync(dir).sort()).toEqual(['backups', 'dailies.db']);
  const after = opened(dir);
  expect(projectsIn(after)).toBe(1);
  await after.close();
});

function change(file: string, statement: string): void {
  const connection = new Database(file);
  connection.pragma('foreign_keys = OFF');
  connection.exec(statement);
  connection.close();
}

function failingAfter(call: 'fsyncSync' | 'renameSync', times: number, message: string): void {
  const real = fs[call] as (...given: unknown[]) => void;
  let left = times;
  vi.spyOn(fs, call).mockImplementation((...given: unknown[]) => {
    if (left-- === 0) throw new Error(message);
    real(...given);
  });
}

test('what is put aside has the name of its journal, also where a kill came between the two', async () => {
  const dir = await damagedFolder();
  const journal = `${databaseFile(dir)}-wal`;
  fs.writeFileSync(journal, 'its last changes');
  killedAfter(2);
  expect(() => restore(dir)).toThrow('killed');
  vi.restoreAllMocks();
  const after = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  if (after.ok) await after.data.close();
  const aside = fs.readdirSync(dir).filter((name) => name.includes('.replaced-'));
  expect(aside.map((name) => fs.readFileSync(path.join(dir, name), 'utf8'))).toEqual([GARBAGE, 'its last changes']);
  expect(aside[1]).toBe(`${aside[0]}-wal`);
});

test('what is put aside is not put beside the journal of an earlier one', async () => {
  const dir = await damagedFolder();
  const foreign = path.join(dir, 'dailies.replaced-2020-01-01T00-00-00-000Z.db-wal');
  fs.writeFileSync(foreign, 'changes of another');
  fs.utimesSync(foreign, 1_577_836_800, 1_577_836_800);
  killedAfter(1);
  expect(() => restore(dir)).toThrow('killed');
  vi.restoreAllMocks();
  const after = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  if (after.ok) await after.data.close();
  const aside = fs.readdirSync(dir).filter((name) => /[.]replaced-.*[.]db$/.test(name));
  expect(aside).toEqual([expect.not.stringContaining('2020')]);
});

test('a database that cannot be put aside keeps its journal', async () => {
  const dir = await damagedFolder();
  const journal = `${databaseFile(dir)}-wal`;
  fs.writeFileSync(journal, 'its last changes');
  failingAfter('renameSync', 2, 'in use');
  expect(() => restore(dir)).toThrow('in use');
  vi.restoreAllMocks();
  expect([fs.readFileSync(databaseFile(dir), 'utf8'), fs.readFileSync(journal, 'utf8')]).toEqual([
    GARBAGE,
    'its last changes',
  ]);
});
