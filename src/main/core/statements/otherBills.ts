import { billedJobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { type NamedJob, type OtherLine, otherLines } from './billedLines.ts';
import type { BillJob } from './billJobs.ts';
import type { StatementRow } from './table.ts';

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** What else the bills of a gateway have for jobs: lines of other bills, and those of this text outside its period. Each job is asked for once. */
export class OtherBills {
  private readonly store: Pick<Store, 'readAway'>;
  private readonly row: StatementRow;
  private readonly known = new Map<string, OtherLine[]>();

  constructor(store: Pick<Store, 'readAway'>, row: StatementRow) {
    this.store = store;
    this.row = row;
  }

  async of(jobs: Iterable<BillJob>): Promise<ReadonlyMap<string, readonly OtherLine[]>> {
    const asked = [...jobs].filter(({ id }) => !this.known.has(id));
    for (let from = 0; from < asked.length; from += ASKED_PER_TURN)
      await this.find(asked.slice(from, from + ASKED_PER_TURN));
    return this.known;
  }

  private async find(jobs: readonly BillJob[]): Promise<void> {
    const found = await this.store.readAway((db) => {
      const named = new Map<string, NamedJob & { names: string[] }>();
      for (const job of jobs) named.set(job.id, { id: job.id, names: [...job.ids, ...job.names] });
      for (const { jobId, name } of billedJobs.namesOfAttempts(db, [...named.keys()]))
        named.get(jobId)?.names.push(name);
      return otherLines(db, this.row, [...named.values()]);
    });
    const byJob = Map.groupBy(found, ({ jobId }) => jobId);
    for (const { id } of jobs) this.known.set(id, byJob.get(id) ?? []);
  }
}
