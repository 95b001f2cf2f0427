import { billedJobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { billedElsewhere, type NamedJob } from './billedLines.ts';
import type { ComparedLine } from './compare.ts';
import type { StatementRow } from './table.ts';

/** Jobs that one query asks for. */
const ASKED_PER_TURN = 500;

/** What a bill does not have is not missing where a line for it stands elsewhere: nothing is clear about it then. */
export async function lookElsewhere(
  store: Pick<Store, 'readAway'>,
  compared: readonly ComparedLine[],
  { row, marks }: { row: StatementRow; marks: ReadonlySet<string> },
): Promise<void> {
  const missing = compared.filter(({ finding }) => finding?.type === 'notBilled' || finding?.type === 'inDoubt');
  for (let from = 0; from < missing.length; from += ASKED_PER_TURN) {
    const asked = missing.slice(from, from + ASKED_PER_TURN);
    const found = await store.readAway((db) => {
      const jobs = new Map<string, NamedJob & { names: string[] }>();
      for (const { job } of asked) if (job) jobs.set(job.id, { id: job.id, names: [...job.ids, ...job.names] });
      for (const { jobId, name } of billedJobs.namesOfAttempts(db, [...jobs.keys()])) jobs.get(jobId)?.names.push(name);
      return new Set(billedElsewhere(db, row, { jobs: [...jobs.values()], marks }));
    });
    for (const line of asked)
      if (line.job && found.has(line.job.id)) Object.assign(line, { finding: { type: 'unsure' }, isClear: false });
  }
}
