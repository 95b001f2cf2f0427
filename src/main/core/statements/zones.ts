import { type LineFinding, ZONES } from '../../../shared/statement/statement.ts';
import { lineTimes } from './billBefore.ts';
import type { BillJob } from './billJobs.ts';
import type { JobIndex } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';
import { MINUTE_MS, ZONE_MS } from './times.ts';

/** The zone of a bill that states none. */

/** A line may be billed long after its job ran, or by a clock that was wrong: so many of all others say the zone. */
const MOST = 0.95;

/**
 * The zone in which most lines that name their job lie when that ran, in minutes; undefined if too few do, or as many in another one. What
 * is left open is asked for.
 */
export function zoneOf(lines: readonly BillLine[], jobs: JobIndex): number | undefined {
  const counts = new Map<number, number>(ZONES.map((zone) => [zone, 0]));
  let named = 0;
  for (const line of lines) {
    const job = line.nano < 0 ? undefined : jobs.named(line)?.job;
    if (!job) continue;
    named += 1;
    for (const zone of zonesOf(line, job)) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const zones = ZONES.filter((zone) => counts.get(zone) === most);
  // Where no line names a job, all are left.
  return zones.length === 1 && most >= named * MOST ? zones[0] : undefined;
}

function zonesOf({ at, spanMs }: BillLine, job: BillJob): number[] {
  const { from, to } = lineTimes(job);
  return ZONES.filter((zone) => {
    const start = at - zone * MINUTE_MS;
    return start <= to && start + spanMs >= from;
  });
}

/** Of a line whose zone nobody knows: which job it is of, its time does not say. */
export function findingInAnyZone(bill: BillLine, jobs: JobIndex, withinMs: number): { finding: LineFinding } {
  const [any] = jobs.near(bill, withinMs + ZONE_MS);
  return { finding: { type: any ? 'zone' : 'nothingNear' } };
}
