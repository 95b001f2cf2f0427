import { isTerminal, JOB_STATES } from '../../../../shared/jobs/job.ts';
import type { LeftOfSide } from '../../../../shared/jobs/night.ts';
import { kindOf, promptOf } from '../../../../shared/kinds/index.ts';
import type { Nano } from '../../../../shared/money/money.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import type { MemberDependency, NightJobs } from '../../night/index.ts';
import { type FoundRow, hitsIn, IS_HIT, type ReadDb, sql, type TextSource } from '../../store/index.ts';
import { usualMs } from '../jobRepository.ts';
import { disputedJobs, gatewaysOfNight, idsBetween, idsOfNight } from '../money/disputes.ts';
import { hasEndedWithoutSuccess, resultsOfEnded } from '../reevaluate.ts';
import { type JobRow, requestOf } from '../row.ts';
import { ofWholeProjects } from './filter.ts';

/** Queries about jobs for other modules, usable in their transactions, so that no other SQL names these tables. */

const chargedUnsettled = sql(
  'jobs.chargedUnsettled',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NOT NULL AND (charged_nano <> charged_low_nano OR unpriced > 0)`,
);
const waitingOfProfile = sql(
  'jobs.waitingOfProfile',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND state IN ('queued', 'blocked') ORDER BY position`,
);
const sentUncharged = sql(
  'jobs.sentUncharged',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NULL
     AND (state IN ('sending', 'running', 'fetching', 'uncertain') OR (state IN ('failed', 'canceled') AND (uncertain_nano > 0 OR unpriced_doubt > 0)))`,
);

const keptTakes = sql(
  'jobs.kept',
  `SELECT id, request, finished_at AS at FROM jobs INDEXED BY jobs_ended
   WHERE finished_at IS NOT NULL AND finished_at < $before AND verdict = 'keep' ORDER BY finished_at DESC LIMIT $limit`,
);
const keptByModel = sql(
  'jobs.keptByModel',
  `SELECT id, model FROM jobs WHERE verdict = 'keep' AND profile_id = $profileId AND state = 'succeeded' AND model IS NOT NULL
     AND kind IN (SELECT value FROM json_each($kinds)) ORDER BY seq DESC LIMIT $limit`,
);
const waitingOfNight = sql(
  'jobs.waitingOfNight',
  `SELECT id, kind, model, lane, profile_id, project_id, play, price, unpriced_allowed, reason, error, estimate_nano, estimate_low_nano, reserved_nano, reserved_low_nano, reserved_at,
     money_run, not_before
   FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked') ORDER BY position`,
);
/** A job whose results are all here counts as `succeeded`, even if it was canceled. */
const withResults = (db: ReadDb, need: MemberDependency): MemberDependency =>
  hasEndedWithoutSuccess(need) && resultsOfEnded(db, { id: need.onId }) === 'here'
    ? { ...need, state: 'succeeded' }
    : need;

