import { expect, test } from 'vitest';
import { aJobFigures } from '../../../test/helpers/jobFigures.ts';
import { type EvidenceDocument, sumsOf } from './document.ts';
import type { JobFigures } from './figures.ts';
import { letterOf } from './letter.ts';

function letter(more: Partial<JobFigures>): string {
  const jobs = [{ job: 'job_1', figures: aJobFigures({ model: 'm-1', ...more }), records: [], count: 0 }];
  const document = {
    gateway: { name: 'Studio gateway', host: 'studio.example' },
    scope: { type: 'jobs', from: 1, to: 2 },
    sums: sumsOf(jobs),
    holds: { jobs: 1, records: 0 },
    jobs,
  };
  return letterOf(document as unknown as EvidenceDocument).join('\n');
}

test.each<[Partial<JobFigures>, string, string]>([
  [{ kind: 'imagine', settings: 'imagine' }, 'One image order was made', 'we ordered one image from m-1.'],
  [{ kind: 'edit', settings: 'edit' }, 'One image edit order was made', 'we ordered one image edit from m-1.'],
  [{ kind: 'chat', settings: '' }, 'One chat answer order was made', 'we ordered one chat answer from m-1.'],
  [{}, 'One video order was made', 'we ordered one video from m-1 (4 s, 1080p).'],
  [{ outcome: 'refused', due: { nano: 0, lowNano: 0 } }, 'One video order was refused.', 'nothing was delivered.'],
  [{ outcome: 'canceled' }, 'One video order was canceled.', 'we ordered one video'],
  [{ kind: 'of a later version', settings: '' }, 'One of a later version order', 'we ordered one of a later version'],
  [{ kind: '', settings: '' }, 'One order was made', 'we ordered one result from m-1.'],
])('a letter names what was ordered in words of a service: %j', (more, heading, sentence) => {
  const text = letter(more);
  expect(text).toContain(heading);
  expect(text).toContain(sentence);
});
