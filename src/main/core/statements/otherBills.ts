import { billedJobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { type NamedJob, type OtherLine, otherLines } from './billedLines.ts';
import type { BillJob } from './billJobs.ts';
import type { StatementRow } from './table.ts';

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** What else the bills of a gateway have for jobs: lines of other bills, those of this text outside its period, and rows that were not read. */
export async function onOtherBills(
  store: Pick<Store, 'readAway'>,
  row: StatementRow,
  jobs: readonly BillJob[],
): Promise<ReadonlyMap<string, readonly OtherLine[]>> {
  const found: OtherLine[][] = [];
  for (let from = 0; from < jobs.length; from += ASKED_PER_TURN) {
    const asked = jobs.slice(from, from + ASKED_PER_TURN);
    const lines = await store.readAway((db) => {
      const named = new Map<string, NamedJob & { names: string[] }>();
      for (const { id, ids, names } of asked) named.set(id, { id, names: [...ids, ...names] });
      for (const { jobId, name } of billedJobs.namesOfAttempts(db, [...named.keys()]))
        named.get(jobId)?.names.push(name);
      return otherLines(db, row, [...named.values()]);
    });
    found.push(lines);
  }
  return Map.groupBy(found.flat(), ({ jobId }) => jobId);
}
