import type { RestoredItem } from '../../../../shared/contract/backupCalls.ts';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import { kindOf, promptOf } from '../../../../shared/kinds/index.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { en } from '../../../../shared/text/texts.ts';
import { notUnfinishedInBackup, type ReadDb, type RestoreParticipant, sql } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { IN_DOUBT } from '../queries/jobSql.ts';
import { type JobRow, requestOf } from '../row.ts';
import { type BulkWrites, decideChange } from './bulkWrites.ts';

/**
 * A restore keeps every job that was sent, because it is a record: its possible bill, its results, its unconfirmed cost and its keys. A new
 * job that was never sent is canceled. A job that was canceled since the backup is not queued again, because a restore sends nothing.
 * Ratings are documents and become those of the backup.
 */

const unknownJobs = sql(
  'jobs.unknownOfBackup',
  `SELECT count(*) AS n FROM past.jobs p WHERE NOT EXISTS (SELECT 1 FROM main.jobs m WHERE m.seq = p.seq AND m.id = p.id)
     AND ${notUnfinishedInBackup('p.project_id')}`,
);
/** A job that was sent before and waits to be sent again is not new. */
const newJobs = sql(
  'jobs.newOrders',
  `SELECT id, kind, request FROM main.jobs m WHERE state IN ('draft', 'queued', 'blocked') AND sent_at IS NULL AND remote_id IS NULL
     AND NOT (${IN_DOUBT}) AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = m.id)
     AND NOT EXISTS (SELECT 1 FROM past.jobs p WHERE p.id = m.id) ORDER BY seq DESC`,
);
const judged = (side: 'past' | 'main'): string =>
  `SELECT seq, verdict FROM ${side}.jobs INDEXED BY jobs_by_verdict WHERE verdict IS NOT NULL`;
/** Uses the index of each side: the rating is stored after the longest columns, and most jobs have none. */
const OTHER_VERDICT = `(SELECT seq FROM (${judged('past')} EXCEPT ${judged('main')})
     UNION SELECT seq FROM (${judged('main')} EXCEPT ${judged('past')})) other
   JOIN past.jobs p ON p.seq = other.seq JOIN main.jobs m ON m.seq = p.seq AND m.id = p.id`;
const otherVerdicts = sql('jobs.otherVerdictsThanBackup', `SELECT count(*) AS n FROM ${OTHER_VERDICT}`);
const verdicts = sql(
  'jobs.verdictsOfBackup',
  `UPDATE jobs SET verdict = (SELECT p.verdict FROM past.jobs p WHERE p.id = jobs.id)
   WHERE id IN (SELECT p.id FROM ${OTHER_VERDICT})`,
);
const sending = sql('jobs.beingSent', `SELECT count(*) AS n FROM jobs WHERE state = 'sending'`);
const doubts = sql('jobs.doubtsNow', `SELECT count(*) AS n FROM jobs INDEXED BY jobs_in_doubt WHERE ${IN_DOUBT}`);

const count = (db: ReadDb, statement: typeof sending): number => db.one<{ n: number }>(statement)?.n ?? 0;

/** Open cases of both sides. */
export const countUnconfirmed = (db: ReadDb): number => count(db, doubts);

type NewJobRow = Pick<JobRow, 'id' | 'kind' | 'request'>;

function itemOf(row: NewJobRow): RestoredItem {
  const request = requestOf(row as JobRow);
  const prompt = promptOf(request);
  const title = prompt.trim() === '' ? kindOf(request).words.untitled : shortened(prompt, 80);
  return { type: 'job', id: row.id, title };
}

/** `isEnqueueing`: whether a decided batch is not yet completely in the queue. Its remaining jobs would not be canceled. */
export const jobsFromBackup = (
  { log }: Pick<EngineDeps, 'log'>,
  bulk: Pick<BulkWrites, 'finish'>,
  isEnqueueing: (db: ReadDb) => boolean,
): RestoreParticipant => ({
  busy: (db) => whileSending(db) ?? (isEnqueueing(db) ? whileEnqueueing : undefined),
  unknown: (db) => count(db, unknownJobs),
  preview: (db) => ({
    gone: db.all<NewJobRow>(newJobs).map(itemOf),
    back: [],
    changed: [{ type: 'verdict', count: count(db, otherVerdicts) }],
  }),
  restore(db) {
    db.run(verdicts);
    const ids = db.all<NewJobRow>(newJobs).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    // The last jobs go first, so that a job that depends on another one is canceled too instead of failing.
    const decided = decideChange(db, { type: 'cancel' }, ids);
    const failed = (error: unknown) => log.error({ error: String(error) }, 'jobs could not be canceled; they are held');
    return () => void bulk.finish(decided).catch(failed);
  },
});

/** A model that is still answering would continue from the state before the restore. */
function whileSending(db: ReadDb): Result<never> | undefined {
  const requests = count(db, sending);
  if (requests === 0) return undefined;
  const what = requests === 1 ? 'One request is being sent' : `${requests} requests are being sent`;
  return fail('wrong_state', en`${what}, and the answer is not there yet. Nothing was restored; try again when it is.`);
}

const whileEnqueueing = fail(
  'wrong_state',
  en`Orders are still being written to the queue. Nothing was restored; try again when all of them are there.`,
);
