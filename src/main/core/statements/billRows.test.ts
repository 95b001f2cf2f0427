import { expect, test } from 'vitest';
import { compared, line, outcome } from '../../../../test/helpers/comparedBill.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';
import type { AskedColumns } from '../../../shared/money/statement/statement.ts';
import { parseAmount } from './cells.ts';
import { readBill } from './readBill.ts';

/** What a row of a bill says: its amount and its unit, its time, and what is no row. */

const read = async (text: string, asked: AskedColumns = {}) => outcome(readBill(text, asked));
async function linesOf(text: string, asked: AskedColumns = {}) {
  const bill = await read(text, asked);
  if (!bill.ok) throw new Error(bill.error.message);
  return bill.data.lines;
}
const nanosOf = async (text: string, asked: AskedColumns = {}) => (await linesOf(text, asked)).map(({ nano }) => nano);
const SHEET = 'date,model,amount,unit\n2026-11-01,m,7,requests\n2026-11-01,m,1.5,USD\n2026-11-02,m,2,dollars';

test('an amount of which the unit is stated is asked for, with the columns that there are', async () => {
  const columns = ['date', 'model', 'amount', 'amount_unit', 'price', 'units'];
  const message = expect.stringMatching(/^columns\.amount: no column has the name of an amount/);
  expect(await read(`${columns}\n2026-11-01,m,7,second,0.4,7`)).toMatchObject({
    error: { message, data: { columns } },
  });
});

test.each(['US dollar', 'U.S. dollars', 'US Dollars', 'usd', 'dollar'])('%s are dollars', async (unit) => {
  expect(await nanosOf(`date,model,cost,currency\n2026-11-01,m,1.5,${unit}`)).toEqual([1.5e9]);
  expect(await nanosOf(`date,model,cost\n2026-11-01,m,1.5 ${unit}`)).toEqual([1.5e9]);
});

test('a bill of which no line could be read says what its columns were read as', async () => {
  const found = [
    { name: 'date', role: 'at' },
    { name: 'model', role: 'model' },
    { name: 'amount', role: 'amount', unit: 'dollar' },
    { name: 'currency', role: 'currency' },
  ];
  const bill = await read('date,model,amount,currency\n2026-11-01,m,7,EUR');
  expect(bill).toMatchObject({ error: { data: { found } } });
});

test.each<[string, string, AskedColumns, number[]]>([
  ['what the user says of the amount comes first', SHEET, { amount: 'amount' }, [7e9, 1.5e9, 2e9]],
  [
    'beside a quantity a unit is that of the quantity',
    'date,model,quantity,unit,amount\n2026-11-01,m,8,second,3.2\n2026-11-02,m,6,second,2.4',
    {},
    [3.2e9, 2.4e9],
  ],
  [
    'beside a quantity, also of a fee',
    'date,description,quantity,unit,unit_price,amount\n2026-11-01,m,8,second,0.4,3.2\n2026-11-30,Platform fee,1,,20,20',
    {},
    [3.2e9, 20e9],
  ],
  [
    'the cost that is not rounded is the cost',
    'Usage start date,SKU description,Cost ($),Unrounded cost ($)\n2026-11-01,video-standard,0.04,0.0437',
    {},
    [43_700_000],
  ],
])('%s', async (_, text, asked, nanos) => expect(await nanosOf(text, asked)).toEqual(nanos));

test('a bill of which nothing can be read is refused with what is wrong with its first line', async () => {
  const rows = ['Bill of November', 'time,cost,currency', '', '2026-11-06T10:00:00Z,0.40,EUR', 'Total,0.90,'];
  const message =
    'text: no line of it could be read. Line 4: Column currency is in EUR, and only dollars can be compared.';
  expect(await read(rows.join('\r\n'))).toMatchObject({ ok: false, error: { message } });
});

test('a bill whose columns have other names is refused with them, not with the title above', async () => {
  const bill = await read('Bill of November\r\n\r\nwhen,what,how much\r\ntoday,a clip,0.40');
  expect(bill).toMatchObject({ ok: false, error: { data: { columns: ['when', 'what', 'how much'] } } });
});

test('a line that names the separator, decimal commas and quantities are read', async () => {
  const rows = ['sep=|', 'time|amount|seconds', '2026-11-06T10:00:00Z|0,40|8,5', '2026-11-06T11:00:00Z|1.234,5|1.000'];
  expect((await linesOf(rows.join('\r\n'))).map(({ line: at, nano, units }) => [at, nano, units])).toEqual([
    [2, 400_000_000, 8.5],
    [3, 1_234_500_000_000, 1000],
  ]);
});

test.each([
  ['0.0000061785', 6_179],
  ['2.8500000000000002e-06', 2_851],
  ['0.13080438340307526', 130_804_384],
  ['-0.0000061785', -6_179],
  ['0.0000000001', 1],
])('%s is rounded away from zero, as a charge is', (cell, nano) =>
  expect(parseAmount(cell, { unit: 'dollar', isDecimalComma: false })).toEqual({ nano }),
);

const spansOf = async (...rows: string[]) => (await linesOf(rows.join('\n'))).map(({ spanMs }) => spanMs);

test.each([
  ['request_id,startTime,endTime,spend', 'a,2026-01-01T10:00:00.000Z,None,1'],
  ['time,to,cost', '2026-01-01T10:00:00.000Z,me,1'],
  ['time,end,cost', '2026-01-01T10:00:00.000Z,stop,1'],
])('an end that is no time, in a column that nobody chose, is none: %s', async (header, row) => {
  expect(await spansOf(header, row)).toEqual([1]);
});

test('a long call settles the doubt that it fits', async () => {
  const { make, lose, readText } = openStatements();
  const lost = await lose('2026-11-13T10:00:00Z', aVideo);
  await make('2026-11-13T10:03:00Z', 'v-1', aVideo);
  const text = 'start_time,end_time,model,cost\n2026-11-13T10:00:05Z,2026-11-13T10:02:10Z,video-standard,1.5';
  const clear = { jobId: lost.id, finding: { type: 'doubt' }, isClear: true };
  expect((await readText(text)).onlyBill).toMatchObject([clear]);
});

test.each(['+13:00', '-08:00', '+01:00'])(
  'a row of a day at %s is of that day, whatever other offsets the bill states',
  (offset) => {
    const at = Date.parse(`2026-11-01T00:00:00${offset}`);
    expect(compared([line({ at, spanMs: 86_400_000 })], [])[0]?.day).toBe('2026-11-01');
  },
);
