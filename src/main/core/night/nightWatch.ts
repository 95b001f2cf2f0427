import { t } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Clock, Power } from '../ports.ts';
import { powerSourceOf } from '../power/index.ts';
import type { Store } from '../store/index.ts';
import type { NightJobs } from './nightJobs.ts';
import { currentNightRun, endNightRun, holdNightRun, rulesOf } from './nightRuns.ts';
import { OutageTimer } from './outageTimer.ts';

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
