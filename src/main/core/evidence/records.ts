import type { EvidenceRecord, Facts, Json, RecordKind } from '../../../shared/evidence/record.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** Records are added in the transaction of the change that they are about, and never changed. */

const insert = sql(
  'evidence.insert',
  'INSERT INTO evidence (job_id, at, what, facts) VALUES ($jobId, $at, $what, $facts)',
);
const ofJobs = sql(
  'evidence.ofJobs',
  'SELECT * FROM evidence WHERE job_id IN (SELECT value FROM json_each($jobIds)) ORDER BY job_id, seq',
);
const ofKind = sql('evidence.ofKind', 'SELECT 1 FROM evidence WHERE job_id = $jobId AND what = $what LIMIT 1');
const first = sql('evidence.first', 'SELECT at FROM evidence ORDER BY seq LIMIT 1');
const missing = sql('evidence.missing', 'SELECT coalesce(max(seq) - count(*), 0) AS n FROM evidence');
const jobs = sql(
  'evidence.jobs',
  'SELECT DISTINCT job_id AS id FROM evidence WHERE job_id > $after ORDER BY job_id LIMIT $limit',
);

export interface NewRecord {
  jobId: string;
  what: RecordKind;
  facts: Readonly<Record<string, Json | undefined>>;
  /** When it happened, where that is not now. */
  at?: number | undefined;
}

export function addRecord(db: WriteDb, { jobId, what, facts, at = db.now() }: NewRecord): void {
  db.run(insert, { jobId, at, what, facts: JSON.stringify(facts) });
}

export const hasRecord = (db: ReadDb, jobId: string, what: RecordKind): boolean =>
  db.one(ofKind, { jobId, what }) !== undefined;

interface RecordRow extends Omit<EvidenceRecord, 'facts'> {
  job_id: string;
  facts: string;
}

/** By job, in the order in which they were written. */
export function recordsOf(db: ReadDb, jobIds: readonly string[]): Map<string, EvidenceRecord[]> {
  const rows = db.all<RecordRow>(ofJobs, { jobIds: JSON.stringify(jobIds) });
  const read = ({ at, what, facts }: RecordRow) => ({ at, what, facts: JSON.parse(facts) as Facts });
  return new Map([...Map.groupBy(rows, ({ job_id }) => job_id)].map(([id, own]) => [id, own.map(read)]));
}

/** When the first record was written; undefined before. */
export const recordsBegin = (db: ReadDb): number | undefined => db.one<{ at: number }>(first)?.at;

/** How many were removed before the last one: none ever is by Dailies. */
export const missingRecords = (db: ReadDb): number => db.one<{ n: number }>(missing)?.n ?? 0;

/** Jobs with records, by their ids. */
export const recordedJobs = (db: ReadDb, after: string, limit: number): string[] =>
  db.all<{ id: string }>(jobs, { after, limit }).map(({ id }) => id);
