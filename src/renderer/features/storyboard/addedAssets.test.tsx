import { beforeEach, expect, it, vi } from 'vitest';
import type { Asset } from '../../../shared/asset.ts';
import type { Shot } from '../../../shared/board.ts';
import { fail } from '../../../shared/result.ts';
import { aBoard, freshBoard, keptBoard } from '../../testing/boardPage.ts';
import { acting, aJob, anAsset, fakeStudio, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { emptyShot } from './model/shots.ts';
import { useBoardView } from './useBoard.ts';

/** A board that is full is as full with six: to draw five hundred takes seconds. The number itself is proven beside the model. */
vi.mock('../../../shared/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

const assets: Asset[] = [
  anAsset({ id: 'picture' }),
  anAsset({ id: 'made', jobId: 'job_1', mime: 'video/mp4' }),
  anAsset({ id: 'foreign', mime: 'video/mp4', role: 'source' }),
  anAsset({ id: 'song', mime: 'audio/mpeg', role: 'source' }),
];
const job = aJob({
  request: {
    kind: 'video',
    model: 'video-pro',
    prompt: 'Harbour in rain',
    config: { durationSeconds: 8, seed: 7 },
    image: { assetId: 'start' },
    lastFrame: { assetId: 'end' },
  },
});

/** The answer to the first save is lost (`isMute`). */
async function open(shots: Shot[], add: string, { way = 'add', isMute = false } = {}) {
  const { answers, now } = keptBoard(aBoard(shots), isMute);
  const studio = fakeStudio({
    ...answers,
    'jobs.get': () => job,
    'library.get': ({ id }) => assets.find((asset) => asset.id === id) ?? fail('not_found', 'There is no such asset.'),
  });
  window.location.hash = `#/storyboard?${way}=${add}`;
  await show(<BoardPage projectId={now().projectId} />);
  await until(() => expect(window.location.hash).toBe('#/storyboard'));
  return { studio, shots: () => now().shots };
}

const saveNow = () => acting(() => window.dispatchEvent(new Event('pagehide')));

beforeEach(() => freshBoard());

it('a picture is a first frame, a clip gives its words and settings, a foreign clip is extended; one step, nothing sent', async () => {
  const { studio, shots } = await open([emptyShot('a', '')], 'picture,made,foreign,song,gone');
  await until(() => expect(shots()).toHaveLength(4));
  expect(shots().slice(1)).toEqual([
    expect.objectContaining({ source: 'first', image: { assetId: 'picture' }, prompt: '' }),
    expect.objectContaining({
      source: 'firstLast',
      prompt: 'Harbour in rain',
      model: 'video-pro',
      config: { durationSeconds: 8, seed: 7 },
      image: { assetId: 'start' },
      lastFrame: { assetId: 'end' },
      takes: [],
    }),
    expect.objectContaining({ source: 'extend', video: { assetId: 'foreign' } }),
  ]);
  expect(studio.callsOf('storyboard.save')).toHaveLength(1);
  expect(studio.calls.map(({ name }) => name).filter((name) => name.startsWith('storyboard.make'))).toEqual([]);
  expect(useBoardView.getState().shotId).toBe(shots()[1]?.id);
});

it('a board that has no room for them stays as it is', async () => {
  const full = Array.from({ length: 6 }, (_, at) => emptyShot(`s${at}`, ''));
  const { studio } = await open(full, 'picture');
  await until(() => expect(studio.callsOf('library.get')).toHaveLength(1));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});

it('a remix of a clip goes on from it, in its words', async () => {
  const { shots } = await open([], 'made', { way: 'remix' });
  await until(() => expect(shots()).toHaveLength(1));
  expect(shots()[0]).toMatchObject({ source: 'extend', video: { assetId: 'made' }, prompt: 'Harbour in rain' });
  expect(shots()[0]).not.toHaveProperty('image');
});

it('where only the answer to their save was lost, they are there once', async () => {
  const { studio, shots } = await open([emptyShot('a', '')], 'picture,made', { isMute: true });
  await until(() => expect(shots()).toHaveLength(3));
  const ids = shots().map(({ id }) => id);
  await saveNow();
  await until(() => expect(studio.callsOf('storyboard.save').length).toBeGreaterThan(1));
  await saveNow();
  expect(shots().map(({ id }) => id)).toEqual(ids);
});
