import type { JobState } from '../../../../shared/jobs/job.ts';
import { sql } from '../../store/index.ts';
import type { JobRow } from '../row.ts';
import { LONGEST_RESEND_MS } from '../sending/backoff.ts';

/** The engine's statements, named for the log and for the tests that assert their query plans. */

export const insertJob = sql(
  'jobs.insert',
  `INSERT INTO jobs (id, kind, state, reason, request, profile_id, play, project_id, run_id, model, lane, idempotency_key, hook_secret, price,
     estimate_nano, estimate_low_nano, confirmed_nano, position, not_before, created_at)
   VALUES ($id, $kind, $state, $reason, $request, $profileId, $play, $projectId, $runId, $model, $lane, $idempotencyKey, $hookSecret, $price,
     $estimateNano, $estimateLowNano, $confirmedNano, $position, $notBefore, $createdAt)`,
);
export const insertDependency = sql(
  'jobs.insertDependency',
  'INSERT OR IGNORE INTO job_deps (job_id, on_id) VALUES ($id, $on)',
);
export const jobById = sql('jobs.byId', 'SELECT * FROM jobs WHERE id = $id');
export const jobsByIds = sql('jobs.byIds', 'SELECT * FROM jobs WHERE id IN (SELECT value FROM json_each($ids))');
export const dependenciesOf = sql('jobs.dependencies', 'SELECT on_id FROM job_deps WHERE job_id = $id');
export const dependentsOf = sql('jobs.dependents', 'SELECT job_id FROM job_deps WHERE on_id = $id');
/** Attempts of several jobs; `$ids` is a JSON array. */
export const attemptsOf = sql(
  'jobs.attempts',
  `SELECT job_id, at, outcome, status, request_id, message, again FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids))
   ORDER BY job_id, n`,
);
export const needsOf = sql(
  'jobs.needs',
  'SELECT job_id, on_id FROM job_deps WHERE job_id IN (SELECT value FROM json_each($ids)) ORDER BY job_id, on_id',
);

/** Raises the revision itself: the trigger would write the row, which may hold megabytes, a second time. */
export const saveStatus = sql(
  'jobs.saveStatus',
  `UPDATE jobs SET state = $state, reason = $reason, progress = $progress, error = $error, next_at = $nextAt,
     sent_at = $sentAt, tries = $tries, finished_at = $finishedAt, revision = revision + 1 WHERE id = $id`,
);
export const saveRemote = sql(
  'jobs.saveRemote',
  'UPDATE jobs SET remote = $remote, remote_id = $remoteId WHERE id = $id',
);
export const saveElsewhere = sql('jobs.saveElsewhere', 'UPDATE jobs SET elsewhere = $elsewhere WHERE id = $id');
/** The partial text is now part of the result. */
export const removePartial = sql(
  'jobs.removePartial',
  `UPDATE jobs SET partial_text = '', partial_reasoning = '', revision = revision + 1 WHERE id = $id`,
);
export const saveResult = sql(
  'jobs.saveResult',
  'UPDATE jobs SET result = $result, revision = revision + 1 WHERE id = $id',
);
export const saveDiffers = sql('jobs.saveDiffers', 'UPDATE jobs SET differs = $differs WHERE id = $id');
export const saveOmitted = sql('jobs.saveOmitted', 'UPDATE jobs SET omitted = $omitted WHERE id = $id');
export const saveInputs = sql('jobs.saveInputs', 'UPDATE jobs SET inputs = $inputs WHERE id = $id');
export const savePosition = sql('jobs.savePosition', 'UPDATE jobs SET position = $position WHERE id = $id');
export const saveRun = sql('jobs.saveRun', 'UPDATE jobs SET run_id = $runId WHERE id = $id');
export const saveRetriedAs = sql('jobs.saveRetriedAs', 'UPDATE jobs SET retried_as = $retriedAs WHERE id = $id');
/** This update raises the revision by one. */
export const saveRequest = sql(
  'jobs.saveRequest',
  `UPDATE jobs SET request = $request, request_revision = revision + 1, model = $model, lane = $lane WHERE id = $id`,
);
export const removeDependency = sql('jobs.removeDependency', 'DELETE FROM job_deps WHERE job_id = $id AND on_id = $on');
export const saveVerdicts = sql(
  'jobs.saveVerdicts',
  'UPDATE jobs SET verdict = $verdict WHERE id IN (SELECT value FROM json_each($ids))',
);
export const saveVerdict = sql('jobs.saveVerdict', 'UPDATE jobs SET verdict = $verdict WHERE id = $id');
export const saveMissing = sql('jobs.saveMissing', 'UPDATE jobs SET missing_since = $since WHERE id = $id');
export const appendPartial = sql(
  'jobs.appendPartial',
  `UPDATE jobs SET partial_text = partial_text || $text, partial_reasoning = partial_reasoning || $reasoning, revision = revision + 1
   WHERE id = $id`,
);

