import { type ReactNode, useState } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { formatCount, TextAction } from '../../../ui/index.ts';
import { selectJob } from '../state.ts';
import { JobName } from '../takeNames.tsx';

/** Rows of a list that a person may want at once; each of them reads its job. */
const AT_FIRST = 100;

/** The first of a long list, and how many more come with a press; none where all are shown. */
export function useFirst<Item>(all: readonly Item[]) {
  const [most, setMost] = useState(AT_FIRST);
  const more = all.length > most && (
    <p className="pad">
      <TextAction onClick={() => setMost(most + AT_FIRST)}>{t`Show more of ${formatCount(all.length)}`}</TextAction>
    </p>
  );
  return { shown: all.slice(0, most), more };
}

interface JobReasonsProps {
  jobs: readonly { jobId: string; message: string }[];
  className: string | undefined;
  label?: string | undefined;
  children?: ReactNode;
}

/** Jobs, each with the sentence that says why it is listed. */
export const JobReasons = ({ jobs, className, label, children }: JobReasonsProps) => (
  <ul className={className} aria-label={label}>
    {jobs.map(({ jobId, message }) => (
      <li key={jobId}>
        <button type="button" className="lnk cut" onClick={() => selectJob(jobId)}>
          <JobName id={jobId} />
        </button>
        <span className="t3">{message}</span>
      </li>
    ))}
    {children}
  </ul>
);
