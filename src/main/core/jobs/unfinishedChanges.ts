import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/**
 * Changes of many jobs that are decided: each is on disk, with the jobs that it names, before its first slice is written, and until its
 * last one is. None of these jobs is sent meanwhile, and an end in the middle leaves nothing out: the next start finishes it.
 */
export type ChangeOfMany =
  | { type: 'cancel' }
  /** Into a night or, without one, out of theirs. `from`: the nights that some of them are in. */
  | { type: 'night'; runId: string | null; from: string[] }
  /** The job with the index `n` goes to the position `from + step × (n + 1)`. */
  | { type: 'move'; from: number; step: number };

export interface UnfinishedChange {
  seq: number;
  change: ChangeOfMany;
  /** In the order in which they are changed. */
  ids: string[];
}

interface Row {
  seq: number;
  change: string;
  job_ids: string;
}

const insert = sql(
  'unfinishedChanges.insert',
  'INSERT INTO unfinished_changes (change, job_ids) VALUES ($change, $ids) RETURNING seq',
);
const all = sql('unfinishedChanges.all', 'SELECT seq, change, job_ids FROM unfinished_changes ORDER BY seq');
const remove = sql('unfinishedChanges.remove', 'DELETE FROM unfinished_changes WHERE seq = $seq');

/** With the caller's transaction it is decided. */
export function decideChange(db: WriteDb, change: ChangeOfMany, ids: string[]): UnfinishedChange {
  const written = db.one<{ seq: number }>(insert, { change: JSON.stringify(change), ids: JSON.stringify(ids) });
  return { seq: written?.seq ?? 0, change, ids };
}

export const removeChange = (db: WriteDb, { seq }: UnfinishedChange): number => db.run(remove, { seq });

/** In the order in which they were decided. */
export const unfinishedChanges = (db: ReadDb): UnfinishedChange[] =>
  db.all<Row>(all).map(({ seq, change, job_ids }) => ({
    seq,
    change: JSON.parse(change) as ChangeOfMany,
    ids: JSON.parse(job_ids) as string[],
  }));
