import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import type { OpenedClient } from '../gateway/index.ts';
import { periodHeadroom, spendOfRun } from '../ledger/index.ts';
import type { Clock, Logger } from '../ports.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import type { NightJobs } from './nightJobs.ts';
import { currentNightRun, endNightRun, leftOutText, type NightRunRow, nightRunById, rulesOf } from './nightRuns.ts';
import { hourOf } from './window.ts';

/** Whether a job's night allows it to be sent now. Read in the transaction that claims it, at the current time. */
export type NightGate =
  /** `floorNano` must remain of the day's and the month's caps. */
  | { type: 'open'; run: NightRunRow | undefined; floorNano: Nano }
  /** The window opens at `at`, or is open and held: nobody knows for how long, and `at`, from which it is paid, is now. */
  | { type: 'later'; run: NightRunRow; at: number; floorNano: Nano }
  /** It is no longer sent in this night. `leftOut`: the night goes on without it, for this reason. */
  | { type: 'over'; run: NightRunRow; leftOut?: string };

const FREE: NightGate = { type: 'open', run: undefined, floorNano: 0 };

/** A job without a night may always be sent. */
export function nightGateOf(db: ReadDb, job: { run_id: string | null; id?: string }, now: number): NightGate {
  const run = job.run_id === null ? undefined : nightRunById(db, job.run_id);
  if (!run) return FREE;
  if (run.ended_at !== null || now >= run.ends_at) return { type: 'over', run };
  const { budgetFloorNano } = rulesOf(run);
  // Also where the rule that left it out was switched off since: it goes on when it is assigned again.
  const leftOut = job.id === undefined ? undefined : leftOutText(db, run.id, job.id);
  if (leftOut !== undefined) return { type: 'over', run, leftOut };
  const floorNano = budgetFloorNano ?? 0;
  // Once it is held no longer, every job of the night is looked at anew.
  if (now >= run.starts_at && run.held !== null) return { type: 'later', run, at: now, floorNano };
  return now < run.starts_at ? { type: 'later', run, at: run.starts_at, floorNano } : { type: 'open', run, floorNano };
}

/** What the floors of a night are held against. */
interface FloorMeasures extends Pick<NightJobs, 'reservedUnderWay'> {
  freeBytes(): number;
}

/**
 * The rule at the claim: inside the window, and no floor passed. A passed floor ends the night in the same transaction, so that nothing
 * is claimed in it afterwards.
 */
export function claimInNight(
  db: WriteDb,
  job: { run_id: string | null; id: string },
  now: number,
  measures: FloorMeasures,
): boolean {
  const gate = nightGateOf(db, job, now);
  if (gate.type !== 'open') return false;
  return gate.run === undefined || !endIfPastFloor(db, gate.run, now, measures);
}

/** Ends the night if the disk or the budget is at its floor; returns whether it did. */
export function endIfPastFloor(db: WriteDb, run: NightRunRow, now: number, measures: FloorMeasures): boolean {
  const why = floorPassed(db, run, now, measures);
  if (why) endNightRun(db, run, why.by, `The run was stopped: ${why.text}`, now);
  return why !== undefined;
}

/** Ends the night if a published balance is below the floor. The plan may have changed since the balance was asked for. */
function endIfBelowBalance(
  db: WriteDb,
  runId: string,
  { name, balanceNano }: { name: string; balanceNano: Nano },
  now: number,
): boolean {
  const run = nightRunById(db, runId);
  const floor = run && run.ended_at === null ? rulesOf(run).balanceFloorNano : null;
  if (!run || floor === null || balanceNano >= floor) return false;
  const text = t`The run was stopped: ${formatNano(balanceNano)} is left on the account at ${name}, less than ${formatNano(floor)}.`;
  endNightRun(db, run, 'balance', text, now);
  return true;
}

interface FloorPassed {
  by: 'disk' | 'budget';
  text: string;
}

function floorPassed(
  db: ReadDb,
  run: NightRunRow,
  now: number,
  { freeBytes, reservedUnderWay }: FloorMeasures,
): FloorPassed | undefined {
  const { diskFloorBytes, budgetFloorNano } = rulesOf(run);
  if (diskFloorBytes !== null) {
    const free = freeBytes();
    if (free < diskFloorBytes)
      return {
        by: 'disk',
        text: t`${formatGigabytes(free)} are free on the disk, less than ${formatGigabytes(diskFloorBytes)}.`,
      };
  }
  if (budgetFloorNano !== null) {
    const left = leftUnderCaps(db, run, now, reservedUnderWay(db, run.id, run.play));
    if (left < budgetFloorNano) {
      const text = t`${formatNano(left)} is left of the limits of the day and the month, less than ${formatNano(budgetFloorNano)}.`;
      return { by: 'budget', text };
    }
  }
  return undefined;
}

/** What is left of the day's and the month's caps, not counting the reservations of this night's waiting jobs: those are not spent. */
function leftUnderCaps(db: ReadDb, run: NightRunRow, now: number, underWayNano: Nano): Nano {
  const play = run.play === 1;
  return periodHeadroom(db, play, now) + spendOfRun(db, play, run.id).reservedNano - underWayNano;
}

/** `20.0 GB`, decimal as disks are sold. */
export const formatGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Why a job was not sent in a night that has ended. */
export const nightClosedText = (run: NightRunRow): string =>
  run.ended_text ?? t`The window closed at ${hourOf(run.ends_at)} before its turn.`;

/** Interval of checks while a night is planned or open: for floors that no job's end reveals, and for a clock that was set. */
export const CHECK_INTERVAL_MS = 60_000;

/** Whether a profile can send, and its name. */
export interface ProfileState {
  status: OpenedClient['status'];
  name: string;
}

interface Deps {
  store: Store;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  jobTable: Pick<NightJobs, 'waitingProfilesOfNight'>;
  profiles: {
    state(id: string): Promise<ProfileState>;
    balance(id: string): Promise<Nano | undefined>;
  };
}

/** The profiles of a night's waiting jobs, and these: whether each can send, its name, and the account's balance if the service publishes it. */
export async function profilesOfNight(
  { profiles, store, jobTable }: Pick<Deps, 'profiles' | 'store' | 'jobTable'>,
  runId: string,
  others: readonly string[] = [],
): Promise<Map<string, ProfileState & { balanceNano?: Nano }>> {
  const ids = new Set([...jobTable.waitingProfilesOfNight(store.read, runId), ...others]);
  const known = [...ids].map(async (id) => {
    const [state, balanceNano] = await Promise.all([profiles.state(id), profiles.balance(id)]);
    return [id, { ...state, ...(balanceNano === undefined ? {} : { balanceNano }) }] as const;
  });
  return new Map(await Promise.all(known));
}

/** Applies the balance floor where the service publishes a balance; otherwise it stops nothing. Returns whether the night was ended. */
export async function balancePassed(deps: Deps, isClosed: () => boolean): Promise<boolean> {
  const { store, clock, log } = deps;
  const run = currentNightRun(store.read);
  const floor = run && rulesOf(run).balanceFloorNano;
  if (!run || floor === null || floor === undefined || run.starts_at - clock.now() > CHECK_INTERVAL_MS) return false;
  try {
    for (const { name, balanceNano } of (await profilesOfNight(deps, run.id)).values()) {
      if (isClosed() || balanceNano === undefined) continue;
      if (store.transaction((db) => endIfBelowBalance(db, run.id, { name, balanceNano }, clock.now()))) return true;
    }
  } catch (error) {
    log.error({ error: String(error) }, 'the balance could not be checked');
  }
  return false;
}