export const insertAttempt = sql(
  'jobs.insertAttempt',
  `INSERT INTO attempts (job_id, n, at, outcome, again, key)
   VALUES ($id, (SELECT coalesce(max(n), 0) + 1 FROM attempts WHERE job_id = $id), $at, 'sending', $again, $key)`,
);
export const saveAttempt = sql(
  'jobs.saveAttempt',
  `UPDATE attempts SET outcome = $outcome, status = $status, request_id = $requestId, message = $message, task = coalesce($task, task)
   WHERE job_id = $id AND n = (SELECT max(n) FROM attempts WHERE job_id = $id)`,
);
const OF_JOB = (state: JobState) =>
  `EXISTS (SELECT 1 FROM jobs WHERE jobs.id = attempts.job_id AND state = '${state}')`;
/** At start nothing is in flight. */
export const closeCanceledAttempts = sql(
  'jobs.closeCanceledAttempts',
  `UPDATE attempts INDEXED BY attempts_sending SET outcome = 'unknown', message = $message
   WHERE outcome = 'sending' AND ${OF_JOB('canceled')}`,
);

export const closeAsking = sql(
  'jobs.closeAsking',
  `UPDATE attempts INDEXED BY attempts_sending SET outcome = 'unknown', message = $message
   WHERE outcome = 'sending' AND again = 1 AND ${OF_JOB('uncertain')}`,
);
/** Whether the outcome of an attempt is still to be written. */
export const hasOpenAttempt = sql(
  'jobs.hasOpenAttempt',
  `SELECT 1 FROM attempts WHERE job_id = $id AND outcome = 'sending' LIMIT 1`,
);
export const askedAgain = sql('jobs.askedAgain', 'SELECT 1 FROM attempts WHERE job_id = $id AND again = 1 LIMIT 1');
export const saveError = sql('jobs.saveError', 'UPDATE jobs SET error = $error WHERE id = $id');

/** Jobs canceled since a time with known results. Their money follows the outcome of the downloads. */
export const canceledWithResults = sql(
  'jobs.canceledWithResults',
  `SELECT id FROM jobs INDEXED BY jobs_ended
   WHERE finished_at >= $since AND finished_at IS NOT NULL AND state = 'canceled' AND quantity IS NOT NULL`,
);

