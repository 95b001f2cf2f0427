import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { textOf, textsOf } from '../testing/find.ts';
import { acting, byText, click, clickOn, press, show, until } from '../testing/page.tsx';
import { Columns } from './Columns.tsx';
import { ImportPane } from './ImportPane.tsx';
import { cellsOf } from './importText.ts';
import { valuesFor } from './rows.ts';
import { tableImport } from './tableImport.ts';

const table = tableImport({
  ...{ fileLabel: 'File', accept: '.csv' },
  ...{ columns: ['prompt', 'seconds'], formats: ['csv', 'lines'], mostCharacters: 1_000 },
});
const text = () => table.useDraft.getState().text;
const RULE = 'must be 4, 6 or 8.';

/** Reads every row as a studio does: 5 seconds are wrong. */
function Page() {
  const source = table.useDraft();
  const rows = source.text
    .split('\n')
    .slice(1)
    .map((_, index) => {
      const line = index + 2;
      const cells = Object.fromEntries(cellsOf(source, line));
      const errors = cells.seconds === '5' ? [{ field: 'seconds', message: RULE }] : [];
      return { key: String(line), line, errors, cells, shown: {} };
    });
  return (
    <>
      <ImportPane
        table={table}
        read={{ rows, error: undefined, isOutdated: false }}
        heads={[
          { id: 'prompt', label: 'Prompt', isMain: true },
          { id: 'seconds', label: 'Length' },
        ]}
        title="Import"
        back="Back"
        onBack={() => undefined}
        start="Start"
        valuesOf={({ cells = {} }, field) => valuesFor(field, cells)}
      />
      <Columns table={table} />
    </>
  );
}

const shown = () => textsOf('.importWords');

beforeEach(async () => {
  table.start('prompt,Dauer\nOne,4\nTwo,5\n<b>Three</b>,6\nFour,5');
  await show(<Page />);
});

async function mapColumn() {
  await click(document.querySelector('[aria-label="Column Dauer"]') as HTMLElement);
  await clickOn('Seconds', '[role="option"]');
}

it('a column is mapped by hand, and what is wrong then comes first, with its cell outlined and its rule', async () => {
  expect([shown(), textsOf('.cellBad')]).toEqual([['One', 'Two', '<b>Three</b>', 'Four'], []]);
  await mapColumn();
  expect(text()).toBe('"prompt","seconds"\nOne,4\nTwo,5\n<b>Three</b>,6\nFour,5');
  await until(() => expect(shown()).toEqual(['Two', 'Four', 'One', '<b>Three</b>']));
  expect(textsOf('.cellBad')).toEqual(['5', '5']);
  expect(textOf('.errWords')).toContain(RULE);
});

it('a fix is for all cells that are wrong in the same way, or for one, and one undo takes it back', async () => {
  await mapColumn();
  const before = text();
  await press('F8');
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('4, seconds of row 3'));
  await click(document.activeElement as HTMLElement);
  expect(text()).toContain('"Two","4"\n<b>Three</b>,6\n"Four","4"');
  await press('z', { ctrlKey: true });
  expect(text()).toBe(before);
  await acting(() => document.querySelector<HTMLElement>('.fix .chk')?.click());
  await click(byText('4, seconds of row 3'));
  expect(text()).toContain('"Two","4"\n<b>Three</b>,6\nFour,5');
});

it('F8 goes from one error to the next, also where the one before is fixed', async () => {
  await mapColumn();
  const focused = () => document.activeElement?.getAttribute('aria-label');
  for (const row of [3, 5, 3]) {
    await press('F8');
    await until(() => expect(focused()).toBe(`4, seconds of row ${row}`));
  }
  await click(byText('Skip row 3'));
  await press('F8');
  await until(() => expect(focused()).toBe('4, seconds of row 5'));
});

it('a row is skipped, and put back', async () => {
  await mapColumn();
  await click(byText('Skip row 3'));
  expect(shown()).toEqual(['Four', 'One', 'Two', '<b>Three</b>']);
  await click(byText('Restore'));
  await until(() => expect(shown()).toEqual(['Two', 'Four', 'One', '<b>Three</b>']));
  byText(labels.nextError);
});
