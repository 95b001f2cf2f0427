import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { FoundProvenance } from '../../../shared/library/provenance.ts';
import { useEntities } from '../../app/index.ts';
import { aShot, freshBoard, openBoard, saveNow } from '../../testing/boardPage.tsx';
import { textOf } from '../../testing/find.ts';
import { aJob, anAsset, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import type { ShotView } from './model/view.ts';
import { FrameOffer } from './Notice.tsx';
import { type BoardHandle, useBoardView } from './useBoard.ts';

/** Full with six shots here: rendering five hundred takes seconds. Tests of the model cover the number. */
vi.mock('../../../shared/board/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

const assets = [
  anAsset({ id: 'picture' }),
  anAsset({ id: 'made', jobId: 'job_1', mime: 'video/mp4' }),
  anAsset({ id: 'foreign', mime: 'video/mp4', role: 'source' }),
  anAsset({ id: 'song', mime: 'audio/mpeg', role: 'source' }),
];
const request = {
  kind: 'video',
  model: 'video-pro',
  prompt: 'Harbour in rain',
  config: { durationSeconds: 8, seed: 7 },
  image: { assetId: 'start' },
  lastFrame: { assetId: 'end' },
} as const;
const film = (...prompts: string[]): FoundProvenance => ({
  c2pa: false,
  provenance: {
    ...{ version: 1, kind: 'film', prompt: '', sourceType: 'trainedAlgorithmicMedia' },
    shots: prompts.map((prompt, at) => ({ number: at + 1, prompt })),
  },
});
const mine = [aShot('a', { prompt: 'Mine' })];

/** Opens the board from another page, with something to add. */
async function open(query: string, shots = mine, { found = film('A quay', 'A ferry'), isMute = false } = {}) {
  window.location.hash = `#/storyboard?${query}`;
  const opened = await openBoard(
    { shots },
    {
      isMute,
      'jobs.get': () => aJob({ request }),
      'library.get': ({ id }) =>
        assets.find((asset) => asset.id === id) ?? fail('not_found', 'There is no such asset.'),
      'library.found': () => found,
    },
  );
  await until(() => expect(window.location.hash).toBe('#/storyboard'));
  return { ...opened, shots: () => opened.saved().shots };
}

beforeEach(() => freshBoard());

it('a picture is a first frame, a clip gives its words and settings, a foreign clip is extended', async () => {
  const { shots } = await open('add=picture,made,foreign,song,gone');
  await until(() => expect(shots()).toHaveLength(4));
  const { kind: _, ...made } = request;
  expect(shots().slice(1)).toMatchObject([
    { source: 'first', image: { assetId: 'picture' }, prompt: '' },
    { source: 'firstLast', ...made, takes: [] },
    { source: 'extend', video: { assetId: 'foreign' } },
  ]);
});

it('a remix of a clip goes on from it, in its words', async () => {
  const { shots } = await open('remix=made', []);
  await until(() => expect(shots()).toHaveLength(1));
  expect(shots()[0]).toMatchObject({ source: 'extend', video: { assetId: 'made' }, prompt: 'Harbour in rain' });
  expect(shots()[0]).not.toHaveProperty('image');
});

it.each(['add=picture,made', 'recall=clip'])(
  'what comes by %s is added behind the others in one step, and nothing is sent',
  async (query) => {
    const { studio, shots } = await open(query);
    await until(() => expect(shots()).toHaveLength(3));
    expect(shots()[0]).toMatchObject({ prompt: 'Mine' });
    expect(studio.callsOf('storyboard.save')).toHaveLength(1);
    expect(studio.calls.filter(({ name }) => name.startsWith('storyboard.make'))).toEqual([]);
    expect(useBoardView.getState().shotId).toBe(shots()[1]?.id);
  },
);

it.each(['add=picture,made', 'recall=clip'])(
  'where only the answer to its save was lost, what comes by %s is there once',
  async (query) => {
    const { studio, shots } = await open(query, mine, { isMute: true });
    await until(() => expect(shots()).toHaveLength(3));
    const ids = shots().map(({ id }) => id);
    await saveNow();
    await until(() => expect(studio.callsOf('storyboard.save').length).toBeGreaterThan(1));
    await saveNow();
    expect(shots().map(({ id }) => id)).toEqual(ids);
  },
);

it.each<[string, string, number, FoundProvenance?]>([
  ['has no room for what is added', 'add=picture', 6],
  ['has no room for what is recalled', 'recall=clip', 5],
  ['is to recall what was not found', 'recall=clip', 1, { c2pa: true }],
])('a board that %s stays as it is', async (_, query, count, found = film('A quay', 'A ferry')) => {
  const full = Array.from({ length: count }, (_, at) => aShot(`s${at}`));
  const { studio } = await open(query, full, { found });
  await until(() => expect(studio.calls.some(({ name }) => name.startsWith('library.'))).toBe(true));
  await saveNow();
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  expect(document.querySelector('.notSaved')).toBeNull();
});

it.each(['add=picture', 'remix=made', 'recall=clip'])('says that what comes by %s could not be read', async (query) => {
  window.location.hash = `#/storyboard?${query}`;
  const busy = () => fail('store_unavailable', 'The store is busy.');
  await openBoard({ shots: mine }, { 'library.get': busy, 'library.found': busy });
  await until(() => expect(textOf('.toast.fail')).toContain('No shot was added. The store is busy.'));
});

it('a picture that is used as a reference stands behind those that the shot has by then', async () => {
  fakeStudio({});
  useEntities.setState({ assets: new Map([['p', anAsset({ id: 'p' })]]) });
  window.location.hash = '#/storyboard?frame=p';
  const shot = aShot('s', { referenceImages: [{ assetId: 'a' }] });
  type Edit = (shots: readonly (typeof shot)[]) => readonly (typeof shot)[];
  let edit: Edit = (shots) => shots;
  const sync = { state: () => ({ board: { shots: [shot] } }), edit: (next: Edit) => (edit = next) };
  await show(
    <FrameOffer board={{ sync } as unknown as BoardHandle} view={{ shot, number: 1 } as ShotView} insert={vi.fn()} />,
  );
  await click(byText(labels.reference));
  const referenceImages = ['a', 'b', 'p'].map((assetId) => ({ assetId }));
  const now = edit([{ ...shot, referenceImages: referenceImages.slice(0, 2) }]);
  expect(now[0]).toMatchObject({ source: 'references', referenceImages });
});

it('a picture can begin a new shot behind the chosen one', async () => {
  useEntities.setState({ assets: new Map([['p', anAsset({ id: 'p' })]]) });
  window.location.hash = '#/storyboard?frame=p';
  const { saved } = await openBoard({ shots: [...mine, aShot('b')] });
  await until(() => byText(labels.newShot));
  await click(byText(labels.newShot));
  await until(() => expect(saved().shots).toHaveLength(3));
  expect(saved().shots[1]).toMatchObject({ source: 'first', image: { assetId: 'p' }, prompt: '' });
  expect(window.location.hash).toBe('#/storyboard');
});
