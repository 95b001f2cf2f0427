import type { ShownPrice } from '../../../shared/ledger.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { priceChanged } from '../ledger/index.ts';
import { joinNight, leaveNight, type NightRunRow, nightGateOf } from '../night/index.ts';
import { sql, type WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './records.ts';
import { hasPrice, type JobRow, priceOfRow } from './row.ts';
import * as statements from './statements.ts';
import { exceedsHardCap, reevaluate, waitsForUser } from './waiting.ts';

/** Waiting jobs as members of a night: they are moved into it or out of it, and reevaluated when its window, cap or end changes. */

type Deps = Pick<EngineDeps, 'clock' | 'ledger'>;

/** Moves waiting jobs into a night or, without one, out of theirs; all or none. Returns the ids that changed. */
export function moveToNight(
  deps: Deps,
  db: WriteDb,
  { ids, run, shown }: { ids: string[]; run: NightRunRow | undefined; shown: ShownPrice | undefined },
): Result<string[]> {
  const rows: JobRow[] = [];
  const prices: ShownPrice[] = [];
  for (const [index, id] of [...new Set(ids)].entries()) {
    const row = rowById(db, id);
    if (!row) return fail('not_found', `ids.${index}: there is no such job.`, { field: `ids.${index}` });
    if (row.state !== 'queued' && row.state !== 'blocked')
      return fail('wrong_state', `ids.${index}: it is ${row.state}; only a waiting job can be moved.`, {
        field: `ids.${index}`,
      });
    prices.push(priceOfRow(row));
    if (row.run_id !== (run?.id ?? null)) rows.push(row);
  }
  const changed = priceChanged(shown, ...prices);
  if (changed) return changed;
  const left = new Set(rows.flatMap((row) => row.run_id ?? []));
  for (const row of rows) moveOne(deps, db, row, run);
  const runs = run ? [...left, run.id] : [...left];
  const others = runs.flatMap((runId) => reevaluateRun(deps, db, runId));
  return ok([...new Set([...rows.map(({ id }) => id), ...others])]);
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
const hasToKeepWaiting = (row: JobRow, now: number): boolean =>
  row.state === 'blocked' &&
  (waitsForUser(row) ||
    ((row.reason === 'rate' || row.reason === 'offline') && row.next_at !== null && row.next_at > now));

const waitingInRun = sql(
  'jobs.waitingInRun',
  `SELECT * FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked') ORDER BY position`,
);

const shortOfMoneyInRun = sql(
  'jobs.shortOfMoneyInRun',
  `SELECT 1 FROM jobs WHERE run_id = $runId AND state = 'blocked' AND reason = 'budget' AND price <> 'null' LIMIT 1`,
);

/**
 * Reevaluates every waiting job of a night. If one is blocked by the cap while another behind it has a reservation, the night's money is
 * reserved anew, in the order of the queue. Returns the ids that changed.
 */
export function reevaluateRun(deps: Deps, db: WriteDb, runId: string): string[] {
  const now = deps.clock.now();
  const rows = db.all<JobRow>(waitingInRun, { runId });
  const isOver = nightGateOf(db, { run_id: runId }, now).type === 'over';
  const concerned = isOver ? rows : rows.filter((row) => !hasToKeepWaiting(row, now));
  if (!isOver) {
    // If the cap is below what is reserved, every reservation is released; else only those behind the first job without one.
    const onePerProject = [...new Map(concerned.map((row) => [`${row.play} ${row.project_id}`, row])).values()];
    const firstReleased = onePerProject.some((row) => exceedsHardCap(db, row, now))
      ? 0
      : concerned.findIndex((row) => row.reason === 'budget' && hasPrice(row));
    for (const row of firstReleased < 0 ? [] : concerned.slice(firstReleased))
      deps.ledger.release(db, row, 'shared out anew in the order of the queue');
  }
  return concerned.filter((row) => reevaluate(deps, db, row)).map(({ id }) => id);
}

/** A changed order of the queue matters to a night only if not all of its jobs have a reservation. */
export function reevaluateAfterMove(deps: Deps, db: WriteDb, runId: string | null): string[] {
  const isShort = runId === null ? undefined : db.one(shortOfMoneyInRun, { runId });
  return runId === null || !isShort ? [] : reevaluateRun(deps, db, runId);
}

/** A job of an ended night that is sent again is sent now, and belongs to no night. */
export function leaveEndedNight(deps: Deps, db: WriteDb, row: JobRow): void {
  if (row.run_id === null || nightGateOf(db, row, deps.clock.now()).type !== 'over') return;
  row.run_id = null;
  db.run(statements.saveRun, { id: row.id, runId: null });
}
