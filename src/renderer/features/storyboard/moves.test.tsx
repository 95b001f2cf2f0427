import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Board, Shot } from '../../../shared/board.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { aShot, freshBoard } from '../../testing/boardPage.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useBoardView } from './useBoard.ts';

/** A board that is full is as full with six: to draw five hundred takes seconds. The number itself is proven beside the model. */
vi.mock('../../../shared/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

const shot = (id: string) => aShot(id, { title: `Title ${id}` });

let boards = 0;

async function open(steps: { undo?: string; redo?: string } = {}, ids = ['a', 'b', 'c']) {
  boards += 1;
  const projectId = `moves-${boards}`;
  let board: Board = { projectId, revision: 1, shots: ids.map(shot) };
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = { ...board, shots: saved.shots as Shot[], revision: board.revision + 1 };
      return board;
    },
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: steps.undo !== undefined, canRedo: steps.redo !== undefined, ...steps }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
  });
  await show(<BoardPage projectId={projectId} />);
  await until(() => card('a'));
  const order = () => [...document.querySelectorAll('.shot')].map(({ id }) => id.replace('shot-', '')).join('');
  return { studio, order };
}

function card(id: string): HTMLElement {
  const found = document.getElementById(`shot-${id}`);
  if (!found) throw new Error(`no card ${id}`);
  return found;
}

beforeEach(() => {
  freshBoard();
  useAnnouncements.setState({ polite: '' });
});

const said = (sentence: string) => until(() => expect(useAnnouncements.getState().polite).toBe(sentence));

it('moves a shot by Alt and arrows, and says where it stands', async () => {
  const { order } = await open();
  await click(card('c'));
  await press('ArrowLeft', { altKey: true });
  expect(order()).toBe('acb');
  await said(labels.shotMovedToPositionOf(3, 2, 3));
  await press('ArrowLeft', { altKey: true });
  await press('ArrowLeft', { altKey: true });
  expect(order()).toBe('cab');
  await said(labels.shotIsTheLastAlready(1, 1));
});

it('goes on with the keys of the cards after Delete, which removes one shot a press', async () => {
  const { order } = await open();
  await acting(() => card('b').focus());
  await press('Delete', {}, card('b'));
  expect(order()).toBe('ac');
  expect(document.activeElement).toBe(card('c'));
  await press('Delete', { repeat: true }, card('c'));
  expect(order()).toBe('ac');
  await press('Delete', {}, card('c'));
  expect([order(), document.activeElement]).toEqual(['a', card('a')]);
});

it('shows where a dragged card would go, and moves it there', async () => {
  const { order } = await open();
  const carried = new Map<string, string>();
  const types = {
    ...{ types: ['application/x-dailies-shot'], effectAllowed: '' },
    setData: (type: string, id: string) => void carried.set(type, id),
    getData: (type: string) => carried.get(type) ?? '',
  };
  const send = (target: HTMLElement, type: string, clientX = 0) =>
    acting(() => {
      const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer: types });
      Object.defineProperty(event, 'clientX', { value: clientX });
      target.dispatchEvent(event);
    });
  await send(card('a'), 'dragstart');
  // Without a layout every card begins at 0: behind its middle.
  await send(card('c'), 'dragover', 10);
  expect(card('c').className).toContain('drop-after');
  await send(card('c'), 'drop', 10);
  expect(order()).toBe('bca');
  expect(card('c').className).not.toContain('drop');
  await said(labels.shotMovedToPositionOf(1, 3, 3));
  // Another shot is chosen meanwhile, as where the film plays.
  await send(card('b'), 'dragstart');
  await acting(() => useBoardView.setState({ shotId: 'c' }));
  await send(card('a'), 'dragover', 10);
  await send(card('a'), 'drop', 10);
  expect(order()).toBe('cab');
});

it('names undo and redo after what they would do', async () => {
  await open({ undo: 'remove shot 4' });
  await until(() => byText(`${labels.undo}: remove shot 4`));
  expect(byText(`${labels.undo}: remove shot 4`).getAttribute('aria-disabled')).toBeNull();
  expect(byText(labels.redo).getAttribute('aria-description')).toBe('There is nothing to redo.');
});

it('refuses one shot more than a board has room for before it is added', async () => {
  const ids = ['a', ...Array.from({ length: 5 }, (_, index) => `n${index}`)];
  const { studio, order } = await open({}, ids);
  await click(byText(labels.addAShot));
  await until(() => expect(document.querySelector('.board-status')?.textContent).toContain('at most 6 shots'));
  await said(labels.aBoardHasAtMost(6));
  expect(order()).toBe(ids.join(''));
  expect(document.querySelector('.not-saved')).toBeNull();
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});

it('says what is not saved and why, keeps it, and takes it back', async () => {
  const { studio, order } = await open();
  const prompt = () => document.querySelector<HTMLTextAreaElement>('.insp textarea');
  await until(() => expect(prompt()).not.toBeNull());
  const field = prompt();
  if (!field) return;
  await type(field, 'x'.repeat(100_001));
  const strip = () => document.querySelector('.not-saved')?.textContent ?? '';
  await until(() => expect(strip()).toContain('Not saved: in shot 1 the prompt must have at most 100,000 characters.'));
  expect(window.sessionStorage.getItem(`dailies.board.moves-${boards}`)).toContain('xxx');
  await click(card('b'));
  await press('ArrowRight', { altKey: true });
  expect(order()).toBe('acb');
  await until(() => expect(studio.callsOf('storyboard.save')).toHaveLength(1));
  await click(byText(labels.showIt));
  expect(useBoardView.getState()).toMatchObject({ shotId: 'a', tab: 'shot' });
  await click(byText(labels.takeItBack));
  expect(strip()).toBe('');
  expect(prompt()?.value).toBe('');
  expect(window.sessionStorage.getItem(`dailies.board.moves-${boards}`)).toBeNull();
});

it('gives the focus to the tab that is opened by its key, and leaves it on a tab that is chosen', async () => {
  await open();
  const focused = () => document.activeElement?.closest('[role="tabpanel"]')?.getAttribute('aria-label');
  await acting(() => card('a').focus());
  for (const [key, label] of [
    ['s', labels.seams],
    ['c', labels.cast],
    ['t', labels.sound],
    ['a', labels.audition],
  ] as const) {
    await press(key);
    await until(() => expect(focused()).toBe(label));
  }
  const tab = byText(labels.seams, '[role="tab"]');
  await acting(() => tab.focus());
  await click(tab);
  expect(document.activeElement).toBe(tab);
});
