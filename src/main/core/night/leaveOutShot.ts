import { counted, t } from '../../../shared/text/texts.ts';
import type { Store } from '../store/index.ts';
import type { NightJob, NightJobs } from './nightJobs.ts';
import { leaveOutOfNight, nightRunById, rulesOf } from './nightRuns.ts';

interface Deps {
  store: Store;
  jobTable: Pick<NightJobs, 'refusedAmong' | 'waitingAmong'>;
  takesBeside(projectId: string, jobId: string): string[];
}

/**
 * Leaves the waiting takes of a shot out of the night once the filter has refused as many of its takes as the rule says. Returns the id
 * of the night that has to be evaluated anew.
 */
export function leaveOutShot({ store, jobTable, takesBeside }: Deps, job: NightJob): string | undefined {
  if (!job.isRefused || job.projectId === null) return undefined;
  const run = nightRunById(store.read, job.runId);
  const limit = run && run.ended_at === null ? rulesOf(run).shotRefusals : null;
  if (!run || limit === null) return undefined;
  const takes = takesBeside(job.projectId, job.id);
  const refused = jobTable.refusedAmong(store.read, run.id, takes);
  if (refused < limit) return undefined;
  const text = t`Its shot was left out of the run after ${counted(refused, 'refusal')}.`;
  const leave = () =>
    store.transaction((db) =>
      jobTable.waitingAmong(db, run.id, takes).reduce((n, id) => n + leaveOutOfNight(db, run.id, id, text), 0),
    );
  return leave() > 0 ? run.id : undefined;
}
