import type { Job } from '../../shared/jobs/job.ts';
import { kindOf, promptOf } from '../../shared/kinds/index.ts';
import { shortened } from '../../shared/text/shortened.ts';

const TITLE_LENGTH = 48;
/** In a row that cuts its text itself where the room ends. */
export const ROW_TITLE_LENGTH = 200;

/** What a job is called in one line: the first words of its prompt. */
export function jobTitle(job: Job, longest = TITLE_LENGTH): string {
  const text = promptOf(job.request).trim().split('\n', 1)[0] ?? '';
  if (text === '') return kindOf(job).words.untitled;
  return shortened(text, longest);
}
