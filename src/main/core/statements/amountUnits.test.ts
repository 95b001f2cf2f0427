import { expect, test } from 'vitest';
import type { AskedColumns } from './columns.ts';
import { readBill } from './readBill.ts';

const read = async (text: string, asked: AskedColumns = {}) => readBill(text, asked, async () => undefined);
const SHEET = 'date,model,amount,unit\n2026-11-01,m,7,requests\n2026-11-01,m,1.5,USD\n2026-11-02,m,2,dollars';

test('an amount without a cost beside it is money where its unit says so, row by row', async () => {
  const bill = await read(SHEET);
  expect(bill.ok && bill.data.lines.map(({ nano }) => nano)).toEqual([1.5e9, 2e9]);
  const message = 'Column unit: requests, and only dollars can be compared.';
  expect(bill.ok && bill.data.unread.lines).toEqual([{ line: 2, message }]);
});

test('where no row of it is money, its columns are asked for', async () => {
  expect(await read('date,model,amount,amount_unit,price,units\n2026-11-01,m,7,second,0.4,7')).toMatchObject({
    ok: false,
    error: {
      message: expect.stringContaining('Line 2: Column amount_unit: second, and only dollars can be compared.'),
      data: { columns: ['date', 'model', 'amount', 'amount_unit', 'price', 'units'] },
    },
  });
});

test.each(['US dollar', 'U.S. dollars', 'US Dollars', 'usd', 'dollar'])('%s are dollars', async (unit) => {
  const column = await read(`date,model,amount,unit\n2026-11-01,m,1.5,${unit}`);
  const cell = await read(`date,model,cost\n2026-11-01,m,1.5 ${unit}`);
  for (const bill of [column, cell]) expect(bill.ok && bill.data.lines.map(({ nano }) => nano)).toEqual([1.5e9]);
});

test('a bill of which no line could be read says what its columns were read as', async () => {
  expect(await read('date,model,amount,unit\n2026-11-01,m,7,second')).toMatchObject({
    error: {
      data: {
        found: [
          { name: 'date', role: 'at' },
          { name: 'model', role: 'model' },
          { name: 'amount', role: 'amount', unit: 'dollar' },
          { name: 'unit', role: 'currency' },
        ],
      },
    },
  });
});

test('what the user says of the amount, or of its unit, comes first', async () => {
  for (const asked of [{ amount: 'amount' }, { currency: null }]) {
    const bill = await read(SHEET, asked);
    expect(bill.ok && bill.data.lines.map(({ nano }) => nano)).toEqual([7e9, 1.5e9, 2e9]);
  }
});

test('beside a quantity a unit is that of the quantity', async () => {
  const seconds = 'date,model,quantity,unit,amount\n2026-11-01,m,8,second,3.2\n2026-11-02,m,6,second,2.4';
  const fee =
    'date,description,quantity,unit,unit_price,amount\n2026-11-01,m,8,second,0.4,3.2\n2026-11-30,Platform fee,1,,20,20';
  for (const [text, nanos] of [
    [seconds, [3.2e9, 2.4e9]],
    [fee, [3.2e9, 20e9]],
  ] as const) {
    const bill = await read(text);
    expect(bill.ok && bill.data.lines.map(({ nano }) => nano)).toEqual(nanos);
  }
});

test('a column that is something else is no unit of the amount', async () => {
  const bill = await read('date,unit,amount\n2026-11-01,m,7', { model: 'unit' });
  expect(bill.ok && bill.data.lines).toMatchObject([{ model: 'm', nano: 7e9 }]);
});
