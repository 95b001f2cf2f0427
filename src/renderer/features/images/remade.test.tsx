import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { navigate, OutcomeLine, useEntities, useStudio } from '../../app/index.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { useRemade } from './ImagesPage.tsx';
import { OUTCOME, openPicture, useGallery, useImages } from './useImages.ts';

function Page() {
  useGallery();
  useRemade();
  return <OutcomeLine place={OUTCOME.prompt} />;
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
  useImages.setState({ prompt: '' });
  const studio = await open('#/images?remake=x', imagined);
  await until(() => expect(window.location.hash).toBe('#/images?asset=x'));
  expect(useImages.getState()).toMatchObject({ tab: 'imagine', prompt: 'A lamp --ar 16:9', mode: 'turbo' });
  expect(studio.calls.map(({ name }) => name)).not.toContain('jobs.enqueue');
});

it('gives back the words that stood there, at their own picture', async () => {
  useImages.setState({ assetId: 'p' });
  await open('#/images?remake=x', imagined);
  await until(() => byText(labels.undo));
  expect(useImages.getState().assetId).toBe('x');
  await click(byText(labels.undo));
  expect(useImages.getState()).toMatchObject({ tab: 'edit', prompt: 'mine', mode: 'fast', assetId: 'p' });
});

it('gives back the words only, where another picture was opened since', async () => {
  useImages.setState({ assetId: 'p' });
  await open('#/images?remake=x', imagined);
  await until(() => byText(labels.undo));
  await acting(() => openPicture('y', 'slider'));
  await click(byText(labels.undo));
  expect(useImages.getState()).toMatchObject({ prompt: 'mine', assetId: 'y', view: 'slider' });
});

it('shows a picture that is asked for once more', async () => {
  await open('#/images?asset=x', imagined);
  await until(() => expect(useImages.getState().assetId).toBe('x'));
  await acting(() => openPicture('y'));
  await acting(() => navigate('images', { asset: 'x' }));
  expect(useImages.getState().assetId).toBe('x');
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

it('recalls the whole of a prompt that a list brought cut', async () => {
  useEntities.setState({ jobs: new Map([[imagined.id, { ...shortened(imagined), requestCut: true }]]) });
  await open('#/images?remake=x', imagined);
  await until(() => expect(window.location.hash).toBe('#/images?asset=x'));
  expect(useImages.getState().prompt).toBe('A lamp --ar 16:9');
});

const shortened = (job: Job): Job => ({ ...job, request: { kind: 'imagine', prompt: 'A la' } });
