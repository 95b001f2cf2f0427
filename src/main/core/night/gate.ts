import { formatNano, type Nano } from '../../../shared/money.ts';
import { periodHeadroom, spendOfRun } from '../ledger/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { endRun, type RunRow, rulesOf, runById } from './runs.ts';
import { hourOf } from './window.ts';

/** Whether a job may be sent now as far as its night goes. Asked in the transaction that claims it, with the clock as it is then. */
export type Gate =
  /** `floorNano` has to be left of the caps of the day and the month. */
  | { type: 'open'; run: RunRow | undefined; floorNano: Nano }
  /** Its window opens at that moment. */
  | { type: 'later'; run: RunRow; at: number; floorNano: Nano }
  /** Never sent in this night any more. */
  | { type: 'over'; run: RunRow };

const FREE: Gate = { type: 'open', run: undefined, floorNano: 0 };

/** A job without a night may always be sent. */
export function gateOf(db: ReadDb, job: { run_id: string | null }, now: number): Gate {
  const run = job.run_id === null ? undefined : runById(db, job.run_id);
  if (!run) return FREE;
  if (run.ended_at !== null || now >= run.ends_at) return { type: 'over', run };
  const floorNano = rulesOf(run).budgetFloorNano ?? 0;
  return now < run.starts_at ? { type: 'later', run, at: run.starts_at, floorNano } : { type: 'open', run, floorNano };
}

/**
 * The rule at the claim: inside its window, and no floor passed. A floor that is passed ends the night in the same transaction, so
 * nothing is claimed in it afterwards.
 */
export function mayRun(db: WriteDb, job: { run_id: string | null }, now: number, freeBytes: () => number): boolean {
  const gate = gateOf(db, job, now);
  if (gate.type !== 'open') return false;
  return gate.run === undefined || !endedByFloor(db, gate.run, now, freeBytes);
}

/** Ends the night when the disk or the budget is at its floor; says whether it did. */
export function endedByFloor(db: WriteDb, run: RunRow, now: number, freeBytes: () => number): boolean {
  const why = floorPassed(db, run, now, freeBytes);
  if (why) endRun(db, run, why.by, `The night was stopped: ${why.text}`, now);
  return why !== undefined;
}

/** The same for a balance that a service has told; by then the night may have another floor, or none. */
export function endedByBalance(
  db: WriteDb,
  runId: string,
  { name, balanceNano }: { name: string; balanceNano: Nano },
  now: number,
): boolean {
  const run = runById(db, runId);
  const floor = run && run.ended_at === null ? rulesOf(run).balanceFloorNano : null;
  if (!run || floor === null || balanceNano >= floor) return false;
  const text = `The night was stopped: ${formatNano(balanceNano)} is left on the account at ${name}, less than ${formatNano(floor)}.`;
  endRun(db, run, 'balance', text, now);
  return true;
}

interface FloorPassed {
  by: 'disk' | 'budget';
  text: string;
}

function floorPassed(db: ReadDb, run: RunRow, now: number, freeBytes: () => number): FloorPassed | undefined {
  const { diskFloorBytes, budgetFloorNano } = rulesOf(run);
  if (diskFloorBytes !== null) {
    const free = freeBytes();
    if (free < diskFloorBytes)
      return { by: 'disk', text: `${gigabytes(free)} are free on the disk, less than ${gigabytes(diskFloorBytes)}.` };
  }
  if (budgetFloorNano !== null) {
    const left = leftOfCaps(db, run, now);
    if (left < budgetFloorNano) {
      const text = `${formatNano(left)} is left of the caps of the day and the month, less than ${formatNano(budgetFloorNano)}.`;
      return { by: 'budget', text };
    }
  }
  return undefined;
}

const underWaySum = sql(
  'night.underWaySum',
  `SELECT total(reserved_nano) AS nano FROM jobs
   WHERE run_id = $runId AND play = $play AND state IN ('sending', 'running', 'fetching')`,
);

/** What this night's waiting jobs have set aside is not spent: without them, what is left of the day's and the month's caps. */
function leftOfCaps(db: ReadDb, run: RunRow, now: number): Nano {
  const underWay = db.one<{ nano: Nano }>(underWaySum, { runId: run.id, play: run.play })?.nano ?? 0;
  const play = run.play === 1;
  return periodHeadroom(db, play, now) + spendOfRun(db, play, run.id).reservedNano - underWay;
}

/** `20.0 GB`, decimal as disks are sold. */
export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Why a job was not sent in a night that is over. */
export const closedText = (run: RunRow): string =>
  run.ended_text ?? `The window closed at ${hourOf(run.ends_at)} before its turn.`;
