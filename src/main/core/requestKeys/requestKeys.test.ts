import { afterEach, describe, expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import { type Store, sql } from '../store/index.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from './index.ts';

const opened: Store[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

function start(): Store {
  const store = openTestStore({ dataDir: tempDir('keys'), clock: new TestClock() });
  opened.push(store);
  return store;
}

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const call = (requestKey: string, more: object = {}): KeyedCall | undefined =>
  keyedCall('jobs.enqueue', { requestKey, ...more });
const count = (store: Store) =>
  store.read.one<{ n: number }>(sql('count', 'SELECT count(*) AS n FROM request_keys'))?.n;

/** Makes something under each of the keys, in one transaction. */
const use = (store: Store, keys: readonly string[], at: number) =>
  store.transaction((db) => keys.map((key) => onceByKey(db, call(key), at, () => ok(key))));
const keys = (prefix: string, many: number) => Array.from({ length: many }, (_, n) => `${prefix} number ${n}`);

describe('a key and what was made', () => {
  test('fields in another order are the same input, another value is not', () => {
    const store = start();
    const one = call('key number 1', { a: 1, b: { c: [1, 2], d: undefined } });
    store.transaction((db) => onceByKey(db, one, NOW, () => ok('made')));
    const again = call('key number 1', { b: { d: undefined, c: [1, 2] }, a: 1 });
    expect(earlierResult(store.read, again)).toEqual(ok('made'));
    const other = call('key number 1', { a: 1, b: { c: [2, 1] } });
    expect(earlierResult(store.read, other)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  test('another price shown is the same input', () => {
    const store = start();
    store.transaction((db) => onceByKey(db, call('key number 1', { a: 1, shown: { nano: 1 } }), NOW, () => ok('made')));
    for (const more of [{ a: 1, shown: { nano: 2 } }, { a: 1 }])
      expect(earlierResult(store.read, call('key number 1', more))).toEqual(ok('made'));
    const other = call('key number 1', { a: 2, shown: { nano: 1 } });
    expect(earlierResult(store.read, other)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  test('where the transaction fails after it was made, neither is kept', () => {
    const store = start();
    const crash = () =>
      store.transaction((db) => {
        onceByKey(db, call('key number 1'), NOW, () => ok('made'));
        throw new Error('the disk is full');
      });
    expect(crash).toThrow('the disk is full');
    expect(count(store)).toBe(0);
  });

  test('a refusal is passed on, and nothing is kept of it', () => {
    const store = start();
    const refusal = fail('wrong_state', 'Not now.');
    expect(store.transaction((db) => onceByKey(db, call('key number 1'), NOW, () => refusal))).toEqual(refusal);
    expect(count(store)).toBe(0);
  });

  test('two keys that the database cannot tell apart are not taken for each other', () => {
    const store = start();
    use(store, ['a half: \ud800'], NOW);
    expect(earlierResult(store.read, call('a half: \ud801'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });
});

describe('how long a key is kept', () => {
  test('thirty days', () => {
    const store = start();
    use(store, keys('old', 5), NOW);
    use(store, keys('new', 1_100), NOW + 30 * DAY);
    expect(count(store)).toBe(1_105);
    use(store, keys('newer', 1), NOW + 30 * DAY + 1);
    expect(earlierResult(store.read, call('old number 0'))).toBeUndefined();
    expect(count(store)).toBe(1_101);
  });

  test('a call removes a few at a time, more than it adds', () => {
    const store = start();
    use(store, keys('old', 1_500), NOW);
    use(store, keys('new', 10), NOW + 31 * DAY);
    expect(count(store)).toBe(1_510 - 160);
  });

  test('the newest are kept whatever their age: the clock may have been wrong', () => {
    const store = start();
    use(store, keys('old', 900), 0);
    use(store, keys('new', 50), NOW);
    expect(count(store)).toBe(950);
  });
});