const dependenciesOfNight = sql(
  'jobs.dependenciesOfNight',
  `SELECT job_deps.job_id AS jobId, job_deps.on_id AS onId, other.state, other.run_id AS runId FROM jobs
   JOIN job_deps ON job_deps.job_id = jobs.id JOIN jobs AS other ON other.id = job_deps.on_id
   WHERE jobs.run_id = $runId AND jobs.state IN ('queued', 'blocked')`,
);
const underWay = sql(
  'jobs.underWay',
  `SELECT lane, kind, model, sent_at AS sentAt FROM jobs WHERE state IN ('sending', 'running')`,
);
const reservedUnderWay = sql(
  'jobs.reservedUnderWay',
  `SELECT total(reserved_nano) AS nano FROM jobs
   WHERE run_id = $runId AND play = $play AND state IN ('sending', 'running', 'fetching')`,
);
const sendingBefore = sql(
  'jobs.sendingBefore',
  `SELECT 1 FROM jobs WHERE state = 'sending' AND sent_at <= $at LIMIT 1`,
);
const countsByState = sql(
  'jobs.countsByState',
  'SELECT state, reason, count(*) AS n FROM jobs GROUP BY state, reason ORDER BY state, reason',
);
const queuedOfNight = sql(
  'jobs.queuedOfNight',
  `SELECT 1 FROM jobs WHERE run_id = $runId AND state = 'queued' LIMIT 1`,
);
const statesOfNight = sql(
  'jobs.statesOfNight',
  'SELECT jobs.state, count(*) AS n FROM jobs WHERE run_id = $runId GROUP BY jobs.state',
);
const MOST_LEFT = 1_000;
/** The first jobs of each side, run by run, with the number of jobs on that side. */
const leftInNights = sql(
  'jobs.leftOfNights',
  `SELECT id, play, count FROM (
     SELECT jobs.id, jobs.play, runs.key AS night, jobs.position, count(*) OVER (PARTITION BY jobs.play) AS count,
       row_number() OVER (PARTITION BY jobs.play ORDER BY runs.key, jobs.position) AS place
     FROM json_each($runIds) AS runs CROSS JOIN jobs ON jobs.run_id = runs.value AND jobs.state IN ('queued', 'blocked'))
   WHERE place <= ${MOST_LEFT} ORDER BY night, position`,
);
const realMoneyAmong = sql(
  'jobs.realMoneyAmong',
  'SELECT 1 FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value AND jobs.play = 0 LIMIT 1',
);
const waitingProfilesOfNight = sql(
  'jobs.waitingProfilesOfNight',
  `SELECT DISTINCT profile_id AS id FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked')`,
);
const waitingLanesOfNight = sql(
  'jobs.waitingLanesOfNight',
  `SELECT DISTINCT lane FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked')`,
);
const askedAgainInNight = sql(
  'jobs.askedAgainInNight',
  `SELECT count(DISTINCT jobs.id) AS jobs, count(DISTINCT iif(jobs.state <> 'uncertain', jobs.id, NULL)) AS answered
   FROM jobs JOIN attempts ON attempts.job_id = jobs.id
   WHERE jobs.run_id = $runId AND attempts.again = 1 AND attempts.at >= $from AND attempts.at < $to`,
);
const ofNights = sql(
  'jobs.ofNights',
  `SELECT jobs.id, run_id AS runId, project_id AS projectId, state = 'failed' AND error ->> 'kind' = 'moderation' AS isRefused
   FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE run_id IS NOT NULL`,
);
const refusedAmong = sql(
  'jobs.refusedAmong',
  `SELECT count(*) AS n FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value
   WHERE jobs.run_id = $runId AND jobs.state = 'failed' AND jobs.error ->> 'kind' = 'moderation'`,
);
const waitingAmong = sql(
  'jobs.waitingAmong',
  `SELECT jobs.id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value
   WHERE jobs.run_id = $runId AND jobs.state IN ('queued', 'blocked')`,
);
const notMadeAmong = sql(
  'jobs.notMadeAmong',
  `SELECT jobs.id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE jobs.state <> 'succeeded'`,
);

/** Queries about the jobs of overnight runs. */
const nightJobs: NightJobs = {
  waitingOfNight: (db, runId) => db.all(waitingOfNight, { runId }),
  dependenciesOfNight: (db, runId) =>
    db.all<MemberDependency>(dependenciesOfNight, { runId }).map((need) => withResults(db, need)),
  underWay: (db) => db.all(underWay),
  usualMs,
  reservedUnderWay: (db, runId, play) => db.one<{ nano: Nano }>(reservedUnderWay, { runId, play })?.nano ?? 0,
  hasQueuedOfNight: (db, runId) => db.one(queuedOfNight, { runId }) !== undefined,
  statesOfNight: (db, runId) => db.all(statesOfNight, { runId }),
  leftOfNights(db, runIds) {
    const rows = db.all<{ id: string; play: number; count: number }>(leftInNights, { runIds: JSON.stringify(runIds) });
    const leftOverBySide = [0, 1].flatMap((side): LeftOfSide[] => {
      const own = rows.filter(({ play }) => play === side);
      return own[0] ? [{ play: side === 1, count: own[0].count, ids: own.map(({ id }) => id) }] : [];
    });
    return { leftOver: rows.slice(0, MOST_LEFT).map(({ id }) => id), leftOverBySide };
  },
  waitingProfilesOfNight: (db, runId) => db.all<{ id: string }>(waitingProfilesOfNight, { runId }).map(({ id }) => id),
  waitingLanesOfNight: (db, runId) => db.all<{ lane: string }>(waitingLanesOfNight, { runId }).map(({ lane }) => lane),
  askedAgainInNight: (db, runId, hours) => db.one(askedAgainInNight, { runId, ...hours }) ?? { jobs: 0, answered: 0 },
  ofNights: (db, ids) => db.all(ofNights, { ids: JSON.stringify(ids) }),
  refusedAmong: (db, runId, ids) => db.one<{ n: number }>(refusedAmong, { runId, ids: JSON.stringify(ids) })?.n ?? 0,
  waitingAmong: (db, runId, ids) =>
    db.all<{ id: string }>(waitingAmong, { runId, ids: JSON.stringify(ids) }).map(({ id }) => id),
  anySpendsRealMoney: (db, ids) => db.one(realMoneyAmong, { ids: JSON.stringify(ids) }) !== undefined,
};

