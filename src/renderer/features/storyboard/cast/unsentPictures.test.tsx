import { beforeEach, expect, it } from 'vitest';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { anAsset, byText, click, fakeStudio, show, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';

let boards = 0;

/** A shot that names two of the cast, one of them with a picture. */
async function open(shot: object) {
  let board: Board = boardSchema.parse({
    projectId: `unsent-${++boards}`,
    revision: 1,
    shots: [{ id: 'a', prompt: '@Mara waits for @Tom', ...shot }],
    cast: [
      { id: 'mara', name: 'Mara', sheets: [{ assetId: 'sheet' }] },
      { id: 'tom', name: 'Tom' },
    ],
  });
  const asset = anAsset({ id: 'sheet', mime: 'image/png', state: 'local' });
  fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
      return board;
    },
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.get': () => asset,
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.querySelector('.insp')).not.toBeNull());
}

const note = () => document.querySelector('.unsent-pictures')?.textContent;
const slots = () =>
  [...document.querySelectorAll('.slots .slot > .media')].map((slot) => slot.getAttribute('aria-label'));

beforeEach(() => freshBoard({ tab: 'shot' }));

it.each(['text', 'first', 'firstLast', 'extend'] as const)(
  'a shot that starts from %s says whose picture is not sent, and offers to send it',
  async (source) => {
    await open({ source });
    await until(() => expect(note()).toContain('No picture of @Mara is sent.'));
    expect(note()).not.toContain('Tom');
    await click(byText(source === 'text' ? 'Start from references' : 'Start from references instead'));
    await until(() => expect(slots()[0]).toBe('Reference 1: Mara, from the cast'));
    expect(note()).toBeUndefined();
  },
);

it('the slots that pictures of the cast take are shown as taken, behind those chosen by hand', async () => {
  await open({ source: 'references', referenceImages: [{ uri: 'https://pictures.example/own.png' }] });
  await until(() =>
    expect(slots()).toEqual([
      'Reference 1: https://pictures.example/own.png',
      'Reference 2: Mara, from the cast',
      'Reference 3: empty, choose',
    ]),
  );
});
