import { joinNight, leaveNight, leftOutText, type NightRunRow, nightGateOf } from '../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { inSlices, PER_SLICE } from '../timeSlicing.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './jobRepository.ts';
import * as statements from './queries/jobSql.ts';
import { exceedsHardCap, reevaluate, waitsForUser } from './reevaluate.ts';
import { hasPrice, type JobRow } from './row.ts';
import { isResendLater } from './sending/backoff.ts';

/** Waiting jobs as members of a night: they are moved into it or out of it, and reevaluated when its window, cap or end changes. */

type Deps = Pick<EngineDeps, 'clock' | 'ledger'>;

const nightsOfJobs = sql(
  'jobs.nightsOf',
  `SELECT DISTINCT jobs.run_id AS id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE jobs.run_id IS NOT NULL`,
);

/** The nights that some of these jobs are in. */
export const nightsOf = (db: ReadDb, ids: readonly string[]): string[] =>
  db.all<{ id: string }>(nightsOfJobs, { ids: JSON.stringify(ids) }).map(({ id }) => id);

/** One that was left out of its night is a member of it again by joining it once more. */
const isMember = (db: ReadDb, { id, run_id }: JobRow, run: NightRunRow | undefined): boolean =>
  run_id === (run?.id ?? null) && (run === undefined || leftOutText(db, run.id, id) === undefined);

/**
 * Moves those of them that still wait; returns the ids of those that were elsewhere before, or whose price was confirmed. The other jobs
 * of the nights are as they were: their money is shared out anew where it {@link isShortOfMoney is short}.
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

/** Whether the job waits for a time set by the service, or for the user: another night does not change that. */
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
 * Reevaluates every waiting job of a night, in transactions of a few. If one is blocked by the cap while another behind it has a reservation,
 * the night's money is reserved anew, in the order of the queue. It is released from the end of the queue on: where this stops in the middle,
 * those in front still have their money, and {@link recover} reserves the rest.
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

/** The jobs of a night that are evaluated, in the order of the queue, and those among them whose money is released before. */
function sharingOf(deps: Pick<Deps, 'clock'>, db: ReadDb, runId: string): { concerned: string[]; released: string[] } {
  const now = deps.clock.now();
  const rows = db.all<WaitingInRun>(waitingInRun, { runId });
  const isOver = nightGateOf(db, { run_id: runId }, now).type === 'over';
  const concerned = isOver ? rows : rows.filter((row) => !hasToKeepWaiting(row, now));
  const ids = concerned.map(({ id }) => id);
  if (isOver) return { concerned: ids, released: [] };
  // If the cap is below what is reserved, every reservation is released; else only those behind the first job without one.
  const onePerProject = [...new Map(concerned.map((row) => [`${row.play} ${row.project_id}`, row.id])).values()];
  const isBelow = onePerProject.some((id) => {
    const row = rowById(db, id);
    return row !== undefined && exceedsHardCap(db, row, now);
  });
  const first = isBelow ? 0 : concerned.findIndex((row) => row.reason === 'budget' && hasPrice(row));
  return { concerned: ids, released: first < 0 ? [] : ids.slice(first) };
}

/** Since the list was read it may have been sent, moved to another night, or canceled. */
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

/** Whether not all jobs of a night have a reservation: only then does it matter to it who joins, leaves, or is moved in the queue. */
export const isShortOfMoney = (db: ReadDb, runId: string): boolean =>
  db.one(shortOfMoneyInRun, { runId }) !== undefined;

/** A job of an ended night that is sent again is sent now, and belongs to no night. */
export function leaveEndedNight(deps: Deps, db: WriteDb, row: JobRow): void {
  if (row.run_id === null || nightGateOf(db, row, deps.clock.now()).type !== 'over') return;
  row.run_id = null;
  db.run(statements.saveRun, { id: row.id, runId: null });
}
