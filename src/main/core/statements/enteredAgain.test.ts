import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';

/** A bill whose lines were entered, exported or saved again in another form. */

const rows = ['2026-11-03T10:00:01Z,v-1,1.60', '2026-11-04T10:00:05Z,x-1,0.40', '2026-11-05T10:00:00Z,v-1,-1.60'];
const text = (header: string, form: (row: string) => string) => [header, ...rows.map(form)].join('\n');

test.each([
  ['a column more', 'time,id,cost,model', (row: string) => `${row},a model`],
  ['other numbers', 'time;id;cost', (row: string) => row.replaceAll(',', ';').replaceAll('.', ',')],
  ['no seconds, as from a spreadsheet', 'time,id,cost', (row: string) => row.replace(/:\d\dZ/, 'Z')],
])('what was entered is not entered again unseen where its bill has %s', async (_, header, form) => {
  const { make, sum, readText, adopt } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const first = await readText(text('time,id,cost', (row) => row));
  expect(first).toMatchObject({ matched: 1, clear: { ids: ['b4'] } });
  expect(first.onlyBill.map(({ finding }) => finding?.isEntered)).toEqual([undefined, undefined]);
  await adopt(first.id, ['b3', 'b4']);
  expect(sum(false)).toEqual([400_000_000, 0]);
  const again = await readText(text(header, form));
  expect(again.onlyBill).toMatchObject([
    { id: 'b3', finding: { type: 'unknown', isEntered: true } },
    { id: 'b4', finding: { type: 'refund', isEntered: true } },
  ]);
  expect(again.clear.count).toBe(0);
});

test('a line beside one that was entered, and one of another time or amount, is not said to be entered', async () => {
  const { readText, adopt } = openStatements();
  const first = await readText(['time,cost', '2026-11-04T10:00:05Z,0.4'].join('\n'));
  await adopt(first.id, ['b2']);
  const line = '2026-11-04T10:00:05Z,0.4';
  const next = await readText(
    ['time,cost', line, line, '2026-11-04T11:00:05Z,0.4', '2026-11-04T10:00:05Z,0.5'].join('\n'),
  );
  expect(next.onlyBill.map(({ finding }) => finding)).toEqual(Array(3).fill({ type: 'unknown' }));
});

test('what was entered is said to be where another row has the same cells in other columns', async () => {
  const { readText, adopt } = openStatements();
  const [header, line] = ['time,id,qty,cost', '2026-11-04T10:00:05Z,x-1,2,1'];
  await adopt((await readText([header, line].join('\n'))).id, ['b2']);
  const next = await readText([header, '2026-11-04T10:00:05Z,x-1,1,2', line].join('\n'));
  expect(next).toMatchObject({ differs: [{ id: 'b2' }], onlyBill: [{ id: 'b3', finding: { isEntered: true } }] });
});

const local = (row: string) => row.replace(/T(\d\d)(.*)Z/, (_, hour, rest) => ` ${Number(hour) + 8}${rest}`);

test('what was entered is not entered again unseen where one of two exports has times of another zone', async () => {
  const { make, answer, sum, readText, adopt } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const inLocalTime = text('time,id,cost', local);
  const unknown = await readText(inLocalTime);
  expect(unknown).toMatchObject({ matched: 1, onlyBill: [{ id: 'b3' }, { id: 'b4' }], clear: { count: 0 } });
  expect(await answer('statement.settle', { id: unknown.id, lines: ['b4'], as: 'adopt' })).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringMatching(/choose the zone/) },
  });
  const known = await readText(inLocalTime, { columns: { zone: 480 } });
  expect(known).toMatchObject({ matched: 1, clear: { ids: ['b4'] } });
  await adopt(known.id, ['b4']);
  expect(sum(false)).toEqual([0, 0]);
  const again = await readText(text('time,id,cost,model', (row) => `${row},a model`));
  expect(again.onlyBill).toMatchObject([{ id: 'b3' }, { id: 'b4', finding: { type: 'refund', isEntered: true } }]);
});
