import { beforeEach, expect, it } from 'vitest';
import { useEntities, useStudio } from '../../app/index.ts';
import { cacheAssets, cacheJobs } from '../../app/state/entities.ts';
import { acting, aJob, anAsset, showOver, until } from '../../testing/page.tsx';
import { ImagesPage } from './ImagesPage.tsx';
import { useImages } from './useImages.ts';

/** The strip of pictures, while other things change. */

const request = { kind: 'imagine' as const, prompt: 'A quay' };
const running = aJob({ id: 'quay', kind: 'imagine', state: 'running', request, progress: 40 });
const made = anAsset({ id: 'made', jobId: 'quay' });
const done = aJob({ ...running, revision: 2, state: 'succeeded', outputs: [made] });
const brought = anAsset({ id: 'brought', role: 'source', name: 'old name.png' });
/** More than the cache keeps of what nothing shows. */
const MANY = 6_000;

const tiles = () => [...document.querySelectorAll<HTMLElement>('.strip .tile')];
const titles = () => tiles().map(({ title }) => title);
const isDone = () => document.getElementById('picture-made') !== null;

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'imagine', assetId: 'shown', strip: 'all', prompt: '', editPrompt: '' });
  window.location.hash = '#/images';
});

it('what it shows does not go back, however many other jobs and files change', async () => {
  const studio = await showOver(<ImagesPage />, {
    'jobs.list': () => ({ jobs: [running], total: 1 }),
    'library.list': () => ({ assets: [brought], total: 1 }),
    'library.get': ({ id }) => anAsset({ id }),
  });
  await until(() => expect(titles()).toEqual(expect.arrayContaining(['A quay', 'old name.png'])));
  expect(isDone()).toBe(false);
  await studio.emit({ type: 'job.changed', job: done });
  await studio.emit({ type: 'asset.changed', asset: { ...brought, revision: 2, name: 'new name.png' } });
  await until(() => expect([isDone(), titles().includes('new name.png')]).toEqual([true, true]));
  await acting(() => cacheJobs(Array.from({ length: MANY }, (_, n) => aJob({ id: `clip ${n}` }))));
  await acting(() => cacheAssets(Array.from({ length: MANY }, (_, n) => anAsset({ id: `file ${n}` }))));
  expect(isDone()).toBe(true);
  expect(titles()).toContain('new name.png');
});
