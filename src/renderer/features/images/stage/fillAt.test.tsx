import { beforeEach, expect, it, vi } from 'vitest';
import { OutcomeLine } from '../../../app/index.ts';
import { addEdit, emptyHistory, type MaskDocument, type MaskHistory } from '../../../canvas/index.ts';
import { textOf } from '../../../testing/find.ts';
import { show, until } from '../../../testing/page.tsx';
import { OUTCOME } from '../useImages.ts';
import { fillAt } from './fillAt.ts';

type Flood = { id: number; task: { document: MaskDocument; at: { x: number } } };
type Answer = { id: number; answer?: { runs: Int32Array; isPainted: boolean }; error?: string };

/** Floods that were asked for, and the answer to each, by hand. */
const asked: Flood[] = [];
let answers: (data: Answer) => void;
vi.stubGlobal(
  'Worker',
  class {
    addEventListener(type: string, listener: (event: { data: Answer }) => void): void {
      if (type === 'message') answers = (data) => listener({ data });
    }
    postMessage(flood: Flood): void {
      asked.push(flood);
    }
  },
);
const found = (at: number) => Int32Array.of(0, at, at + 1);
const isAsked = (count: number) => until(() => expect(asked).toHaveLength(count));
function answer(which: number, more: Partial<Answer> = {}): void {
  const { id, task } = asked[which] as Flood;
  answers({ id, answer: { runs: found(task.at.x), isPainted: false }, ...more });
}

let history: MaskHistory;
const change = (edit: (before: MaskHistory) => MaskHistory) => {
  history = edit(history);
};
const steps = () => history.document.strokes.map((edit) => (edit.kind === 'pixels' ? edit.runs[1] : edit.kind));

beforeEach(() => {
  history = emptyHistory(20, 12);
  asked.length = 0;
});

it('fills both of two areas that are clicked quickly', async () => {
  const both = [fillAt(change, { x: 1, y: 1 }, 'add'), fillAt(change, { x: 9, y: 1 }, 'add')];
  await isAsked(2);
  answer(0);
  answer(1);
  await isAsked(3);
  expect(asked[2]?.task.document).toBe(history.document);
  answer(2);
  await Promise.all(both);
  expect(steps()).toEqual([1, 9]);
});

it('finds an area anew where something was painted meanwhile', async () => {
  const filled = fillAt(change, { x: 1, y: 1 }, 'add');
  await isAsked(1);
  change((before) => addEdit(before, { kind: 'invert' }));
  answer(0);
  await isAsked(2);
  expect(asked[1]?.task.document).toBe(history.document);
  answer(1);
  await filled;
  expect(steps()).toEqual(['invert', 1]);
});

it('fills on after one that could not be found', async () => {
  const both = [fillAt(change, { x: 1, y: 1 }, 'add'), fillAt(change, { x: 9, y: 1 }, 'add')];
  await isAsked(2);
  answer(0, { error: 'The mask worker was closed.' });
  answer(1);
  await Promise.all(both);
  expect(steps()).toEqual([9]);
});

it('shows why an area could not be filled', async () => {
  await show(<OutcomeLine place={OUTCOME.mask} />);
  const filled = fillAt(change, { x: 1, y: 1 }, 'add');
  await isAsked(1);
  answer(0, { error: 'The area has too many parts.' });
  await filled;
  await until(() =>
    expect(textOf('.outcome [role=alert]')).toContain('Nothing was filled: The area has too many parts.'),
  );
  expect(steps()).toEqual([]);
});
