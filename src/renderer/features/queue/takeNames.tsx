import { useMemo } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { jobTitle, takeName, useJob, useProjectId, useTakes } from '../../app/index.ts';

/** Of the open project. */
export const useProjectTakes = () => useTakes(useProjectId());

/** A take's name on its board; other jobs go by the first words of their prompt. */
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

/** A job by its name, which is read where no list has brought the job; meanwhile it has none. */
export function JobName({ id }: { id: string }) {
  const job = useJob(id);
  const titleOf = useTitleOf();
  return job ? titleOf(job) : '…';
}
