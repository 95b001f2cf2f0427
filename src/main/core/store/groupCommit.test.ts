import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { GroupCommit } from './groupCommit.ts';
import { type Store, sql, type WriteDb } from './index.ts';

const put = sql('test.put', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const all = sql('test.all', 'SELECT name FROM flags ORDER BY name');

const open = (dataDir = tempDir('group')): Store => openTestStore({ dataDir, clock: new TestClock() });
const names = (store: Store) => store.read.all<{ name: string }>(all).map(({ name }) => name);
const writer = (name: string) => (db: WriteDb) => db.run(put, { name, value: '' });

test('what comes in one turn is one transaction, and each caller goes on when it is committed', async () => {
  const store = open();
  let transactions = 0;
  const groups = new GroupCommit((work) => {
    transactions += 1;
    return store.transaction(work);
  });
  const write = async (name: string) => {
    await groups.write(writer(name));
    return names(store);
  };
  const together = ['a', 'b', 'c'];
  expect(await Promise.all(together.map(write))).toEqual([together, together, together]);
  expect(transactions).toBe(1);
  await write('d');
  expect(transactions).toBe(2);
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
