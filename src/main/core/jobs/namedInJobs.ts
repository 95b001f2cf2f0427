import { isTerminal, JOB_STATES } from '../../../shared/jobs/job.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** Not ended: it is still to be sent, or its answer is still to come, or it may be sent again. */
const OPEN = `state IN (${JOB_STATES.filter((state) => !isTerminal(state))
  .map((state) => `'${state}'`)
  .join(', ')})`;
const CHOSEN = '($ids IS NULL OR id IN (SELECT value FROM json_each($ids)))';
const IS_ID = `t.type = 'text' AND length(t.value) <= 200 AND instr(t.value, ' ') = 0`;

const named = sql(
  'jobs.named',
  `WITH open AS (SELECT id, request FROM jobs WHERE ${OPEN} AND ${CHOSEN})
   SELECT id FROM open
   UNION SELECT t.value FROM open, json_tree(open.request) t WHERE ${IS_ID}
   UNION SELECT i.asset_id FROM open JOIN job_inputs i ON i.job_id = open.id
   UNION SELECT t.value FROM batch_jobs, json_tree(batch_jobs.request) t WHERE $ids IS NULL AND ${IS_ID}`,
);

/** The ids of assets and jobs that open jobs use, and their own: of all, with those of batches that a fault left unwritten, or of these. */
export const namedInJobs = (db: ReadDb, ids?: readonly string[]): string[] =>
  db.all<{ id: string }>(named, { ids: ids ? JSON.stringify(ids) : null }).map(({ id }) => id);
