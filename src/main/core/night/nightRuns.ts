import type { JobError, JobState } from '../../../shared/jobs/job.ts';
import {
  type NightEnd,
  type NightPlan,
  type NightRules,
  type NotRunReason,
  nightRulesSchema,
} from '../../../shared/jobs/night.ts';
import { t } from '../../../shared/text/texts.ts';
import { setRunCapSide } from '../ledger/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** A run as stored. Its budget is that of scope `run` under its id. */
export interface NightRunRow {
  number: number;
  id: string;
  start_hour: string;
  end_hour: string;
  starts_at: number;
  ends_at: number;
  rules: string;
  failures_in_row: number;
  refusals_in_row: number;
  ended_at: number | null;
  ended_by: NightEnd | null;
  ended_text: string | null;
  /** 1 for test money; 0 from the first job that spends real money. */
  play: number;
  /** JSON of {@link NightSettings}; runs of older versions have none. */
  settings: string;
  /** Why the run sends nothing although its window has begun. */
  held: 'battery' | null;
  /** When the user was notified that all its jobs are done. */
  done_at: number | null;
  /** Why it did not open again on its next day. */
  not_opened: string | null;
}

const NO_RULES = nightRulesSchema.parse({});

/** Rules unknown to an older version are off. */
export const rulesOf = (run: Pick<NightRunRow, 'rules'>): NightRules => ({
  ...NO_RULES,
  ...(JSON.parse(run.rules) as Partial<NightRules>),
});

type NightSettings = Pick<NightPlan, 'days' | 'keepAwake' | 'notify'>;

export const settingsOf = (run: Pick<NightRunRow, 'settings'>): NightSettings => ({
  days: [],
  keepAwake: true,
  notify: true,
  ...(JSON.parse(run.settings) as Partial<NightSettings>),
});

