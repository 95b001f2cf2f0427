import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { databaseFile, listBackups, type ReadDb, type Store, sql } from '../index.ts';
import { ReadThread, type ReadThreadDeps } from './readThread.ts';

const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const end = (store: Store) => {
  stores.splice(stores.indexOf(store), 1);
  return store.close();
};

function open(dataDir = tempDir('away')) {
  const store = openTestStore({ dataDir, clock: new TestClock() });
  stores.push(store);
  return { store, dataDir };
}

const add = sql('test.add', `INSERT INTO projects (id, name, created_at) VALUES ($id, 'p', 1)`);
const count = sql('test.count', 'SELECT count(*) AS n FROM projects');
const countTo = sql(
  'test.countTo',
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $to) SELECT count(*) AS n FROM n',
);
const counted = (db: ReadDb) => db.one<{ n: number }>(count)?.n;

test('what is read away is what was committed, in one snapshot, whatever is written meanwhile', async () => {
  const { store } = open();
  store.transaction((db) => db.run(add, { id: 'a' }));
  let written = 0;
  const read = await store.readInThread((db) => {
    const before = counted(db);
    if (written++ === 0) store.transaction((write) => write.run(add, { id: 'b' }));
    return [before, db.all<{ n: number }>(count)[0]?.n];
  });
  expect(read).toEqual([1, 1]);
  expect(await store.readInThread(counted)).toBe(2);
});

test('the program answers while a long statement is read', async () => {
  const { store } = open();
  await store.readInThread(counted);
  let turns = 0;
  let isRead = false;
  const reading = store.readInThread((db) => db.one<{ n: number }>(countTo, { to: 300_000 })?.n);
  void reading.then(() => {
    isRead = true;
  });
  while (!isRead) {
    await new Promise((done) => setImmediate(done));
    turns++;
  }
  expect(await reading).toBe(300_000);
  expect(turns).toBeGreaterThan(10);
});

test('it cannot write, and a read that fails stops no other', async () => {
  const { store } = open();
  const reads = [
    store.readInThread((db) => db.all(add, { id: 'x' })),
    store.readInThread((db) => db.all(sql('test.wrong', 'SELECT * FROM nothing'))),
    store.readInThread(() => {
      throw new Error('its own');
    }),
    store.readInThread(counted),
  ];
  const [write, wrong, own, right] = await Promise.allSettled(reads);
  expect([write, wrong, own].map((read) => read?.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(right).toEqual({ status: 'fulfilled', value: 0 });
});

test('what is being read at the end is given up, and the folder opens again', async () => {
  const { store, dataDir } = open();
  store.transaction((db) => db.run(add, { id: 'a' }));
  const reads = [1, 2].map(() => store.readInThread((db) => db.one<{ n: number }>(countTo, { to: 300_000 })?.n));
  const settled = Promise.allSettled(reads);
  await end(store);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(store.readInThread(counted)).rejects.toThrow('closed');
  expect(counted(open(dataDir).store.read)).toBe(1);
});

test('a backup or a check that is ended by the end is none, and the next one is made', async () => {
  const { store, dataDir } = open();
  store.transaction((db) => db.run(add, { id: 'a' }));
  const [backup, check] = [store.backUp('cut'), store.check()];
  const failed = expect(backup).rejects.toThrow();
  await end(store);
  await failed;
  expect(await check).toBeUndefined();
  expect(listBackups(dataDir)).toEqual([]);
  const again = open(dataDir).store;
  const made = await Promise.all([again.backUp('one'), again.backUp('two')]);
  expect(listBackups(dataDir).map(({ name }) => made.some((path) => path.endsWith(name)))).toEqual([true, true]);
  expect(await again.check()).toEqual({ ok: true, message: 'The database is undamaged.' });
});

test('what was asked last is read first: who asked before has typed on', async () => {
  const { store } = open();
  const order: string[] = [];
  const reading = ['a', 'ab', 'abc'].map((typed) => store.readInThread(counted).then(() => order.push(typed)));
  await Promise.all(reading);
  expect(order).toEqual(['abc', 'ab', 'a']);
});

test('without the thread it is read here, and the next question tries a thread again', async () => {
  const { store, dataDir } = open();
  const file = join(dataDir, 'later.db');
  const here = vi.fn((work: (db: ReadDb) => unknown) => work(store.read));
  const worker = new ReadThread({ file, readHere: here as ReadThreadDeps['readHere'], log: silentLog });
  const numbers = (db: ReadDb) => db.one<{ n: number }>(countTo, { to: 3 })?.n;
  expect(await worker.read(numbers)).toBe(3);
  expect(here).toHaveBeenCalledTimes(1);
  new Database(file).close();
  expect(await worker.read(numbers)).toBe(3);
  expect(here).toHaveBeenCalledTimes(1);
  await worker.close();
});

test('a thread that dies while it reads is replaced, and the question is read here', async () => {
  const { dataDir } = open();
  let ended: Promise<number> | undefined;
  // At once: a statement that has begun is never broken off, and the thread would end behind it.
  const started = (thread: Worker) => {
    ended ??= thread.terminate();
  };
  process.on('worker', started);
  const here = vi.fn(() => 42);
  const worker = new ReadThread({
    file: databaseFile(dataDir),
    readHere: here as ReadThreadDeps['readHere'],
    log: silentLog,
  });
  expect(await worker.read((db) => db.one<{ n: number }>(countTo, { to: 300_000 })?.n)).toBe(42);
  expect(await ended).toBeTypeOf('number');
  expect(here).toHaveBeenCalledTimes(1);
  expect(await worker.read(counted)).toBe(0);
  expect(here).toHaveBeenCalledTimes(1);
  process.off('worker', started);
  await worker.close();
});