/** Lanes with queued jobs, so that a full lane never hides another. Steps from lane to lane by the index instead of reading every job. */
export const waitingLanes = sql(
  'jobs.waitingLanes',
  `WITH RECURSIVE lanes (lane) AS (
     SELECT min(lane) FROM jobs
     UNION ALL SELECT (SELECT min(lane) FROM jobs WHERE lane > lanes.lane) FROM lanes WHERE lanes.lane IS NOT NULL)
   SELECT lane FROM lanes
   WHERE lane IS NOT NULL AND EXISTS (SELECT 1 FROM jobs WHERE jobs.lane = lanes.lane AND state = 'queued')`,
);
export const busyInLane = sql(
  'jobs.busyInLane',
  `SELECT count(*) AS n FROM jobs WHERE lane = $lane AND state IN ('sending', 'running')`,
);
/** `held`: a JSON array of ids. Held jobs do not block the jobs after them. */
export const nextInLane = sql(
  'jobs.nextInLane',
  `SELECT * FROM jobs WHERE state = 'queued' AND lane = $lane
     AND (next_at IS NULL OR next_at <= $now OR (tries > 0 AND next_at > $now + ${LONGEST_RESEND_MS}))
     AND id NOT IN (SELECT value FROM json_each($held))
   ORDER BY position LIMIT $max`,
);
export const nextDue = sql(
  'jobs.nextDue',
  `SELECT next_at AS at FROM jobs INDEXED BY jobs_due WHERE next_at > $now AND state IN ('queued', 'blocked')
   ORDER BY next_at LIMIT 1`,
);
export const dueBlocked = sql(
  'jobs.dueBlocked',
  `SELECT id, position, seq FROM jobs INDEXED BY jobs_due WHERE next_at <= $now
     AND state = 'blocked' AND reason IN ('rate', 'offline', 'window', 'auth', 'quota', 'key')`,
);
/** Jobs whose next attempt was scheduled before the clock was set back. */
export const putOff = sql(
  'jobs.putOff',
  `SELECT id, position, seq FROM jobs INDEXED BY jobs_due WHERE next_at > $now + ${LONGEST_RESEND_MS}
     AND state = 'blocked' AND reason IN ('rate', 'offline')`,
);
export const blockedBy = sql(
  'jobs.blockedBy',
  `SELECT id, profile_id, lane, next_at FROM jobs WHERE state = 'blocked' AND reason = $reason ORDER BY position`,
);
export type BlockedJob = Pick<JobRow, 'id' | 'profile_id' | 'lane' | 'next_at'>;
/** Queued jobs whose money was reserved before this time. */
export const reservedBefore = sql(
  'jobs.reservedBefore',
  `SELECT id, position, seq FROM jobs WHERE state = 'queued' AND reserved_at < $time ORDER BY position`,
);
export const inState = sql('jobs.inState', 'SELECT * FROM jobs WHERE state = $state ORDER BY position');
const POLL_COLUMNS =
  'id, kind, state, reason, profile_id, remote, progress, missing_since, error, uncertain_nano, unpriced_doubt, created_at';
export const polledJob = sql('jobs.polledJob', `SELECT ${POLL_COLUMNS} FROM jobs WHERE id = $id`);
/**
 * Unconfirmed jobs: the answer was lost, or only the bill can tell the cost. Must be identical to the condition of the index
 * `jobs_in_doubt`.
 */
export const IN_DOUBT = `state = 'uncertain' OR uncertain_nano > 0 OR unpriced_doubt > 0`;
/** Read by the index of unconfirmed costs, because ended jobs are far more. */
export const COST_IN_DOUBT = {
  from: 'jobs INDEXED BY jobs_in_doubt',
  where: `(${IN_DOUBT}) AND (uncertain_nano > 0 OR unpriced_doubt > 0)`,
};
/** Includes jobs that were canceled after the service accepted them: they are polled until their cost is known. */
export const polledJobs = sql(
  'jobs.polledJobs',
  `SELECT ${POLL_COLUMNS} FROM jobs WHERE state = 'running' AND remote IS NOT NULL
   UNION ALL SELECT ${POLL_COLUMNS} FROM ${COST_IN_DOUBT.from} WHERE ${COST_IN_DOUBT.where} AND state = 'canceled' AND remote IS NOT NULL`,
);
/**
 * Unconfirmed jobs with a known task of the last attempt, whose service may answer now. Limited by the time of sending, which a look-up of
 * a running task does not change.
 */
