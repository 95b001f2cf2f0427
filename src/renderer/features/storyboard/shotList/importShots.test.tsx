import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Board, NewShot } from '../../../../shared/board.ts';
import { fail } from '../../../../shared/result.ts';
import type { ShotListReading } from '../../../../shared/shotList.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';
import { emptyShot } from '../model/shots.ts';
import { useBoardView } from '../useBoard.ts';
import { clearList } from './useListDraft.ts';

const shotOf = (prompt: string): NewShot => ({
  title: '',
  prompt,
  model: 'video-standard',
  source: 'text',
  config: {},
  referenceImages: [],
});

/** What the studio says of a list with a wrong length on line 3, until it is mended. */
function readingOf(text: string): ShotListReading {
  const isMended = !text.includes(',5');
  return {
    rows: [
      { line: 2, shot: shotOf('Waves'), errors: [] },
      isMended
        ? { line: 3, shot: shotOf('Fields'), errors: [] }
        : { line: 3, errors: [{ field: 'seconds', message: 'must be 4, 6, 8, or 7 when extending.' }] },
    ],
    good: isMended ? 2 : 1,
    bad: isMended ? 0 : 1,
  };
}

let boards = 0;

/** Answers to adding come when they are there; the first ones are lost (`mute`). */
async function open({ isThere, mute = 0 }: { isThere?: Promise<void>; mute?: number } = {}) {
  const known = new Set<string>();
  let asked = 0;
  boards += 1;
  const projectId = `film-${boards}`;
  let board: Board = { projectId, revision: 1, shots: [] };
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'film.readShots': ({ text }) => readingOf(text),
    'film.addShots': async ({ shots }) => {
      await isThere;
      asked += 1;
      const ids = shots.map(({ id }, index) => id ?? `new-${known.size + index}`);
      if (ids.some((id) => known.has(id)))
        return fail('invalid_input', 'shots.0.id: is the id of another shot.', { field: 'shots.0.id' });
      for (const id of ids) known.add(id);
      const added = shots.map((shot, index) => ({ ...emptyShot(ids[index] ?? '', 'm'), prompt: shot.prompt ?? '' }));
      board = { ...board, shots: [...board.shots, ...added] };
      return asked > mute ? { board, ids } : fail('unreachable', 'The answer was lost.');
    },
  });
  await show(<BoardPage projectId={projectId} />);
  await until(() => byText(labels.importShots));
  const takeBack = () => {
    board = { ...board, shots: [] };
  };
  return { studio, projectId, known, takeBack, shots: () => board.shots };
}

beforeEach(() => {
  freshBoard();
  clearList();
});

const list = () => document.querySelector('.list-text') as HTMLTextAreaElement;

