import { expect, it } from 'vitest';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { aJob, anAsset } from '../../testing/page.tsx';
import { whyHere } from './Why.tsx';

const made = anAsset({ id: 'x', jobId: 'job_1' });
const clip = anAsset({ id: 'clip', name: 'Shot 4\u202e, take 1' });
const brought = anAsset({ id: 'y', role: 'source' });

it.each<[string, Asset, Job | undefined, Asset | undefined, string | undefined]>([
  ['Result of your job of', made, aJob({ outputs: [made] }), undefined, '#/queue?job=job_1'],
  ['Result of your job of', made, undefined, undefined, '#/queue?job=job_1'],
  ['Imported with a project', made, aJob({ elsewhere: {} }), undefined, '#/queue?job=job_1'],
  ['from Shot 4‹U+202E›, take 1.', { ...made, role: 'frame', parentId: 'clip' }, aJob(), clip, '#/library?asset=clip'],
  ['from another file.', { ...brought, parentId: 'gone' }, undefined, undefined, '#/library?asset=gone'],
  ['Imported on', brought, undefined, undefined, undefined],
])('says why it is here, and leads there: %s', (words, asset, job, parent, hash) => {
  const why = whyHere(asset, job, parent?.name);
  expect(why.words).toContain(words);
  window.location.hash = '#/library';
  why.way?.go();
  expect(why.way ? window.location.hash : undefined).toBe(hash);
});
