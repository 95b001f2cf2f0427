import { type ReadDb, type Restorable, sql } from '../store/index.ts';

/** The ledger is only added to: a backup of this folder holds its beginning, and a restore keeps all of it. */

const unknownEntries = sql(
  'ledger.unknownEntries',
  `SELECT count(*) AS n FROM past.ledger_entries p
   WHERE NOT EXISTS (SELECT 1 FROM main.ledger_entries m WHERE m.seq = p.seq AND m.id = p.id)`,
);
const newer = sql(
  'ledger.newerEntries',
  'SELECT count(*) AS n FROM main.ledger_entries WHERE seq > (SELECT coalesce(max(seq), 0) FROM past.ledger_entries)',
);

const count = (db: ReadDb, statement: typeof newer): number => db.one<{ n: number }>(statement)?.n ?? 0;

export const restorableLedger: Restorable = {
  unknown: (db) => count(db, unknownEntries),
  preview: () => ({ gone: [], back: [] }),
  restore: () => undefined,
};

/** The number of entries since the backup; a restore keeps them. */
export const entriesSince = (db: ReadDb): number => count(db, newer);
