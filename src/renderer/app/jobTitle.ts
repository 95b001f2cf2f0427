import type { Job } from '../../shared/jobs/job.ts';
import { kindOf, promptOf } from '../../shared/kinds/index.ts';
import { shortened } from '../../shared/text/shortened.ts';

const TITLE_LENGTH = 48;
/** For rows that clip their text themselves. */
export const ROW_TITLE_LENGTH = 200;

/** A job's title in one line: the first words of its prompt. */
export function jobTitle(job: Job, longest = TITLE_LENGTH): string {
  const text = promptOf(job.request).trim().split('\n', 1)[0] ?? '';
  if (text === '') return kindOf(job).words.untitled;
  return shortened(text, longest);
}
