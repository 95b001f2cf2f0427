import { VERDICTS, type Verdict } from '../../shared/jobs/job.ts';
import { call } from '../client/index.ts';
import type { SegmentedProps } from '../ui/index.ts';
import { VERDICT_WORDS } from '../words/index.ts';
import { ActionChoice } from './ActionButton.tsx';
import { showRefusal } from './refusals.ts';
import { cacheJobs } from './state/entities.ts';

/** Keep, Maybe and No, each with its shortcut. */
export function RatingChoice(props: Omit<SegmentedProps<Verdict>, 'options'>) {
  const options = VERDICTS.map((value) => ({
    value,
    label: VERDICT_WORDS[value],
    action: `verdict.${value}` as const,
  }));
  return <ActionChoice {...props} options={options} />;
}

/** Rates a job, or removes its rating (undefined). Returns whether that is saved; shows the error if it is not. */
export async function saveVerdict(id: string, verdict: Verdict | undefined): Promise<boolean> {
  const answer = await call('jobs.judge', { id, verdict: verdict ?? null });
  if (answer.ok) cacheJobs([answer.data]);
  else showRefusal(answer.error);
  return answer.ok;
}
