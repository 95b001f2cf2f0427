import { useMemo } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { jobTitle, takeName, useJob, useProjectId, useTakes } from '../../app/index.ts';

/** The takes of the open project. */
export const useProjectTakes = () => useTakes(useProjectId());

/** The name of a take on its board; other jobs are named by the first words of their prompt. */
export function useTitleOf(): (job: Job, longest?: number) => string {
  const takes = useProjectTakes();
  return useMemo(
    () => (job, longest) => {
      const take = takes.get(job.id);
      return take ? takeName(take) : jobTitle(job, longest);
    },
    [takes],
  );
}

/** The name of a job. If no list has loaded the job it is read, and has no name until then. */
export function JobName({ id }: { id: string }) {
  const job = useJob(id);
  const titleOf = useTitleOf();
  return job ? titleOf(job) : '…';
}
