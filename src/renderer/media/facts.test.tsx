import { expect, test } from 'vitest';
import { anAsset } from '../testing/anAsset.ts';
import { aJob } from '../testing/page.tsx';
import { factsOf } from './facts.ts';

const madeOf = (...roles: ('output' | 'grid')[]) =>
  aJob({
    kind: 'imagine',
    state: 'succeeded',
    outputs: roles.map((role, n) => anAsset({ id: `${role} ${n}`, role, jobId: 'job_1' })),
  });

const factsIn = (job: ReturnType<typeof madeOf>) =>
  job.outputs.map(({ id }) => {
    const assets = new Map(job.outputs.map((asset) => [asset.id, asset]));
    const known = { jobs: new Map([[job.id, job]]), assets, gone: new Set<string>(), profileId: 'p', now: 0 };
    return factsOf({ assetId: id }, known).isOneOfSeveral ?? false;
  });

test('a page knows of a picture that an edit cannot name', () => {
  expect(factsIn(madeOf('output', 'output', 'output'))).toEqual([true, true, true]);
  expect(factsIn(madeOf('output', 'output', 'grid'))).toEqual([true, true, false]);
  expect(factsIn(madeOf('output'))).toEqual([false]);
});

test.each([
  ['canceled', ['local'], 'ready'],
  ['canceled', ['remote'], 'ready'],
  ['canceled', [], 'dead'],
  ['failed', ['local', 'expired'], 'dead'],
  ['running', [], 'pending'],
] as const)('what is built on a job that is %s, with its results %j, is %s', (state, results, status) => {
  const outputs = results.map((here, n) => anAsset({ id: `as_${n}`, jobId: 'job_1', state: here, mime: 'video/mp4' }));
  const job = aJob({ kind: 'video', state, outputs });
  const known = { jobs: new Map([[job.id, job]]), assets: new Map(), gone: new Set<string>(), profileId: 'p', now: 0 };
  expect(factsOf({ jobId: job.id }, known).status).toBe(status);
});
