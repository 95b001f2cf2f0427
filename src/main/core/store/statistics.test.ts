import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, type Store, sql } from './index.ts';

afterEach(() => vi.useRealTimers());

const open = (dataDir: string): Store => openTestStore({ dataDir, clock: new TestClock() });

const addChats = (
  count: number,
  from = 0,
) => `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})
  INSERT INTO conversations (id, title, created_at, updated_at) SELECT 'k' || i, '', i, i FROM n`;
const known = `SELECT stat FROM sqlite_stat1 WHERE idx = 'conversations_by_number'`;
const rowsKnown = (store: Store): number =>
  Number.parseInt(store.read.one<{ stat: string }>(sql('test.known', known))?.stat ?? '0', 10);

test('the statistics are those of the file as it is opened', async () => {
  const dataDir = tempDir('statistics');
  await open(dataDir).close();
  for (const [from, count] of [
    [0, 10],
    [10, 390],
  ] as const) {
    const db = new Database(databaseFile(dataDir));
    db.exec(addChats(count, from));
    db.close();
    const store = open(dataDir);
    expect(rowsKnown(store)).toBe(from + count);
    await store.close();
  }
});

test('while it is open they are renewed every hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const dataDir = tempDir('statistics');
  const store = open(dataDir);
  store.transaction((db) => {
    db.run(sql('test.add', addChats(400)));
    db.all(sql('test.read', 'SELECT id FROM conversations WHERE seq = 5'));
  });
  const told = () => {
    const db = new Database(databaseFile(dataDir), { readonly: true });
    const row = db.prepare(`SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'`).pluck().get();
    const stat = row ? db.prepare(known).pluck().get() : undefined;
    db.close();
    return Number.parseInt(String(stat ?? '0'), 10);
  };
  expect(told()).toBe(0);
  vi.advanceTimersByTime(3_600_000);
  expect(told()).toBe(400);
  await store.close();
});
