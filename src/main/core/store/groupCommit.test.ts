import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { type Store, sql, type WriteDb } from './index.ts';

const put = sql('test.put', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const all = sql('test.all', 'SELECT name FROM flags ORDER BY name');

const open = (dataDir = tempDir('group')): Store => openTestStore({ dataDir, clock: new TestClock() });
const names = (store: Store) => store.read.all<{ name: string }>(all).map(({ name }) => name);
const writer = (name: string) => (db: WriteDb) => db.run(put, { name, value: '' });

test('what comes in one turn is one transaction, and each caller goes on when it is committed', async () => {
  const store = open();
  const seen: string[][] = [];
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await store.grouped(writer(name));
      seen.push(names(store));
    }),
  );
  expect(seen).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
  store.close();
});

test('one that fails affects no other, and none of it is kept', async () => {
  const store = open();
  const half = (db: WriteDb): never => {
    writer('half')(db);
    throw new Error('no');
  };
  const ends = await Promise.allSettled([store.grouped(writer('a')), store.grouped(half), store.grouped(writer('b'))]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names(store)).toEqual(['a', 'b']);
  store.close();
});

test('what waits when the store is closed is written first', async () => {
  const dataDir = tempDir('group-close');
  const store = open(dataDir);
  const written = store.grouped(writer('last'));
  store.close();
  await written;
  const again = open(dataDir);
  expect(names(again)).toEqual(['last']);
  again.close();
});
