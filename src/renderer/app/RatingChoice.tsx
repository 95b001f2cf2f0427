import { VERDICTS, type Verdict } from '../../shared/jobs/job.ts';
import { call } from '../client/index.ts';
import type { SegmentedProps } from '../ui/index.ts';
import { VERDICT_WORDS } from '../words/index.ts';
import { ActionChoice } from './ActionButton.tsx';
import { showRefusal } from './refusals.ts';
import { cacheJobs } from './state/entities.ts';

/** Keep, Maybe and No, each with its key. */
export function RatingChoice(props: Omit<SegmentedProps<Verdict>, 'options'>) {
  const options = VERDICTS.map((value) => ({
    value,
    label: VERDICT_WORDS[value],
    action: `verdict.${value}` as const,
  }));
  return <ActionChoice {...props} options={options} />;
}

/** Judges a job, or takes its verdict back (undefined). Answers whether that is saved; if it is not, it shows why. */
export async function saveVerdict(id: string, verdict: Verdict | undefined): Promise<boolean> {
  const answer = await call('jobs.judge', { id, verdict: verdict ?? null });
  if (answer.ok) cacheJobs([answer.data]);
  else showRefusal(answer.error);
  return answer.ok;
}
