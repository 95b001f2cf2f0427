import { beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aJob, anAsset, fakeStudio, show, until } from '../../testing/page.tsx';
import { useGallery, useImages } from './useImages.ts';

function Page() {
  useGallery();
  return null;
}

const imagined = aJob({ kind: 'imagine', request: { kind: 'imagine', prompt: 'A lamp --ar 16:9', mode: 'turbo' } });
const edited = aJob({
  kind: 'edit',
  request: { kind: 'edit', base: { assetId: 'before' }, mask: { assetId: 'mask' }, prompt: 'No lamp' },
});

async function open(hash: string, job: Job) {
  const studio = fakeStudio({
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'jobs.get': () => job,
    'library.list': () => ({ assets: [], total: 0 }),
    'library.get': ({ id }) => anAsset({ id, jobId: 'job_1' }),
  });
  window.location.hash = hash;
  await show(<Page />);
  return studio;
}

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'edit', assetId: undefined, prompt: 'mine', mode: 'fast', editPrompt: '' });
});

it('opens the words and the mode of a picture as it was made, and sends nothing', async () => {
  const studio = await open('#/images?remake=x', imagined);
  await until(() => expect(window.location.hash).toBe('#/images?asset=x'));
  expect(useImages.getState()).toMatchObject({ tab: 'imagine', prompt: 'A lamp --ar 16:9', mode: 'turbo' });
  expect(studio.calls.map(({ name }) => name)).not.toContain('jobs.enqueue');
});

it('opens an edit on the picture that it was made of', async () => {
  await open('#/images?remake=x', edited);
  await until(() => expect(window.location.hash).toBe('#/images?asset=before'));
  expect(useImages.getState()).toMatchObject({ tab: 'edit', editPrompt: 'No lamp', prompt: 'mine' });
});

it('a remix edits the picture itself', async () => {
  await open('#/images?remix=x', imagined);
  await until(() => expect(window.location.hash).toBe('#/images?asset=x'));
  expect(useImages.getState()).toMatchObject({ tab: 'edit', editPrompt: 'A lamp --ar 16:9', assetId: 'x' });
});
