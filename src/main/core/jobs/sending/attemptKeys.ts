import type { SubmitOutcome } from '../../gateway/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';

/** Under which key each attempt of a job was sent, and which task its answer named. */

const LAST = 'job_id = $id AND n = (SELECT max(n) FROM attempts WHERE job_id = $id)';

const saveKey = sql('jobs.saveKey', `UPDATE attempts SET key = $key WHERE ${LAST}`);
const saveReached = sql('jobs.saveReached', `UPDATE attempts SET key = NULL, reached = 1 WHERE ${LAST}`);
const lastKey = sql('jobs.lastKey', `SELECT key FROM attempts WHERE ${LAST}`);
const otherTask = sql(
  'jobs.otherTaskUnderKey',
  'SELECT 1 FROM attempts WHERE job_id = $id AND key = $key AND task IS NOT NULL AND task <> $task LIMIT 1',
);
const lostOrders = sql(
  'jobs.lostAsOtherOrders',
  `SELECT count(*) AS n FROM attempts WHERE job_id = $id AND again = 0 AND outcome = 'unknown' AND task IS NOT $task
     AND (key IS NOT $key OR task IS NOT NULL)`,
);

const sentBefore = sql(
  'jobs.attemptSentBefore',
  `SELECT n, at, status, request_id AS requestId FROM attempts WHERE job_id = $id AND again = 0
     AND n < (SELECT max(n) FROM attempts WHERE job_id = $id) ORDER BY at <= $time DESC, n DESC LIMIT 1`,
);
const saveTaken = sql(
  'jobs.saveAttemptAsTaken',
  `UPDATE attempts SET outcome = 'accepted', message = $message WHERE job_id = $id AND n = $n`,
);

/** An attempt that was sent, and what its answer said of itself. */
interface SentAttempt {
  n: number;
  at: number;
  facts: { status?: number; requestId?: string };
}

/** The last attempt of a job before the present one that was sent by a time, such as that of a task which it was accepted as. */
export function attemptSentBefore(db: ReadDb, id: string, time: number): SentAttempt | undefined {
  const row = db.one<{ n: number; at: number; status: number | null; requestId: string | null }>(sentBefore, {
    id,
    time,
  });
  if (!row) return undefined;
  const { n, at, status, requestId } = row;
  return { n, at, facts: { ...(status === null ? {} : { status }), ...(requestId === null ? {} : { requestId }) } };
}

/** An attempt whose order was in doubt was taken after all: another job follows it. */
export const saveAsTaken = (db: WriteDb, id: string, n: number, message: string): number =>
  db.run(saveTaken, { id, n, message });

/** The task that an answer names. The id of a chat's answer is none: a repeated answer may have another one. */
export function taskNamedIn(outcome: SubmitOutcome): string | undefined {
  if (outcome.type === 'accepted' || outcome.type === 'unknown') return outcome.task?.id;
  return outcome.type === 'done' && !outcome.ofAnswer ? outcome.remoteId : undefined;
}

/** The key of the request that the current attempt sends. */
export const saveKeyOfAttempt = (db: WriteDb, id: string, key: string): number => db.run(saveKey, { id, key });

/** A request of the current attempt reached the service, which refused it; another spelling of it follows. */
export const saveRefusedSpelling = (db: WriteDb, id: string): number => db.run(saveReached, { id });

/** The key of the last request of a job; null if it is not known. */
export const keyOfLastAttempt = (db: ReadDb, id: string): string | null =>
  db.one<{ key: string | null }>(lastKey, { id })?.key ?? null;

/** Whether the answer names another task than an earlier answer to the same key did. */
export function showsIgnoredKey(db: ReadDb, id: string, key: string, outcome: SubmitOutcome): boolean {
  const task = taskNamedIn(outcome);
  return task !== undefined && db.one(otherTask, { id, key, task }) !== undefined;
}

/** How many attempts were lost that were sent under other keys, or got another task than this: each may be an order of its own. */
export const lostAsOtherOrders = (db: ReadDb, id: string, key: string | null, task: string): number =>
  db.one<{ n: number }>(lostOrders, { id, key, task })?.n ?? 0;
