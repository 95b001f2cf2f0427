import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { GroupCommit } from './groupCommit.ts';
import { type Store, sql, type WriteDb } from './index.ts';

const put = sql('test.put', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const all = sql('test.all', "SELECT name FROM flags WHERE name NOT LIKE '%:%' ORDER BY name");

const open = (dataDir = tempDir('group')): Store => openTestStore({ dataDir, clock: new TestClock() });
const names = (store: Store) => store.read.all<{ name: string }>(all).map(({ name }) => name);
const writer = (name: string) => (db: WriteDb) => db.run(put, { name, value: '' });

test('what comes in one turn is one transaction, and each caller goes on when it is committed', async () => {
  const store = open();
  let transactions = 0;
  const groups = new GroupCommit({
    transaction: (work) => {
      transactions += 1;
      return store.transaction(work);
    },
    now: () => 0,
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

/** Groups on a clock that each write moves, and a loop whose turns the test runs. */
function slowWrites(store: Store, msPerWrite: number) {
  let now = 0;
  const due: (() => void)[] = [];
  const commits: string[][] = [];
  const groups = new GroupCommit({
    transaction: (work) => {
      const before = names(store);
      const value = store.transaction(work);
      commits.push(names(store).filter((name) => !before.includes(name)));
      return value;
    },
    now: () => now,
    later: (run) => void due.push(run),
  });
  const write = (name: string, fails = false) =>
    groups.write((db) => {
      now += msPerWrite;
      writer(name)(db);
      if (fails) throw new Error('no');
    });
  return { groups, commits, write, nextTurn: () => due.shift()?.(), isIdle: () => due.length === 0 };
}

test('many writes of one turn are a commit in each of several short turns, in the order in which they came', async () => {
  const store = open();
  const { commits, write, nextTurn, isIdle } = slowWrites(store, 2);
  const written = ['a', 'b', 'c', 'd', 'e'].map((name) => write(name));
  nextTurn();
  expect(commits).toEqual([['a', 'b', 'c']]);
  written.push(write('f'));
  nextTurn();
  expect(commits).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]);
  await Promise.all(written);
  expect(isIdle()).toBe(true);
  store.close();
});

test('one that fails in a slice takes no other with it, and what is left follows in the next turn', async () => {
  const store = open();
  const { commits, write, nextTurn } = slowWrites(store, 2);
  const ends = Promise.allSettled([write('a'), write('b', true), write('c'), write('d')]);
  nextTurn();
  expect(commits).toEqual([['a']]);
  nextTurn();
  expect(commits.at(-1)).toEqual(['c', 'd']);
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  store.close();
});

test('everything that waits is written at once where it must be', async () => {
  const store = open();
  const { groups, commits, write } = slowWrites(store, 9);
  const written = ['a', 'b', 'c'].map((name) => write(name));
  groups.flush();
  expect(commits).toEqual([['a'], ['b'], ['c']]);
  await Promise.all(written);
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

/** Groups on a database that begins no transaction, and how often that was tried. */
function unbegun() {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  let tries = 0;
  const due: (() => void)[] = [];
  const groups = new GroupCommit({
    transaction: (work) => {
      tries += 1;
      // Otherwise what tries it again and again would never let the test fail.
      if (tries > 9) return work({} as WriteDb);
      throw busy;
    },
    now: () => 0,
    later: (run) => void due.push(run),
  });
  return { groups, busy, due, tries: () => tries };
}

test('where no transaction can be begun, every write that waits is told why, and none is repeated by itself', async () => {
  const { groups, busy, due, tries } = unbegun();
  const ends = Promise.allSettled(['a', 'b', 'c'].map((name) => groups.write(writer(name))));
  due.shift()?.();
  expect([tries(), due.length]).toEqual([1, 0]);
  expect(await ends).toEqual(Array(3).fill({ status: 'rejected', reason: busy }));
  // Likewise where all that waits is written at once.
  const next = groups.write(writer('d')).catch((error: unknown) => error);
  groups.flush();
  expect([await next, tries()]).toEqual([busy, 2]);
});

test('a write that comes after the store is closed fails', async () => {
  const store = open();
  store.close();
  await expect(store.grouped(writer('late'))).rejects.toThrow();
});
