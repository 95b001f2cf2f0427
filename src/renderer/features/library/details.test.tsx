import { beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../../shared/result.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { LibraryPage } from './LibraryPage.tsx';
import { clearFilters, selectAsset } from './state.ts';

const stats = { assets: 1, bytes: 2_000, freeBytes: 1_000_000, remote: 0, expired: 0 };
const facets = { type: [], state: [], verdict: [], model: [], project: [], tag: [], starred: [] };

beforeEach(() => {
  clearFilters();
  selectAsset(undefined);
  window.location.hash = '';
});

describe('ancestry', () => {
  const frame = anAsset({ id: 'fr', name: 'Last frame of the quay', role: 'frame', parentId: 'quay' });
  const quay = anAsset({ id: 'quay', name: 'The quay', mime: 'video/mp4', jobId: 'q', seconds: 4, lastFrameId: 'fr' });
  const plate = anAsset({ id: 'plate', name: 'Harbour plate' });
  const take = anAsset({ id: 'take', name: 'The take', mime: 'video/mp4', jobId: 't' });
  const jobs = [
    aJob({ id: 'q', state: 'succeeded', inputs: [{ field: 'referenceImages.1', assetId: 'plate' }] }),
    aJob({
      id: 't',
      state: 'succeeded',
      inputs: [
        { field: 'image', assetId: 'fr', jobId: 'q' },
        { field: 'lastFrame', uri: 'https://bucket.example/end.png' },
      ],
    }),
  ];
  const open = async (id: string) => {
    const all = [frame, quay, plate, take];
    fakeStudio({
      'library.list': () => ({ assets: all, total: all.length }),
      'library.get': ({ id: asked }) => all.find((one) => one.id === asked) ?? fail('not_found', 'gone'),
      'library.stats': () => stats,
      'library.facets': () => facets,
      'jobs.get': ({ id: asked }) => jobs.find((one) => one.id === asked) ?? fail('not_found', 'gone'),
    });
    window.location.hash = `#/library?asset=${id}`;
    await show(<LibraryPage />);
    selectAsset(id);
  };

  it('names what went into a take and in what place, back through the clip its frame is from', async () => {
    await open('take');
    await until(() => byText('Harbour plate', '.anc button'));
    const lines = [...document.querySelectorAll('.anc li > .row')].map(({ textContent }) => textContent);
    expect(lines).toEqual([
      'Last frame of the quayFirst frame',
      'The quayFrame of',
      'Harbour plateReference 2',
      'Last framehttps://bucket.example/end.png',
    ]);
    expect(document.querySelectorAll('.anc .anc .anc')).toHaveLength(1);
    await click(byText('The quay', '.anc button'));
    expect(window.location.hash).toContain('asset=quay');
  });

  it('leads from a clip to its last frame', async () => {
    await open('quay');
    await until(() => byText('Last frame of the quay', '.anc button'));
    await click(byText('Last frame of the quay', '.anc button'));
    expect(window.location.hash).toContain('asset=fr');
  });
});

describe('what cannot be played', () => {
  const clip = anAsset({ id: 'v', name: 'The quay', mime: 'video/mp4', seconds: 4 });
  it.each([
    ['gone', ['v'], 'Its file is gone from this disk.', false],
    ['not decodable', [], 'This window cannot play it; a copy may play elsewhere.', true],
  ])('says what is the matter where it is %s, and the way out', async (_, ids, sentence, isSaved) => {
    fakeStudio({
      'library.list': () => ({ assets: [clip], total: 1 }),
      'library.stats': () => stats,
      'library.facets': () => facets,
      'library.gone': () => ({ ids }),
    });
    await show(<LibraryPage />);
    await until(() => byText('The quay', '.tile'));
    await click(byText('The quay', '.tile'));
    await acting(() => document.querySelector('.mplayer video')?.dispatchEvent(new Event('error')));
    await until(() => expect(document.querySelector('.mplayer')?.textContent).toContain(sentence));
    expect(document.querySelectorAll('.mplayer a[download]')).toHaveLength(isSaved ? 1 : 0);
  });
});
