import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

test('sums of an older ledger that are larger than an integer are migrated, and added to', () => {
  const db = new Database(':memory:');
  migrate(db, { target: (MIGRATIONS.find(({ name }) => name === 'ledgerSums')?.version ?? 0) - 1 });
  db.exec(
    `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
       position, created_at) VALUES ('j', 'video', 'succeeded', '{}', 'p', 'l', 'k', 's', '{}', 0, 0, 1, 0)`,
  );
  let entries = 0;
  const enter = (model: string, nano: bigint) =>
    db
      .prepare(
        `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, model, kind)
         VALUES (?, 'j', 0, 0, '2026-11-01', 'charge', ?, ?, 'video')`,
      )
      .run(`e${++entries}`, nano, model);
  for (let n = 0; n < 9; n++) enter('huge', 1_350_000_000_000_000_000n);
  enter('exact', 9_007_199_254_740_990n);
  enter('negative', -3_500_000_001n);
  migrate(db);
  enter('huge', 1n);
  enter('exact', 1n);
  const sums = db
    .prepare(`SELECT key, settled_nano FROM ledger_sums WHERE grouped_by = 'model' ORDER BY key`)
    .raw()
    .all();
  expect(sums).toEqual([
    ['exact', 9_007_199_254_740_991],
    ['huge', 12_150_000_000_000_000_000],
    ['negative', -3_500_000_001],
  ]);
  db.close();
});
