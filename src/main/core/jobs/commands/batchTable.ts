import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import {
  type ReadDb,
  type SqlParams,
  type Store,
  sql,
  unfinishedProject,
  type WriteDb,
  wholeOnly,
} from '../../store/index.ts';

/** The tables of batches that are being enqueued. */

interface BatchRecord {
  id: string;
  /** JSON of the profile that it was decided with. */
  profile: string;
  run_id: string | null;
  first_position: number | null;
}

interface StagedRow {
  n: number;
  job_id: string;
  request: string;
  project_id: string | null;
  night: number;
}

const insert = sql(
  'batches.insert',
  `INSERT INTO batches (id, state, profile, created_at) VALUES ($id, 'staged', $profile, $now)`,
);
const stage = sql(
  'batches.stage',
  `INSERT INTO batch_jobs (batch_id, n, job_id, request, project_id, night)
   VALUES ($id, $n, $jobId, $request, $projectId, $night)`,
);
const decideOne = sql(
  'batches.decide',
  `UPDATE batches SET state = 'writing', first_position = $first, last_position = $last, after_seq = $afterSeq, run_id = $runId
   WHERE id = $id`,
);
const byId = sql('batches.byId', 'SELECT * FROM batches WHERE id = $id');
const writing = sql('batches.writing', `SELECT * FROM batches WHERE state = 'writing' ORDER BY created_at`);
const next = sql('batches.next', 'SELECT * FROM batch_jobs WHERE batch_id = $id ORDER BY n LIMIT $limit');
const deleteUpTo = sql('batches.deleteUpTo', 'DELETE FROM batch_jobs WHERE batch_id = $id AND n <= $n');
const deleteJobs = sql('batches.deleteJobs', 'DELETE FROM batch_jobs WHERE batch_id = $id');
const deleteBatch = sql('batches.delete', 'DELETE FROM batches WHERE id = $id');
const staged = sql('batches.staged', `SELECT id FROM batches WHERE state = 'staged'`);

export function insertBatch(db: WriteDb, batch: { id: string; profile: string; now: number }): void {
  db.run(insert, batch);
}

interface StagedJob {
  n: number;
  jobId: string;
  request: StudioRequest;
  projectId?: string | undefined;
  night?: boolean | undefined;
}

export function insertStaged(db: WriteDb, id: string, { n, jobId, request, projectId, night }: StagedJob): void {
  const values = { n, jobId, request: JSON.stringify(request), projectId: projectId ?? null, night: night ? 1 : 0 };
  db.run(stage, { id, ...values });
}

/** From now on it is enqueued: its positions are its own, and its run is the one it waits for. */
export function decide(
  db: WriteDb,
  id: string,
  place: { first: number; last: number; afterSeq: number; runId: string | null },
): void {
  db.run(decideOne, { id, ...place });
}

export const batchById = (db: ReadDb, id: string): BatchRecord | undefined => db.one<BatchRecord>(byId, { id });
export const isDecided = (db: ReadDb, id: string): boolean => decided(db).some((batch) => batch.id === id);
export const decided = (db: ReadDb): BatchRecord[] => db.all<BatchRecord>(writing);
export const nextStaged = (db: ReadDb, id: string, limit: number): StagedRow[] =>
  db.all<StagedRow>(next, { id, limit });
export const removeUpTo = (db: WriteDb, id: string, n: number): number => db.run(deleteUpTo, { id, n });

export function remove(db: WriteDb, id: string): void {
  db.run(deleteJobs, { id });
  db.run(deleteBatch, { id });
}

export function removeStaged(db: WriteDb): void {
  for (const { id } of db.all<{ id: string }>(staged)) remove(db, id);
}

/** Best effort after a fault of the disk. */
export function tryRemove(store: Store, id: string): void {
  try {
    store.transaction((db) => remove(db, id));
  } catch {
    // It stays staged, where nothing looks, until the next start.
  }
}

/**
 * The jobs of a batch that is being written: the batch is decided, and only its first slices are in the table of jobs. Until the last one
 * is, none of it is sent, listed or counted. They have the positions that were set aside for the batch, and nothing else has.
 */
interface Unfinished {
  fromPosition: number;
  toPosition: number;
  /** No job of it has a number up to this one; an ended job may have any position. */
  afterSeq: number;
}

const unfinished = sql(
  'jobs.unfinishedBatch',
  `SELECT first_position AS fromPosition, last_position AS toPosition, after_seq AS afterSeq FROM batches WHERE state = 'writing' LIMIT 1`,
);
const NONE: Unfinished = { fromPosition: 0, toPosition: -1, afterSeq: Number.MAX_SAFE_INTEGER };

const unfinishedIn = (db: ReadDb): Unfinished => db.one<Unfinished>(unfinished) ?? NONE;

/** For statements over waiting jobs; needs {@link hiddenParams}. */
export const NOT_HIDDEN = 'NOT (position BETWEEN $fromPosition AND $toPosition)';

export function hiddenParams(db: ReadDb): { fromPosition: number; toPosition: number } {
  const { fromPosition, toPosition } = unfinishedIn(db);
  return { fromPosition, toPosition };
}

interface Conditions {
  where: string;
  params: SqlParams;
}

/** The conditions of a list without the jobs of an unfinished batch, and of a project that is being written. */
export function withoutHidden(db: ReadDb, conditions: Conditions): Conditions {
  const { where, params } = ofWholeProjects(db, conditions);
  const batch = unfinishedIn(db);
  if (batch === NONE) return { where, params };
  const { fromPosition, toPosition, afterSeq } = batch;
  return {
    where: `${where} AND NOT (seq > $hiddenAfter AND +position BETWEEN $hiddenFrom AND $hiddenTo)`,
    params: { ...params, hiddenAfter: afterSeq, hiddenFrom: fromPosition, hiddenTo: toPosition },
  };
}

/** The same of ended jobs, which no batch has any more. */
export function ofWholeProjects(db: ReadDb, { where, params }: Conditions): Conditions {
  const { conditions, params: own } = wholeOnly(db, '+project_id');
  return { where: [where, ...conditions].join(' AND '), params: { ...params, ...own } };
}

/** Whether this is a job of an unfinished batch, or of a project that is being written. */
export function hiddenTest(db: ReadDb): (row: { seq: number; position: number; project_id: string | null }) => boolean {
  const { fromPosition, toPosition, afterSeq } = unfinishedIn(db);
  const project = unfinishedProject(db) ?? '';
  return ({ seq, position, project_id: own }) =>
    own === project || (seq > afterSeq && position >= fromPosition && position <= toPosition);
}
