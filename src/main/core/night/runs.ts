import type { NightEnd, NightRules, NotRunReason } from '../../../shared/night.ts';
import { setRunCapSide } from '../ledger/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** A night as its table holds it. Its cap is the budget of scope `run` under its id. */
export interface RunRow {
  number: number;
  id: string;
  start_hour: string;
  end_hour: string;
  starts_at: number;
  ends_at: number;
  /** JSON of {@link NightRules}. */
  rules: string;
  failures_in_row: number;
  refusals_in_row: number;
  ended_at: number | null;
  ended_by: NightEnd | null;
  ended_text: string | null;
  /** 1: its money is play money. It is real money from the first real job on. */
  play: number;
}

export const rulesOf = (run: RunRow): NightRules => JSON.parse(run.rules) as NightRules;

const byId = sql('night.byId', 'SELECT * FROM night_runs WHERE id = $id');
const current = sql('night.current', 'SELECT * FROM night_runs WHERE ended_at IS NULL');
const newestEnded = sql(
  'night.newestEnded',
  'SELECT * FROM night_runs WHERE ended_at IS NOT NULL ORDER BY number DESC LIMIT 1',
);
const untold = sql('night.untold', 'SELECT * FROM night_runs WHERE ended_at IS NOT NULL AND told = 0 ORDER BY number');
const saveTold = sql('night.told', 'UPDATE night_runs SET told = 1 WHERE id = $id');
const insert = sql(
  'night.insert',
  `INSERT INTO night_runs (id, start_hour, end_hour, starts_at, ends_at, rules, play, created_at)
   VALUES ($id, $start, $end, $startsAt, $endsAt, $rules, $play, $now)`,
);
const replan = sql(
  'night.replan',
  `UPDATE night_runs SET start_hour = $start, end_hour = $end, starts_at = $startsAt, ends_at = $endsAt, rules = $rules, play = $play
   WHERE id = $id AND ended_at IS NULL`,
);
const end = sql(
  'night.end',
  'UPDATE night_runs SET ended_at = $at, ended_by = $by, ended_text = $text WHERE id = $id AND ended_at IS NULL',
);
const saveRow = sql(
  'night.row',
  'UPDATE night_runs SET failures_in_row = $failures, refusals_in_row = $refusals WHERE id = $id',
);

export const runById = (db: ReadDb, id: string): RunRow | undefined => db.one<RunRow>(byId, { id });

/** The night that is planned or open; there is one at most. */
export const currentRun = (db: ReadDb): RunRow | undefined => db.one<RunRow>(current);

export const lastRun = (db: ReadDb): RunRow | undefined => db.one<RunRow>(newestEnded);

/** Ended, and its end not yet carried out and told. */
export const untoldRuns = (db: ReadDb): RunRow[] => db.all<RunRow>(untold);

export const markTold = (db: WriteDb, id: string): number => db.run(saveTold, { id });

export interface Planned {
  id: string;
  start: string;
  end: string;
  startsAt: number;
  endsAt: number;
  rules: NightRules;
  /** Whether it is planned with play money. */
  play: boolean;
}

export function insertRun(db: WriteDb, { rules, play, ...plan }: Planned, now: number): void {
  db.run(insert, { ...plan, rules: JSON.stringify(rules), play: play ? 1 : 0, now });
}

export function replanRun(db: WriteDb, { rules, play, ...plan }: Planned): void {
  db.run(replan, { ...plan, rules: JSON.stringify(rules), play: play ? 1 : 0 });
}

/** For good: a night that has ended never opens again. What is under way is finished; what waits is not sent. */
export function endRun(db: WriteDb, run: RunRow, by: NightEnd, text: string, now: number): void {
  db.run(end, { id: run.id, at: now, by, text });
}

export function saveRows(db: WriteDb, id: string, failures: number, refusals: number): void {
  db.run(saveRow, { id, failures, refusals });
}

const join = sql(
  'night.join',
  `INSERT INTO night_jobs (run_id, job_id, joined_at) VALUES ($runId, $jobId, $now)
   ON CONFLICT DO UPDATE SET left_at = NULL, not_run = NULL, not_run_text = NULL`,
);
const turnReal = sql(
  'night.turnReal',
  'UPDATE night_runs SET play = 0 WHERE id = $runId AND play = 1 AND EXISTS (SELECT 1 FROM jobs WHERE id = $jobId AND play = 0)',
);
const realJob = sql(
  'night.realJob',
  `SELECT 1 FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id
   WHERE night_jobs.run_id = $runId AND night_jobs.left_at IS NULL AND jobs.play = 0 LIMIT 1`,
);
const forget = sql('night.forget', 'DELETE FROM night_jobs WHERE run_id = $runId AND job_id = $jobId');
const leave = sql(
  'night.leave',
  `UPDATE night_jobs SET left_at = $now, not_run = coalesce(not_run, 'moved'),
     not_run_text = coalesce(not_run_text, 'It was taken out of this night before it was sent.')
   WHERE run_id = $runId AND job_id = $jobId`,
);
const saveNotRun = sql(
  'night.notRun',
  `UPDATE night_jobs SET not_run = $reason, not_run_text = $text WHERE run_id = $runId AND job_id = $jobId AND not_run IS NULL`,
);

export function joinRun(db: WriteDb, runId: string, jobId: string, now: number): void {
  db.run(join, { runId, jobId, now });
  if (db.run(turnReal, { runId, jobId }) > 0) setRunCapSide(db, runId, false);
}

/** Whether real money is in a night: then its figures are real money's, whatever profile it was planned with. */
export const hasRealJobs = (db: ReadDb, runId: string): boolean => db.one(realJob, { runId }) !== undefined;

/** A job that leaves before the night began was never part of it; later it stays in its report. */
export function leaveRun(db: WriteDb, runId: string, jobId: string, now: number): void {
  const run = runById(db, runId);
  const begun = run === undefined || run.ended_at !== null || run.starts_at <= now;
  db.run(begun ? leave : forget, begun ? { runId, jobId, now } : { runId, jobId });
}

/** Kept for the report, since the job may be moved to another night later. The first reason stands. */
export function noteNotRun(db: WriteDb, runId: string, jobId: string, reason: NotRunReason, text: string): void {
  db.run(saveNotRun, { runId, jobId, reason, text });
}
