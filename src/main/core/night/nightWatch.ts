import { t } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Clock, Power } from '../ports.ts';
import { powerSourceOf } from '../power/index.ts';
import type { Store } from '../store/index.ts';
import type { NightJobs } from './nightJobs.ts';
import { currentNightRun, endNightRun, holdNightRun, type NightRunRow, rulesOf } from './nightRuns.ts';

interface Deps {
  store: Store;
  clock: Clock;
  events: Pick<CoreEvents, 'emit'>;
  power?: Pick<Power, 'source'>;
  jobs: { isOutOfOrder(lane: string): boolean };
  jobTable: Pick<NightJobs, 'waitingLanesOfNight'>;
}

/** The rules about what is outside the studio: what the machine runs on, and whether the services work. */
export class NightWatch {
  /** When the night ends if its services stay out of order. */
  outageEndsAt: number | undefined;
  private readonly outage = new OutageTimer();
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Applies the rules now; returns whether the night was ended. */
  check(): boolean {
    this.holdOnBattery();
    return this.endIfOutOfOrder();
  }

  /** Holds the night while the machine runs on battery, also before its start, so that nothing is sent at that moment. */
  private holdOnBattery(): void {
    const { store, events, power } = this.deps;
    const run = currentNightRun(store.read);
    if (!run) return;
    const held = rulesOf(run).notOnBattery && powerSourceOf(power) === 'battery' ? 'battery' : null;
    if (held === run.held) return;
    store.transaction((db) => holdNightRun(db, run.id, held));
    events.emit('night.changed', run.id);
  }

  /** Ends the open night if every service that its jobs wait for has been out of order for as long as its rule allows. */
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

/** An interval without a check is a sleep of the machine: during it nothing was tried. */
const SLEPT_MS = 150_000;

/**
 * How long the services of a night have been out of order without a break. It is measured while Dailies runs and the machine is awake,
 * since otherwise nothing is tried.
 */
class OutageTimer {
  private runId = '';
  private since: number | undefined;
  private checkedAt = 0;

  /** When the rule ends this night, or undefined if its services work or it has no such rule. */
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
