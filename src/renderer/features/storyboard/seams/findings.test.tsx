import { useState } from 'react';
import { expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { type BoardContent, boardSchema } from '../../../../shared/board/board.ts';
import { aShot, freshBoard, openBoard } from '../../../testing/boardPage.tsx';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { Findings } from './Findings.tsx';
import type { SeamView } from './seam.ts';

const measure = { finding: 'step', value: 4, around: 0.5, above: 3.5 } as const;
const view = {
  verdict: 'jumps',
  seam: { frames: measure, colour: measure, sound: measure },
} as unknown as SeamView;

let content: BoardContent;
function Page() {
  const [board, setBoard] = useState(() => boardSchema.parse({ projectId: 'p', revision: 0, shots: [] }));
  content = board;
  const sync = { editContent: (edit: (one: BoardContent) => BoardContent) => setBoard({ ...board, ...edit(board) }) };
  return <Findings board={{ board, sync } as unknown as BoardHandle} view={view} />;
}

const LABELS = [labels.frames, labels.colour, labels.sound] as const;
const field = (label: (typeof LABELS)[number]): HTMLInputElement => {
  const inputs = document.querySelectorAll<HTMLInputElement>('input[type="text"]');
  const input = inputs[LABELS.indexOf(label)];
  if (!input || inputs.length !== LABELS.length) throw new Error(`no field ${label}`);
  return input;
};

async function enter(label: (typeof LABELS)[number], text: string): Promise<void> {
  const input = field(label);
  await acting(() => input.focus());
  await type(input, text);
  await acting(() => input.blur());
}

test('a limit that is changed stands on the board, and the usual one is not stored', async () => {
  fakeStudio({});
  await show(<Page />);
  expect(document.querySelector('input')).toBeNull();
  await click(byText(labels.change));
  expect(LABELS.map((label) => field(label).value)).toEqual(['0.05', '3', '2']);
  await enter(labels.colour, '5');
  expect(content.seamLimits).toEqual({ colour: 5 });
  await enter(labels.frames, '0.2');
  expect(content.seamLimits).toEqual({ colour: 5, frames: 0.2 });
  await enter(labels.colour, '3');
  expect(content.seamLimits).toEqual({ frames: 0.2 });
});

test('a link that is not measured says once what to do', async () => {
  fakeStudio({});
  const why = 'Make a take of shot 2 to measure this link.';
  const none = { ...measure, finding: 'none', why } as const;
  const open = { ...view, verdict: 'not measured', seam: { frames: none, colour: none, sound: none } } as SeamView;
  await show(<Findings board={{} as BoardHandle} view={open} />);
  expect(document.body.textContent?.split(why).length).toBe(2);
  expect(document.body.textContent?.split('Not measured').length).toBe(2);
});

test('without takes a link lists no options', async () => {
  freshBoard();
  await openBoard({ shots: [aShot('a'), aShot('b')] });
  await until(() => expect(document.getElementById('shot-b')).not.toBeNull());
  await press('s');
  await until(() => expect(document.body.textContent).toContain('Not measured'));
  expect(document.body.textContent).not.toContain(labels.options);
});
