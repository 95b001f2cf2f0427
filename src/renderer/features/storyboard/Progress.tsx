import type { Job } from '../../../shared/jobs/job.ts';

/** How far a take is, as a bar; what it means is written beside it. */
export const Progress = ({ job }: { job: Job }) => (
  <div className="prog" aria-hidden="true">
    <i style={{ width: `${job.progress}%` }} />
  </div>
);