it('adds nothing until all is right, and goes to what is wrong by F8', async () => {
  const { studio, projectId } = await open();
  await click(byText(labels.importShots, 'button'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,5');
  await until(() =>
    expect(document.querySelector('.err-words')?.textContent).toBe(
      'seconds is 5: must be 4, 6, 8, or 7 when extending.',
    ),
  );
  expect(document.querySelector('.cell-bad')?.textContent).toBe('5');
  const add = byText(labels.addShots(1), 'button');
  expect(add.getAttribute('aria-disabled')).toBe('true');
  await click(add);
  expect(studio.callsOf('film.addShots')).toEqual([]);
  await press('F8');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('4, seconds');
  await click(document.activeElement as HTMLElement);
  await until(() => byText(labels.addShots(2), 'button'));
  expect(list().value).toBe('prompt,seconds\nWaves,4\n"Fields","4"');
  await click(byText(labels.addShots(2), 'button'));
  const added = ['Waves', 'Fields'].map((prompt) => ({ ...shotOf(prompt), id: expect.any(String) }));
  expect(studio.callsOf('film.addShots')).toEqual([{ projectId, shots: added }]);
  await until(() => expect(useBoardView.getState().isImporting).toBe(false));
});

it('a late answer takes away the list that it added and no other one, and leads nobody away', async () => {
  const { promise: isThere, resolve: answer } = Promise.withResolvers<void>();
  const { studio } = await open({ isThere });
  await click(byText(labels.importShots, 'button'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,4');
  await until(() => expect(byText(labels.addShots(2), 'button').getAttribute('aria-disabled')).not.toBe('true'));
  await click(byText(labels.addShots(2), 'button'));
  await until(() => expect(studio.callsOf('film.addShots')).toHaveLength(1));
  await click(byText(labels.addShots(2), 'button'));
  await type(list(), 'prompt\nRain');
  await acting(() => answer());
  expect(list().value).toBe('prompt\nRain');
  expect(studio.callsOf('film.addShots')).toHaveLength(1);
  expect(useBoardView.getState()).toMatchObject({ isImporting: true, shotId: undefined });
});

it('adds a list once where only the answer was lost, and the same list again where it is wanted again', async () => {
  const { studio, known } = await open({ mute: 1 });
  const text = 'prompt,seconds\nWaves,4\nFields,4';
  const add = async () => {
    await until(() => expect(byText(labels.addShots(2), 'button').getAttribute('aria-disabled')).not.toBe('true'));
    await click(byText(labels.addShots(2), 'button'));
  };
  await click(byText(labels.importShots, 'button'));
  await type(list(), text);
  await add();
  await until(() => expect(document.querySelector('.list-import')?.textContent).toContain('The answer was lost.'));
  // The list is read once more when the studio is back.
  await studio.link('lost');
  await studio.link('up');
  await add();
  await until(() => expect(useBoardView.getState().isImporting).toBe(false));
  expect(known.size).toBe(2);
  await click(byText(labels.importShots, 'button'));
  expect(list().value).toBe('');
  await type(list(), text);
  await add();
  await until(() => expect(known.size).toBe(4));
});

it.each(['left', 'taken back'])('a list whose answer was lost is on the board once, also %s meanwhile', async (how) => {
  const taken = how === 'taken back';
  const { shots, takeBack } = await open({ mute: 1 });
  const add = async () => {
    await until(() => expect(byText(labels.addShots(2), 'button').getAttribute('aria-disabled')).not.toBe('true'));
    await click(byText(labels.addShots(2), 'button'));
  };
  await click(byText(labels.importShots, 'button'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,4');
  await add();
  await until(() => expect(document.querySelector('.list-import')?.textContent).toContain('The answer was lost.'));
  if (taken) takeBack();
  else {
    await press('Escape');
    await click(byText(labels.importShots, 'button'));
  }
  await add();
  await until(() => expect(useBoardView.getState().isImporting).toBe(false));
  expect(shots().map(({ prompt }) => prompt)).toEqual(['Waves', 'Fields']);
});

it('adds nothing while the list that stands there is being read', async () => {
  const { studio } = await open();
  await click(byText(labels.importShots, 'button'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,4');
  await until(() => expect(byText(labels.addShots(2), 'button').getAttribute('aria-disabled')).not.toBe('true'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,5');
  await click(byText(labels.addShots(2), 'button'));
  expect(studio.callsOf('film.addShots')).toEqual([]);
  expect(document.querySelector('.sendbar')?.textContent).toContain('The list is being read.');
  await until(() => byText(labels.addShots(1), 'button'));
  expect(document.querySelector('.sendbar')?.textContent).not.toContain('being read');
  await type(list(), 'prompt,seconds\nWaves,4\nRain,4\nFields,5');
  await click(byText('Leave the one out', 'button'));
  await click(byText('4, seconds', 'button'));
  expect(list().value).toBe('prompt,seconds\nWaves,4\nRain,4\nFields,5');
});

it('leaves by Escape, and keeps the list', async () => {
  await open();
  await click(byText(labels.importShots, 'button'));
  await type(list(), 'prompt,seconds\nWaves,4\nFields,5');
  await press('Escape');
  await until(() => byText(labels.importShots));
  await click(byText(labels.importShots, 'button'));
  expect(list().value).toBe('prompt,seconds\nWaves,4\nFields,5');
});
