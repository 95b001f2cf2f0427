import { joinNight, leaveNight, leftOutText, type NightRunRow, nightGateOf } from '../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { inSlices, PER_SLICE } from '../timeSlicing.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './jobRepository.ts';
import * as statements from './queries/jobSql.ts';
import { exceedsHardCap, reevaluate, waitsForUser } from './reevaluate.ts';
import { hasPrice, type JobRow } from './row.ts';
import { isResendLater } from './sending/backoff.ts';

/**
 * Waiting jobs as members of an overnight run: they are moved into it or out of it, and reevaluated when its window, budget or end changes.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ledger'>;

const nightsOfJobs = sql(
  'jobs.nightsOf',
  `SELECT DISTINCT jobs.run_id AS id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE jobs.run_id IS NOT NULL`,
);

/** The overnight runs that contain any of these jobs. */
export const nightsOf = (db: ReadDb, ids: readonly string[]): string[] =>
  db.all<{ id: string }>(nightsOfJobs, { ids: JSON.stringify(ids) }).map(({ id }) => id);

/** A job that was left out of its run can join the same run again. */
const isMember = (db: ReadDb, { id, run_id }: JobRow, run: NightRunRow | undefined): boolean =>
  run_id === (run?.id ?? null) && (run === undefined || leftOutText(db, run.id, id) === undefined);

/**
 * Moves the jobs that still wait. Returns the ids of jobs that changed their run or whose price was confirmed. If the run {@link
 * isShortOfMoney is short of money}, its reservations are then made anew; the other jobs do not change.
 */
export function moveEachToNight(
  deps: Deps,
  db: WriteDb,
  ids: readonly string[],
  run: NightRunRow | undefined,
): string[] {
  return ids.filter((id) => {
    const row = rowById(db, id);
    if (row?.state !== 'queued' && row?.state !== 'blocked') return false;
    if (isMember(db, row, run)) return row.reason === 'priceRose' && reevaluate(deps, db, row);
    moveOne(deps, db, row, run);
    return true;
  });
}

function moveOne(deps: Deps, db: WriteDb, row: JobRow, run: NightRunRow | undefined): void {
  const now = deps.clock.now();
  deps.ledger.release(db, row, run ? 'moved to a night' : 'taken out of its night');
  if (row.run_id !== null) leaveNight(db, row.run_id, row.id, now);
  row.run_id = run?.id ?? null;
  db.run(statements.saveRun, { id: row.id, runId: row.run_id });
  if (run) joinNight(db, run.id, { id: row.id, isPlay: row.play === 1 }, now);
  if (!hasToKeepWaiting(row, now)) reevaluate(deps, db, row);
}

/** Whether the job waits for a time set by the service, or for the user. Changing the run does not end this. */
const hasToKeepWaiting = (row: Pick<JobRow, 'state' | 'reason' | 'next_at'>, now: number): boolean =>
  row.state === 'blocked' &&
  (waitsForUser(row) || ((row.reason === 'rate' || row.reason === 'offline') && isResendLater(row.next_at, now)));

const waitingInRun = sql(
  'jobs.waitingInRun',
  `SELECT id, state, reason, next_at, price, play, project_id FROM jobs
   WHERE run_id = $runId AND state IN ('queued', 'blocked') ORDER BY position`,
);
type WaitingInRun = Pick<JobRow, 'id' | 'state' | 'reason' | 'next_at' | 'price' | 'play' | 'project_id'>;

const shortOfMoneyInRun = sql(
  'jobs.shortOfMoneyInRun',
  `SELECT 1 FROM jobs WHERE run_id = $runId AND state = 'blocked' AND reason = 'budget' AND price <> 'null' LIMIT 1`,
);

/**
 * Reevaluates every waiting job of an overnight run, in small transactions. If the budget blocks a job while a later one has a reservation,
 * all reservations are made anew in queue order. They are released from the end of the queue: if this is interrupted, the first jobs keep
 * their money, and {@link recover} reserves the rest.
 */
export function* reevaluateRunInSlices(deps: Deps & Pick<EngineDeps, 'store'>, runId: string): Generator<void, void> {
  const { store } = deps;
  const { concerned, released } = sharingOf(deps, store.read, runId);
  const release = (db: WriteDb, ids: readonly string[]) => {
    for (const id of ids) releaseOf(deps, db, id, runId);
  };
  const reserve = (db: WriteDb, ids: readonly string[]) => {
    for (const id of ids) reevaluateOf(deps, db, id, runId);
  };
  released.reverse();
  if (concerned.length <= PER_SLICE)
    return void store.transaction((db) => {
      release(db, released);
      reserve(db, concerned);
    });
  yield* inSlices(released, (ids) => store.transaction((db) => release(db, ids)));
  yield;
  yield* inSlices(concerned, (ids) => store.transaction((db) => reserve(db, ids)));
}

/** The jobs of an overnight run to evaluate, in queue order, and those whose reservation is released first. */
function sharingOf(deps: Pick<Deps, 'clock'>, db: ReadDb, runId: string): { concerned: string[]; released: string[] } {
  const now = deps.clock.now();
  const rows = db.all<WaitingInRun>(waitingInRun, { runId });
  const isOver = nightGateOf(db, { run_id: runId }, now).type === 'over';
  const concerned = isOver ? rows : rows.filter((row) => !hasToKeepWaiting(row, now));
  const ids = concerned.map(({ id }) => id);
  if (isOver) return { concerned: ids, released: [] };
  // If the budget is lower than all reservations, all are released; otherwise only those after the first job without one.
  const onePerProject = [...new Map(concerned.map((row) => [`${row.play} ${row.project_id}`, row.id])).values()];
  const isBelow = onePerProject.some((id) => {
    const row = rowById(db, id);
    return row !== undefined && exceedsHardCap(db, row, now);
  });
  const first = isBelow ? 0 : concerned.findIndex((row) => row.reason === 'budget' && hasPrice(row));
  return { concerned: ids, released: first < 0 ? [] : ids.slice(first) };
}

/** The job may have been sent, moved to another run, or canceled since the list was read. */
function waitingOf(db: ReadDb, id: string, runId: string): JobRow | undefined {
  const row = rowById(db, id);
  return row?.run_id === runId && (row.state === 'queued' || row.state === 'blocked') ? row : undefined;
}

function releaseOf(deps: Deps, db: WriteDb, id: string, runId: string): void {
  const row = waitingOf(db, id, runId);
  if (row) deps.ledger.release(db, row, 'shared out anew in the order of the queue');
}

function reevaluateOf(deps: Deps, db: WriteDb, id: string, runId: string): void {
  const row = waitingOf(db, id, runId);
  if (row) reevaluate(deps, db, row);
}

/** Whether some jobs of the run have no reservation. Only then does it matter which jobs join, leave or move. */
export const isShortOfMoney = (db: ReadDb, runId: string): boolean =>
  db.one(shortOfMoneyInRun, { runId }) !== undefined;

/** A job of an ended run that is sent again leaves the run and is sent now. */
export function leaveEndedNight(deps: Deps, db: WriteDb, row: JobRow): void {
  if (row.run_id === null || nightGateOf(db, row, deps.clock.now()).type !== 'over') return;
  row.run_id = null;
  db.run(statements.saveRun, { id: row.id, runId: null });
}
