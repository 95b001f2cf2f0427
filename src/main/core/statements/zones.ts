import { ZONES } from '../../../shared/statement/statement.ts';
import type { JobIndex } from './assign.ts';
import { lineTimes } from './billBefore.ts';
import type { BillJob } from './billJobs.ts';
import type { BillLine } from './readBill.ts';

/** The zone of a bill that states none. */

const MINUTE_MS = 60_000;

/** How far times may be from those that they say where nobody knows their zone. */
export const ZONE_MS = 14 * 60 * MINUTE_MS;

/** The one zone in which every line that names its job lies when that ran, in minutes; undefined if there is none, or another one. */
export function zoneOf(lines: readonly BillLine[], jobs: JobIndex): number | undefined {
  let zones: readonly number[] = ZONES;
  for (const line of lines) {
    const job = line.nano < 0 ? undefined : jobs.named(line)?.job;
    if (job) zones = zones.filter((zone) => isThen(line, job, zone));
  }
  // Where no line names a job, all are left.
  return zones.length === 1 ? zones[0] : undefined;
}

function isThen({ at, spanMs }: BillLine, job: BillJob, zone: number): boolean {
  const { from, to } = lineTimes(job);
  const start = at - zone * MINUTE_MS;
  return start <= to && start + spanMs >= from;
}
