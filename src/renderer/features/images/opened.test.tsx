import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { ok } from '../../../shared/contract/result.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { textOf } from '../../testing/find.ts';
import { aJob, anAsset, byText, fakeStudio, give, show, until } from '../../testing/page.tsx';
import { ImagesPage } from './ImagesPage.tsx';
import { useImages } from './useImages.ts';

const edited = aJob({
  id: 'old',
  kind: 'edit',
  state: 'succeeded',
  request: { kind: 'edit', base: { assetId: 'base' }, mask: { assetId: 'mask' }, prompt: 'Without the lamp' },
});

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'imagine', assetId: undefined, prompt: '', editPrompt: '' });
});

it('a picture whose job no list has brought is shown with it', async () => {
  fakeStudio({
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'jobs.get': () => edited,
    'library.list': () => ({ assets: [], total: 0 }),
    'library.get': ({ id }) => anAsset({ id, ...(id === 'base' ? {} : { jobId: 'old' }) }),
  });
  window.location.hash = '#/images?asset=x';
  await show(<ImagesPage />);
  await until(() => expect(textOf('[aria-label="Picture"] .words')).toBe('Without the lamp'));
  byText(labels.paintAgain);
  expect(textOf('[aria-label="Picture"]')).toContain(labels.cost);
  await until(() => byText(labels.original));
});

it.each(['drop', 'paste'] as const)('a picture is opened by %s', async (way) => {
  fakeStudio(
    {
      'jobs.list': () => ({ jobs: [], total: 0 }),
      'library.list': () => ({ assets: [], total: 0 }),
      'library.get': ({ id }) => anAsset({ id }),
    },
    () => ok(anAsset({ id: 'given' })),
  );
  window.location.hash = '#/images';
  await show(<ImagesPage />);
  const place = document.querySelector('main') as HTMLElement;
  expect((await give(way, place, [new File(['x'], 'a.png')])).defaultPrevented).toBe(true);
  await until(() => expect(useImages.getState().assetId).toBe('given'));
});

it('a picture that cannot be displayed names its format and can be saved, on the stage', async () => {
  fakeStudio({
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.list': () => ({ assets: [], total: 0 }),
    'library.get': ({ id }) => anAsset({ id, mime: 'image/tiff', width: 0, height: 0 }),
  });
  window.location.hash = '#/images?asset=x';
  await show(<ImagesPage />);
  await until(() => expect(textOf('.stage')).toContain('Dailies cannot display TIFF files.'));
  expect(document.querySelectorAll('.stage a[download]')).toHaveLength(1);
  expect(document.querySelectorAll('img[src$="media/x"]')).toHaveLength(0);
});