export const jobTable = {
  ...nightJobs,
  disputed: disputedJobs,
  idsOfNight,
  idsBetween,
  gatewaysOfNight,
  /** Jobs of a profile whose charge is not final: the price is ambiguous or unknown. */
  chargedUnsettled: (db: ReadDb, profileId: string) => db.all<JobRow>(chargedUnsettled, { profileId }),
  /** Takes that were kept and ended before a moment, newest first. */
  kept: (db: ReadDb, before: number, limit: number) =>
    db.all<{ id: string; request: string; at: number }>(keptTakes, { before, limit }),
  /** Kept takes of these kinds that this profile made, newest first. */
  keptByModel: (db: ReadDb, profileId: string, { kinds, limit }: { kinds: readonly string[]; limit: number }) =>
    db.all<{ id: string; model: string }>(keptByModel, { profileId, kinds: JSON.stringify(kinds), limit }),
  /** Not sent yet, in the order of the queue. */
  waitingOfProfile: (db: ReadDb, profileId: string) => db.all<JobRow>(waitingOfProfile, { profileId }),
  /** At the service, unconfirmed, or ended with an unconfirmed cost: a request was sent and its bill is open. */
  sentUncharged: (db: ReadDb, profileId: string) => db.all<JobRow>(sentUncharged, { profileId }),
  /** Whether a job that was claimed before this moment is still being sent. */
  isSendingSince: (db: ReadDb, at: number) => db.one(sendingBefore, { at }) !== undefined,
  /** Counts every job, so it must run away from the main thread. */
  countsByState: (db: ReadDb) => db.all<{ state: string; reason: string | null; n: number }>(countsByState),
  /** The jobs of these that have no result yet, or never will. */
  notMadeAmong: (db: ReadDb, ids: readonly string[]) =>
    db.all<{ id: string }>(notMadeAmong, { ids: JSON.stringify(ids) }).map(({ id }) => id),
};

const byNumber = sql(
  'jobs.foundTexts',
  'SELECT seq, id, request, model FROM jobs WHERE seq IN (SELECT value FROM json_each($seqs))',
);

/** A job from a bundle arrived when its project was created. */
const CAME_AT = `max(created_at, coalesce(
  CASE WHEN elsewhere IS NOT NULL THEN (SELECT p.created_at FROM projects p WHERE p.id = jobs.project_id) END, 0))`;

/** Jobs by their prompt and model. */
export const foundJobs: TextSource = {
  find(db, page) {
    const { where, params } = ofWholeProjects(db, { where: IS_HIT, params: { ...page } });
    const find = sql(
      'jobs.find',
      `SELECT seq, created_at AS at, ${CAME_AT} AS cameAt FROM ${hitsIn('job')} CROSS JOIN jobs ON seq = hit.rowid WHERE ${where}
       ORDER BY hit.rowid DESC LIMIT $limit`,
    );
    return db.all<FoundRow>(find, params);
  },
  read: (db, seqs) =>
    db.all<JobRow>(byNumber, { seqs: JSON.stringify(seqs) }).map((row) => {
      const request = requestOf(row);
      const prompt = promptOf(request);
      const title = prompt.trim() === '' ? kindOf(request).words.untitled : shortened(prompt, 80);
      return { seq: row.seq, id: row.id, title, texts: [prompt, row.model ?? ''] };
    }),
};

/** Jobs that have not ended: still to be sent, awaiting an answer, or possibly sent again. */
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
   UNION SELECT t.value FROM bulk_rows, json_tree(bulk_rows.staged) t WHERE $ids IS NULL AND ${IS_ID}`,
);

/**
 * The ids of open jobs, and of the assets and jobs that they use: of all open jobs, including those still to be written, or only of these.
 */
export const referencedInJobs = (db: ReadDb, ids?: readonly string[]): string[] =>
  db.all<{ id: string }>(named, { ids: ids ? JSON.stringify(ids) : null }).map(({ id }) => id);

/** Paid requests since a time. */
export interface SentSince {
  jobs: number;
  /** How many of the jobs are being sent, made or fetched. */
  underWay: number;
  /** Charged, reserved and unconfirmed. */
  nano: Nano;
  /** How many of the jobs have no known price; the amount does not include them. */
  unpriced: number;
}

const sentSinceThen = sql(
  'jobs.sentSince',
  `SELECT count(*) AS jobs, coalesce(sum(state IN ('sending', 'running', 'fetching')), 0) AS underWay,
      coalesce(sum(charged_nano + reserved_nano + uncertain_nano), 0) AS nano,
      coalesce(sum(price = 'null' AND (unpriced > 0 OR state NOT IN ('succeeded', 'failed', 'canceled'))), 0) AS unpriced
    FROM jobs WHERE play = 0 AND sent_at >= $at`,
);

export const sentSince = (db: ReadDb, at: number): SentSince =>
  db.one<SentSince>(sentSinceThen, { at }) ?? { jobs: 0, underWay: 0, nano: 0, unpriced: 0 };
