import type { NightRunRow } from './nightRuns.ts';
import { rulesOf } from './nightRuns.ts';

/** An interval without a check is a sleep of the machine: during it nothing was tried. */
const SLEPT_MS = 150_000;

/**
 * How long the services of a night have been out of order without a break. It is measured while Dailies runs and the machine is awake,
 * since otherwise nothing is tried.
 */
export class OutageTimer {
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
