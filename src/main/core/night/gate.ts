import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { OpenedClient } from '../gateway/index.ts';
import { periodHeadroom, spendOfRun } from '../ledger/index.ts';
import type { Clock, Logger, Power } from '../ports.ts';
import { powerSourceOf } from '../power/index.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import type { NightJobs } from './nightJobs.ts';
import {
  currentNightRun,
  endNightRun,
  holdNightRun,
  leftOutText,
  type NightRunRow,
  nightRunById,
  rulesOf,
} from './nightRuns.ts';
import { hourOf } from './runHours.ts';

/** Whether a job's run allows it to be sent now. Read in the transaction that claims it, at the current time. */
export type NightGate =
  /** `floorNano` must remain of the day's and the month's budgets. */
  | { type: 'open'; run: NightRunRow | undefined; floorNano: Nano }
  /** The window opens at `at`. Or it is open and on hold for an unknown time; then `at`, which decides the day of payment, is now. */
  | { type: 'later'; run: NightRunRow; at: number; floorNano: Nano }
  /** The job is no longer sent in this run. `leftOut`: why the run continues without the job. */
  | { type: 'over'; run: NightRunRow; leftOut?: string };

const FREE: NightGate = { type: 'open', run: undefined, floorNano: 0 };

/** A job without a run may always be sent. */
export function nightGateOf(db: ReadDb, job: { run_id: string | null; id?: string }, now: number): NightGate {
  const run = job.run_id === null ? undefined : nightRunById(db, job.run_id);
  if (!run) return FREE;
  if (run.ended_at !== null || now >= run.ends_at) return { type: 'over', run };
  const { budgetFloorNano } = rulesOf(run);
  // Applies even if the rule was switched off since: the job continues once it is assigned again.
  const leftOut = job.id === undefined ? undefined : leftOutText(db, run.id, job.id);
  if (leftOut !== undefined) return { type: 'over', run, leftOut };
  const floorNano = budgetFloorNano ?? 0;
  // Once the run is no longer held, all its jobs are evaluated again.
  if (now >= run.starts_at && run.held !== null) return { type: 'later', run, at: now, floorNano };
  return now < run.starts_at ? { type: 'later', run, at: run.starts_at, floorNano } : { type: 'open', run, floorNano };
}

/** The measures that the floors of a run are compared with. */
interface FloorMeasures extends Pick<NightJobs, 'reservedUnderWay'> {
  freeBytes(): number;
}

/** Checks window and floors at the claim. A passed floor ends the run in the same transaction, so that nothing more is claimed in it. */
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

/** Ends the run if disk or budget are below their floor; returns whether it did. */
export function endIfPastFloor(db: WriteDb, run: NightRunRow, now: number, measures: FloorMeasures): boolean {
  const why = floorPassed(db, run, now, measures);
  if (why) endNightRun(db, run, why.by, `The run was stopped: ${why.text}`, now);
  return why !== undefined;
}

/** Ends the run if a balance is below the floor. The plan may have changed since the balance was requested. */
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
        text: t`${formatGigabytes(free)} free on the disk, less than ${formatGigabytes(diskFloorBytes)}.`,
      };
  }
  if (budgetFloorNano !== null) {
    const left = leftUnderCaps(db, run, now, reservedUnderWay(db, run.id, run.play));
    if (left < budgetFloorNano) {
      const text = t`${formatNano(left)} left of the daily and monthly limits, less than ${formatNano(budgetFloorNano)}.`;
      return { by: 'budget', text };
    }
  }
  return undefined;
}

/**
 * The remaining budgets of the day and the month. Reservations of this run's queued jobs are not subtracted, because they are not spent.
 */
function leftUnderCaps(db: ReadDb, run: NightRunRow, now: number, underWayNano: Nano): Nano {
  const play = run.play === 1;
  return periodHeadroom(db, play, now) + spendOfRun(db, play, run.id).reservedNano - underWayNano;
}

/** `20.0 GB`, decimal. */
export const formatGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Why a job was not sent in a run that has ended. */
export const nightClosedText = (run: NightRunRow): string =>
  run.ended_text ?? t`The run ended at ${hourOf(run.ends_at)} before this job was sent.`;

/** Interval of checks while a run is planned or open: for floors that no job's end reveals, and for changes of the clock. */
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

/** The profiles of a run's queued jobs, and these: whether each can send, its name, and its balance if the gateway states it. */
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

/** Applies the balance floor to gateways that state a balance. Returns whether the run ended. */
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

interface WatchDeps {
  store: Store;
  clock: Clock;
  events: Pick<CoreEvents, 'emit'>;
  power?: Pick<Power, 'source'>;
  jobs: { isOutOfOrder(lane: string): boolean };
  jobTable: Pick<NightJobs, 'waitingLanesOfNight'>;
}

/** The rules about power source and availability of gateways. */
export class NightWatch {
  /** When the run ends if its gateways stay unavailable. */
  outageEndsAt: number | undefined;
  private readonly outage = new OutageTimer();
  private readonly deps: WatchDeps;

  constructor(deps: WatchDeps) {
    this.deps = deps;
  }

  /** Applies the rules; returns whether the run ended. */
  check(): boolean {
    this.holdOnBattery();
    return this.endIfOutOfOrder();
  }

  /** Holds the run on battery, also before its start, so that nothing is sent at that moment. */
  private holdOnBattery(): void {
    const { store, events, power } = this.deps;
    const run = currentNightRun(store.read);
    if (!run) return;
    const held = rulesOf(run).notOnBattery && powerSourceOf(power) === 'battery' ? 'battery' : null;
    if (held === run.held) return;
    store.transaction((db) => holdNightRun(db, run.id, held));
    events.emit('night.changed', run.id);
  }

  /** Ends the open run if all gateways of its queued jobs have been unavailable for as long as its rule allows. */
  private endIfOutOfOrder(): boolean {
    const { store, clock, jobs, jobTable } = this.deps;
    this.outageEndsAt = undefined;
    const now = clock.now();
    const run = currentNightRun(store.read);
    if (!run || run.starts_at > now || run.held !== null) return false;
    const lanes = jobTable.waitingLanesOfNight(store.read, run.id);
    const areOut = lanes.length > 0 && lanes.every((lane) => jobs.isOutOfOrder(lane));
    this.outageEndsAt = this.outage.endsAt(run, areOut, now);
    if (this.outageEndsAt === undefined || now < this.outageEndsAt) return false;
    const text = t`The run was stopped: the gateway was out of order for ${rulesOf(run).outageMinutes} minutes.`;
    store.transaction((db) => endNightRun(db, run, 'outage', text, now));
    return true;
  }
}

/** An interval without a check means that the machine slept: nothing was tried. */
const SLEPT_MS = 150_000;

/**
 * How long a run's gateways have been unavailable without interruption. Only time with Dailies running and the machine awake counts, since
 * otherwise nothing is tried.
 */
class OutageTimer {
  private runId = '';
  private since: number | undefined;
  private checkedAt = 0;

  /** When the rule ends this run; undefined if its gateways work or it has no such rule. */
  endsAt(run: NightRunRow, areOutOfOrder: boolean, now: number): number | undefined {
    const { outageMinutes } = rulesOf(run);
    const isNew = run.id !== this.runId || now - this.checkedAt > SLEPT_MS || now < this.checkedAt;
    if (!areOutOfOrder) this.since = undefined;
    else if (isNew || this.since === undefined) this.since = now;
    this.runId = run.id;
    this.checkedAt = now;
    return this.since === undefined || !outageMinutes ? undefined : this.since + outageMinutes * 60_000;
  }
}
