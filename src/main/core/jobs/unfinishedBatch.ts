import { type ReadDb, type SqlParams, sql, unfinishedProject, wholeOnly } from '../store/index.ts';

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
