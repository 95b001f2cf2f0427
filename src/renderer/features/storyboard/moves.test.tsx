import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { aShot, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { type Answers, acting, byText, click, press, type, until } from '../../testing/page.tsx';
import { useBoardView } from './useBoard.ts';

/** Full with six shots here: rendering five hundred takes seconds. Tests of the model cover the number. */
vi.mock('../../../shared/board/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

async function open(ids = 'abc', answers: Answers = {}) {
  const opened = await openBoard({ shots: [...ids].map((id) => aShot(id, { prompt: '' })) }, answers);
  await until(() => expect(card('a')).not.toBeNull());
  return opened;
}

const card = (id: string) => document.getElementById(`shot-${id}`) as HTMLElement;
const order = () => [...document.querySelectorAll('.shot')].map(({ id }) => id.replace('shot-', '')).join('');
const said = (sentence: string) => until(() => expect(useAnnouncements.getState().polite).toBe(sentence));

beforeEach(() => {
  freshBoard();
  useAnnouncements.setState({ polite: '' });
});

it('moves a shot by Alt and arrows, and says where it stands', async () => {
  await open();
  await click(card('c'));
  await press('ArrowLeft', { altKey: true });
  expect(order()).toBe('acb');
  await said(labels.shotMovedToPositionOf(3, 2, 3));
  for (const _ of [1, 2]) await press('ArrowLeft', { altKey: true });
  expect(order()).toBe('cab');
  await said(labels.shotIsAlreadyFirst(1));
});

it('goes on with the keys of the cards after Delete, which removes one shot a press', async () => {
  await open();
  await acting(() => card('b').focus());
  await press('Delete', {}, card('b'));
  expect([order(), document.activeElement]).toEqual(['ac', card('c')]);
  await press('Delete', { repeat: true }, card('c'));
  expect(order()).toBe('ac');
  await press('Delete', {}, card('c'));
  expect([order(), document.activeElement]).toEqual(['a', card('a')]);
});

it('moves a dragged card to where it is dropped, also while another shot is chosen', async () => {
  await open();
  const carried = new Map<string, string>();
  const dataTransfer = {
    ...{ types: ['application/x-dailies-shot'], effectAllowed: '' },
    setData: (type: string, id: string) => void carried.set(type, id),
    getData: (type: string) => carried.get(type) ?? '',
  };
  // Without layout every card is at 0, so 10 is past its middle.
  const send = (id: string, type: string) =>
    acting(() => {
      const event = new Event(type, { bubbles: true, cancelable: true });
      card(id).dispatchEvent(Object.assign(event, { dataTransfer, clientX: 10 }));
    });
  await send('a', 'dragstart');
  await send('c', 'dragover');
  await send('c', 'drop');
  expect(order()).toBe('bca');
  await said(labels.shotMovedToPositionOf(1, 3, 3));
  await send('b', 'dragstart');
  await acting(() => useBoardView.setState({ shotId: 'c' }));
  await send('a', 'dragover');
  await send('a', 'drop');
  expect(order()).toBe('cab');
});

it('names undo and redo after what they would do', async () => {
  await open('a', { 'board.steps': () => ({ canUndo: true, canRedo: false, undo: 'Remove shot 4' }) });
  await until(() => byText(`${labels.undo}: Remove shot 4`));
  expect(byText(labels.undo).getAttribute('aria-disabled')).toBeNull();
});

it('refuses one shot more than a board has room for before it is added', async () => {
  const { studio } = await open('abcdef');
  await click(byText(labels.addAShot));
  await said(labels.aBoardHasAtMost(6));
  expect(order()).toBe('abcdef');
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});

it('says what is not saved and why, keeps it, and takes it back', async () => {
  const { studio, projectId } = await open();
  const prompt = () => document.querySelector('aside textarea') as HTMLTextAreaElement;
  await until(() => expect(prompt()).not.toBeNull());
  await type(prompt(), 'x'.repeat(100_001));
  const strip = () => document.querySelector('.notSaved')?.textContent ?? '';
  await until(() => expect(strip()).toContain('Shot 1 is not saved. Prompt must have at most 100,000 characters.'));
  const kept = () => window.sessionStorage.getItem(`dailies.board.${projectId}`);
  expect(kept()).toContain('xxx');
  await click(card('b'));
  await press('ArrowRight', { altKey: true });
  expect(order()).toBe('acb');
  await until(() => expect(studio.callsOf('storyboard.save')).toHaveLength(1));
  await click(byText(labels.showIt));
  expect(useBoardView.getState()).toMatchObject({ shotId: 'a', tab: 'board' });
  await click(byText(labels.takeItBack));
  expect([strip(), prompt().value, kept()]).toEqual(['', '', null]);
});

it('gives the focus to the tab that is opened by its key, and leaves it on a tab that is chosen', async () => {
  await open();
  const focused = () => document.activeElement?.closest('[role="tabpanel"]')?.getAttribute('aria-label');
  await acting(() => card('a').focus());
  const tabs = { s: labels.continuity, c: labels.cast, t: labels.sound };
  for (const [key, label] of Object.entries(tabs)) {
    await press(key);
    await until(() => expect(focused()).toBe(label));
  }
  const tab = byText(labels.continuity, '[role="tab"]');
  await acting(() => tab.focus());
  await click(tab);
  expect(document.activeElement).toBe(tab);
});
