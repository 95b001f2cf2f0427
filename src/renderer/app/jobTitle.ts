import type { Job } from '../../shared/job.ts';
import { promptOf } from '../../shared/request.ts';

const TITLE_LENGTH = 48;

/** What a job is called in one line: the first words of its prompt. */
export function jobTitle(job: Job): string {
  const text = promptOf(job.request).trim().split('\n')[0] ?? '';
  if (text === '') return job.kind === 'edit' ? 'Edit without words' : 'Untitled';
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : text;
}