const byId = sql('night.byId', 'SELECT * FROM night_runs WHERE id = $id');
const current = sql('night.current', 'SELECT * FROM night_runs WHERE ended_at IS NULL');
const newestEnded = sql(
  'night.newestEnded',
  'SELECT * FROM night_runs WHERE ended_at IS NOT NULL ORDER BY number DESC LIMIT 1',
);
const begunBetween = sql(
  'night.begunBetween',
  'SELECT * FROM night_runs WHERE starts_at >= $from AND starts_at < $to ORDER BY number DESC LIMIT 1',
);
const unannounced = sql(
  'night.unannounced',
  'SELECT * FROM night_runs WHERE ended_at IS NOT NULL AND told = 0 ORDER BY number',
);
const saveAnnounced = sql('night.told', 'UPDATE night_runs SET told = 1 WHERE id = $id');
const insert = sql(
  'night.insert',
  `INSERT INTO night_runs (id, start_hour, end_hour, starts_at, ends_at, rules, settings, play, created_at)
   VALUES ($id, $start, $end, $startsAt, $endsAt, $rules, $settings, $play, $now)`,
);
const replan = sql(
  'night.replan',
  `UPDATE night_runs SET start_hour = $start, end_hour = $end, starts_at = $startsAt, ends_at = $endsAt, rules = $rules, settings = $settings, play = $play
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

/** The newest run whose window starts on this local day, `2026-11-21`. */
export function nightRunOn(db: ReadDb, day: string): NightRunRow | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const [from, to] = [new Date(year, month - 1, date), new Date(year, month - 1, date + 1)];
  return db.one<NightRunRow>(begunBetween, { from: from.getTime(), to: to.getTime() });
}
export const nightRunById = (db: ReadDb, id: string): NightRunRow | undefined => db.one<NightRunRow>(byId, { id });

/** The planned or open run; there is at most one. */
export const currentNightRun = (db: ReadDb): NightRunRow | undefined => db.one<NightRunRow>(current);

export const lastNightRun = (db: ReadDb): NightRunRow | undefined => db.one<NightRunRow>(newestEnded);

/** Ended runs whose end is not completed and announced yet. */
export const unannouncedNightRuns = (db: ReadDb): NightRunRow[] => db.all<NightRunRow>(unannounced);

export const setAnnounced = (db: WriteDb, id: string): number => db.run(saveAnnounced, { id });

interface NightRunPlan {
  id: string;
  start: string;
  end: string;
  startsAt: number;
  endsAt: number;
  rules: NightRules;
  settings: NightSettings;
  /** True if it is planned with test money. */
  play: boolean;
}

export function insertNightRun(db: WriteDb, plan: NightRunPlan, now: number): void {
  db.run(insert, { ...columnsOf(plan), now });
}

export function replanNightRun(db: WriteDb, plan: NightRunPlan): void {
  db.run(replan, columnsOf(plan));
}

const columnsOf = ({ rules, settings, play, ...plan }: NightRunPlan) => ({
  ...plan,
  rules: JSON.stringify(rules),
  settings: JSON.stringify(settings),
  play: play ? 1 : 0,
});

const saveHeld = sql('night.held', 'UPDATE night_runs SET held = $held WHERE id = $id');
const saveDone = sql('night.done', 'UPDATE night_runs SET done_at = $now WHERE id = $id AND done_at IS NULL');

const notOpened = sql('night.notOpened', 'UPDATE night_runs SET not_opened = $text WHERE id = $id');

export const saveNotOpened = (db: WriteDb, id: string, text: string): number => db.run(notOpened, { id, text });

export const holdNightRun = (db: WriteDb, id: string, held: NightRunRow['held']): number =>
  db.run(saveHeld, { id, held });

/** Returns 0 if the user was already notified. */
export const setDone = (db: WriteDb, id: string, now: number): number => db.run(saveDone, { id, now });

/** Ends a run for good. Sent jobs finish; queued ones are not sent. */
export function endNightRun(db: WriteDb, run: NightRunRow, by: NightEnd, text: string, now: number): void {
  db.run(end, { id: run.id, at: now, by, text });
}

function saveStreaks(db: WriteDb, id: string, failures: number, refusals: number): void {
  db.run(saveRow, { id, failures, refusals });
}

const join = sql(
  'night.join',
  `INSERT INTO night_jobs (run_id, job_id, joined_at) VALUES ($runId, $jobId, $now)
   ON CONFLICT DO UPDATE SET left_at = NULL, left_out = NULL, not_run = NULL, not_run_text = NULL`,
);
const setRealMoney = sql('night.markRealMoney', 'UPDATE night_runs SET play = 0 WHERE id = $runId AND play = 1');
const members = sql('night.members', 'SELECT job_id AS id FROM night_jobs WHERE run_id = $runId AND left_at IS NULL');
const ended = sql('night.ended', 'SELECT id FROM night_runs WHERE ended_at IS NOT NULL ORDER BY number');
const deleteMembership = sql('night.forget', 'DELETE FROM night_jobs WHERE run_id = $runId AND job_id = $jobId');
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

/** A job with real money turns the run's figures into real money, whichever profile planned it. */
export function joinNight(db: WriteDb, runId: string, job: { id: string; isPlay: boolean }, now: number): void {
  db.run(join, { runId, jobId: job.id, now });
  if (!job.isPlay && db.run(setRealMoney, { runId }) > 0) setRunCapSide(db, runId, false);
}

/** The present jobs of a run. */
export const nightMemberIds = (db: ReadDb, runId: string): string[] =>
  db.all<{ id: string }>(members, { runId }).map(({ id }) => id);

/** In the order of the runs. */
export const endedNightRunIds = (db: ReadDb): string[] => db.all<{ id: string }>(ended).map(({ id }) => id);

/** A job that leaves before the start was never part of the run; later it stays in the report. */
export function leaveNight(db: WriteDb, runId: string, jobId: string, now: number): void {
  const run = nightRunById(db, runId);
  const begun = run === undefined || run.ended_at !== null || run.starts_at <= now;
  db.run(begun ? leave : deleteMembership, begun ? { runId, jobId, now } : { runId, jobId });
}

const leaveOut = sql(
  'night.leaveOut',
  'UPDATE night_jobs SET left_out = $text WHERE run_id = $runId AND job_id = $jobId AND left_out IS NULL',
);
const leftOut = sql(
  'night.leftOut',
  'SELECT left_out AS text FROM night_jobs WHERE run_id = $runId AND job_id = $jobId AND left_out IS NOT NULL',
);

/** The job stays in its run and is not sent in it. Returns 0 if it was left out before. */
export const leaveOutOfNight = (db: WriteDb, runId: string, jobId: string, text: string): number =>
  db.run(leaveOut, { runId, jobId, text });

const allLeftOut = sql(
  'night.allLeftOut',
  'SELECT job_id AS id, left_out AS text FROM night_jobs WHERE run_id = $runId AND left_out IS NOT NULL',
);

/** The jobs left out of a run, with the reasons. */
export const leftOutOf = (db: ReadDb, runId: string): Map<string, string> =>
  new Map(db.all<{ id: string; text: string }>(allLeftOut, { runId }).map(({ id, text }) => [id, text]));

/** Why a job is left out of its run. */
export const leftOutText = (db: ReadDb, runId: string, jobId: string): string | undefined =>
  db.one<{ text: string }>(leftOut, { runId, jobId })?.text;

export const PRICE_ROSE = t`The price rose and was not confirmed.`;
export const NO_SOURCE = t`An earlier job has no result.`;

/** Recorded for the report, since the job may move to another run. The first reason is kept. */
export function recordNotRun(db: WriteDb, runId: string, jobId: string, reason: NotRunReason, text: string): void {
  db.run(saveNotRun, { runId, jobId, reason, text });
}

/** Whether it has a rule about free bytes or the remaining budget. */
export const hasFloor = (run: NightRunRow | undefined): boolean => {
  if (!run) return false;
  const { diskFloorBytes, budgetFloorNano } = rulesOf(run);
  return diskFloorBytes !== null || budgetFloorNano !== null;
};

/** The facts about a job whose state has just changed. */
interface EndedMember {
  run_id: string | null;
  state: JobState;
  error: string | null;
  sent_at: number | null;
}

type Outcome = 'success' | 'failure' | 'refusal';

/**
 * Counts consecutive outcomes in the transaction that ends the job, and ends the run by rule. A success resets both counts; failures and
 * refusals do not interrupt each other. A lost reply is a failure unless the rule `goOnInDoubt` is on. Not counted: jobs that were never
 * sent (failed input), canceled jobs, and jobs cut off by the end of Dailies.
 */
export function recordOutcomeInNight(db: WriteDb, job: EndedMember, before: JobState, now: number): void {
  const outcome = job.run_id === null || job.state === before ? undefined : outcomeOf(job, before);
  const run = outcome && job.run_id !== null ? nightRunById(db, job.run_id) : undefined;
  if (!outcome || !run || run.ended_at !== null || isIgnored(job, run)) return;
  const next = (inRow: number, counted: Outcome) => (outcome === 'success' ? 0 : inRow + (outcome === counted ? 1 : 0));
  const failures = next(run.failures_in_row, 'failure');
  const refusals = next(run.refusals_in_row, 'refusal');
  if (failures !== run.failures_in_row || refusals !== run.refusals_in_row) saveStreaks(db, run.id, failures, refusals);
  endByStreak(db, run, { failures, refusals }, now);
}

const isIgnored = ({ state }: EndedMember, run: NightRunRow): boolean =>
  state === 'uncertain' && rulesOf(run).goOnInDoubt;

function outcomeOf({ state, error, sent_at }: EndedMember, before: JobState): Outcome | undefined {
  if (state === 'succeeded') return 'success';
  if (state === 'uncertain') return 'failure';
  // The failure was counted when the job became unconfirmed.
  if (state !== 'failed' || before === 'uncertain' || sent_at === null) return undefined;
  const kind = error === null ? undefined : (JSON.parse(error) as JobError).kind;
  return kind === 'moderation' ? 'refusal' : 'failure';
}

function endByStreak(
  db: WriteDb,
  run: NightRunRow,
  streaks: { failures: number; refusals: number },
  now: number,
): void {
  const { failuresInRow, refusalsInRow } = rulesOf(run);
  if (failuresInRow !== null && streaks.failures >= failuresInRow)
    endNightRun(db, run, 'failures', t`The run was stopped: ${counted(streaks.failures, 'failure')}.`, now);
  else if (refusalsInRow !== null && streaks.refusals >= refusalsInRow)
    endNightRun(db, run, 'refusals', t`The run was stopped: ${counted(streaks.refusals, 'refusal')}.`, now);
}

const counted = (n: number, what: string): string => (n === 1 ? `1 ${what}` : `${n} ${what}s in a row`);
