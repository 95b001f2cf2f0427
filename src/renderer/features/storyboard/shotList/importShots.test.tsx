import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { NewShot } from '../../../../shared/board/board.ts';
import type { ShotListReading } from '../../../../shared/board/shotList.ts';
import { fail } from '../../../../shared/contract/result.ts';
import { aShot, freshBoard, openBoard } from '../../../testing/boardPage.tsx';
import { acting, byText, click, press, until } from '../../../testing/page.tsx';
import { useBoardView } from '../useBoard.ts';
import { shotList } from './ImportShots.tsx';

const LIST = 'prompt,seconds\nWaves,4\nFields,4';
const WRONG = 'prompt,seconds\nWaves,4\nFields,5';

function shotOf(prompt: string): NewShot {
  const { id: _, takes: __, ...shot } = aShot('', { prompt });
  return shot;
}

/** The studio's reading of a list: line 3 has a wrong length until it is fixed. */
function readingOf(text: string): ShotListReading {
  const isMended = !text.includes(',5');
  const errors = [{ field: 'seconds', message: 'must be 4, 6, 8, or 7 when extending.' }];
  return {
    rows: [
      { line: 2, shot: shotOf('Waves'), errors: [] },
      isMended ? { line: 3, shot: shotOf('Fields'), errors: [] } : { line: 3, errors },
    ],
    good: isMended ? 2 : 1,
    bad: isMended ? 0 : 1,
  };
}

/** Opens the import page. Answers to adding arrive when the shots are there; the first `mute` ones are lost. */
async function open({ isThere, mute = 0 }: { isThere?: Promise<void>; mute?: number } = {}) {
  const known = new Map<string, string>();
  let asked = 0;
  const opened = await openBoard(
    {},
    {
      'film.readShots': ({ text }) => readingOf(text),
      'film.addShots': async ({ shots }) => {
        await isThere;
        asked += 1;
        if (shots.some(({ id = '' }) => known.has(id)))
          return fail('invalid_input', 'shots.0.id: is the id of another shot.', { field: 'shots.0.id' });
        for (const { id = '', prompt = '' } of shots) known.set(id, prompt);
        const board = opened.change(() => ({ shots: [...known].map(([id, prompt]) => aShot(id, { prompt })) }));
        const answer = { board, ids: [...known.keys()] };
        return asked > mute ? answer : fail('unreachable', 'The answer was lost.');
      },
    },
  );
  const enter = async () => {
    await acting(() => useBoardView.setState({ isImporting: true }));
  };
  await enter();
  const takeBack = () => {
    known.clear();
    opened.change(() => ({ shots: [] }));
  };
  return { ...opened, enter, takeBack, added: () => opened.studio.callsOf('film.addShots') };
}

const draft = () => shotList.useDraft.getState().text;
const give = (text: string) => acting(() => shotList.start(text));
const addButton = (count: number) => byText(labels.addShots(count), 'button');
const isOver = () => until(() => expect(useBoardView.getState().isImporting).toBe(false));
const canAdd = () => until(() => expect(addButton(2).getAttribute('aria-disabled')).not.toBe('true'));
const add = async () => {
  await canAdd();
  await click(addButton(2));
};
const isLost = () =>
  until(() => expect(document.querySelector('.listImport')?.textContent).toContain('The answer was lost.'));

beforeEach(() => {
  freshBoard();
  shotList.clear();
});

it('adds nothing until all is right, and goes to what is wrong by F8', async () => {
  const { projectId, added } = await open();
  await give(WRONG);
  await until(() => expect(document.querySelector('.errWords')?.textContent).toContain('must be 4, 6, 8'));
  expect(document.querySelector('.cellBad')?.textContent).toBe('5');
  expect(addButton(1).getAttribute('aria-disabled')).toBe('true');
  await click(addButton(1));
  expect(added()).toEqual([]);
  await press('F8');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('4, seconds of row 3');
  await click(document.activeElement as HTMLElement);
  await until(() => addButton(2));
  expect(draft()).toBe('prompt,seconds\nWaves,4\n"Fields","4"');
  await click(addButton(2));
  const shots = ['Waves', 'Fields'].map((prompt) => ({ ...shotOf(prompt), id: expect.any(String) }));
  expect(added()).toEqual([{ projectId, shots }]);
  await isOver();
});

it('a late answer takes away the list that it added and no other one, and leads nobody away', async () => {
  const { promise: isThere, resolve: answer } = Promise.withResolvers<void>();
  const { added } = await open({ isThere });
  await give(LIST);
  await add();
  await until(() => expect(added()).toHaveLength(1));
  await click(addButton(2));
  await give('prompt\nRain');
  await acting(() => answer());
  expect(draft()).toBe('prompt\nRain');
  expect(added()).toHaveLength(1);
  expect(useBoardView.getState()).toMatchObject({ isImporting: true, shotId: undefined });
});

it('adds a list once where only the answer was lost, and the same list again where it is wanted again', async () => {
  const { studio, saved, enter } = await open({ mute: 1 });
  await give(LIST);
  await add();
  await isLost();
  // The list is read again when the connection is back.
  await studio.link('lost');
  await studio.link('up');
  await add();
  await isOver();
  expect(saved().shots).toHaveLength(2);
  await enter();
  expect(draft()).toBe('');
  await give(LIST);
  await add();
  await until(() => expect(saved().shots).toHaveLength(4));
});

it.each(['left', 'taken back'])('a list whose answer was lost is on the board once, also %s meanwhile', async (how) => {
  const { saved, takeBack, enter } = await open({ mute: 1 });
  await give(LIST);
  await add();
  await isLost();
  if (how === 'taken back') takeBack();
  else {
    await press('Escape');
    await enter();
  }
  await add();
  await isOver();
  expect(saved().shots.map(({ prompt }) => prompt)).toEqual(['Waves', 'Fields']);
});

it.each([
  ['', { replaces: 'first' }],
  ['A pier', {}],
])('a list takes the place of the only shot where that is blank (%j)', async (prompt, place) => {
  const { elsewhere, added } = await open();
  await elsewhere(() => ({ shots: [aShot('first', { prompt })] }));
  await give(LIST);
  await add();
  await until(() => expect(added()).toHaveLength(1));
  const { projectId: _, shots: __, ...told } = added()[0] as Record<string, unknown>;
  expect(JSON.parse(JSON.stringify(told))).toEqual(place);
});

it('adds nothing while the list that stands there is being read, and mends no newer one', async () => {
  const { added } = await open();
  await give(LIST);
  await canAdd();
  await give(WRONG);
  await click(addButton(2));
  expect(added()).toEqual([]);
  await until(() => addButton(1));
  const newer = 'prompt,seconds\nWaves,4\nRain,4\nFields,5';
  await give(newer);
  await click(byText(labels.skipRows(1), 'button'));
  await click(byText('4, seconds of row 3', 'button'));
  expect(draft()).toBe(newer);
});

it('leaves by Escape, and keeps the list', async () => {
  const { enter } = await open();
  await give(WRONG);
  await press('Escape');
  await enter();
  expect(draft()).toBe(WRONG);
});
