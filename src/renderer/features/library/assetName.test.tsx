import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board/board.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, byText, until } from '../../testing/page.tsx';

const of = { projectId: 'named-film', role: 'output', mime: 'video/mp4', createdAt: 0, bytes: 1 } as const;
const all = [
  anAsset({ ...of, id: 'a', jobId: 't2', name: 'A harbour at night.mp4' }),
  anAsset({ ...of, id: 'b', jobId: 't2', outputIndex: 1, name: 'A harbour at night 2.mp4' }),
  anAsset({ ...of, id: 'c', jobId: 'other', name: 'Not on the board.mp4' }),
];

beforeEach(freshLibrary);

test('what a shot was made into is named by shot and take, and stays so when the shot moves', async () => {
  let board = boardSchema.parse({
    projectId: 'named-film',
    revision: 1,
    shots: [{ id: 's1' }, { id: 's2', takes: ['t1', 't2'] }],
  });
  const studio = await openLibrary(all, { 'storyboard.get': () => board });
  await until(() => byText(labels.shotTakeN(2, 2), '.tile'));
  byText(labels.shotTakeClip(2, 2, 2), '.tile');
  byText('Not on the board.mp4', '.tile');
  expect(studio.callsOf('storyboard.get')).toHaveLength(1);
  board = { ...board, revision: 2, shots: board.shots.toReversed() };
  await studio.emit({ type: 'board.changed', projectId: 'named-film', revision: 2 });
  await until(() => byText(labels.shotTakeN(1, 2), '.tile'));
});