export const lostTasks = sql(
  'jobs.lostTasks',
  `SELECT ${POLL_COLUMNS} FROM jobs INDEXED BY jobs_in_doubt WHERE (${IN_DOUBT}) AND state = 'uncertain' AND remote IS NOT NULL
     AND sent_at > $since AND json_extract(remote, '$.acceptedAt') >= sent_at`,
);
/** Reads every job of these kinds, so it is used only for a job whose answer was lost. */
export const jobByRemoteId = sql(
  'jobs.byRemoteId',
  `SELECT id FROM jobs INDEXED BY jobs_by_remote WHERE remote_id = $remoteId AND profile_id = $profileId AND kind IN (SELECT value FROM json_each($kinds)) LIMIT 1`,
);
/** Includes jobs that were canceled or lost and may still be billed. */
export const openWebhooks = sql(
  'jobs.openWebhooks',
  `SELECT id AS jobId, hook_secret AS secret FROM jobs
     WHERE state IN ('sending', 'running', 'uncertain') AND kind IN (SELECT value FROM json_each($kinds))
   UNION SELECT id, hook_secret FROM ${COST_IN_DOUBT.from} WHERE ${COST_IN_DOUBT.where} AND state = 'canceled'
     AND kind IN (SELECT value FROM json_each($kinds))`,
);
/** Counts open jobs only: ended jobs are far more, and would be counted again at every change. */
export const openCounts = sql(
  'jobs.openCounts',
  `SELECT lane, state, count(*) AS n, total(reserved_nano) AS reservedNano, total(price = 'null') AS unpriced FROM jobs INDEXED BY jobs_open WHERE state IN ('queued', 'blocked', 'sending', 'running', 'fetching') GROUP BY lane, state`,
);
/** By real and test money. The status line, the Queue, Spend and the list of unconfirmed jobs all show these sums. */
export const doubtSums = sql('jobs.doubtSums', 'SELECT play, count, nano, unpriced FROM doubt_sums');
export const anyInProgress = sql(
  'jobs.anyInProgress',
  `SELECT 1 FROM jobs WHERE state IN ('queued', 'sending', 'running', 'fetching') LIMIT 1`,
);
/** Reads in the order of `next_at` (`+` keeps it off the index by state): the first row that matches is the answer. */
export const nextTimedWork = sql(
  'jobs.nextTimedWork',
  `SELECT next_at AS at FROM jobs WHERE next_at IS NOT NULL AND +state = 'blocked' AND reason IN ('rate', 'window') AND run_id IS NOT $exceptRun
   ORDER BY next_at LIMIT 1`,
);
/** `fetched`: a JSON array of the ids of jobs whose results are still being downloaded, even if they were canceled. */
export const openOfProfile = sql(
  'jobs.openOfProfile',
  `SELECT count(*) AS n FROM jobs WHERE profile_id = $profileId
     AND (state IN ('queued', 'blocked', 'sending', 'running', 'fetching', 'uncertain')
       OR id IN (SELECT value FROM json_each($fetched)))`,
);
/** A job whose answer was lost before its task id arrived cannot be looked up, so it is not counted. */
export const atService = sql(
  'jobs.atService',
  `SELECT count(*) AS n FROM jobs WHERE profile_id = $profileId
     AND (state IN ('sending', 'running', 'fetching') OR (state = 'uncertain' AND remote IS NOT NULL)
       OR id IN (SELECT value FROM json_each($fetched)))`,
);
export const queuedIds = sql('jobs.queuedIds', `SELECT id FROM jobs WHERE state = 'queued' ORDER BY position`);
/** Recent send times of a lane, so that the limit per minute holds over a restart. */
export const sentSince = sql(
  'jobs.sentSince',
  `SELECT attempts.at FROM attempts JOIN jobs ON jobs.id = attempts.job_id
   WHERE jobs.lane = $lane AND attempts.at > $since AND jobs.sent_at > $since ORDER BY attempts.at`,
);
