import { expect, test } from 'vitest';
import { readBill } from './readBill.ts';

const noWait = async (): Promise<void> => undefined;
const read = async (...rows: string[]) => readBill(rows.join('\r\n'), {}, noWait);

async function linesOf(...rows: string[]) {
  const bill = await read(...rows);
  if (!bill.ok) throw new Error(bill.error.message);
  return bill.data.lines.map(({ line, nano, units }) => [line, nano, units]);
}

test('a bill of which nothing can be read is refused with what is wrong with most of it', async () => {
  const bill = await read(
    ...['Bill of November', 'time,cost,currency', '(UTC),($),', ''],
    ...['2026-11-06T10:00:00Z,0.40,EUR', '2026-11-06T11:00:00Z,0.50,EUR', 'Total,0.90,'],
  );
  const message = 'text: no line of it could be read. Line 5: Column currency: EUR, and only dollars can be compared.';
  expect(bill).toMatchObject({ ok: false, error: { message } });
});

test('a bill whose columns have other names is refused with them, not with the title above', async () => {
  const bill = await read('Bill of November', '', 'when,what,how much', 'today,a clip,0.40');
  expect(bill).toMatchObject({ ok: false, error: { data: { columns: ['when', 'what', 'how much'] } } });
});

test('the cost that is not rounded is the cost', async () => {
  const rows = [
    'Usage start date,SKU description,Cost ($),Unrounded cost ($)',
    '2026-11-01,video-standard,0.04,0.0437',
  ];
  expect(await linesOf(...rows)).toEqual([[2, 43_700_000, null]]);
});

test('a line that names the separator, decimal commas and quantities are read', async () => {
  const rows = ['sep=|', 'time|amount|seconds', '2026-11-06T10:00:00Z|0,40|8,5', '2026-11-06T11:00:00Z|1.234,5|1.000'];
  expect(await linesOf(...rows)).toEqual([
    [2, 400_000_000, 8.5],
    [3, 1_234_500_000_000, 1000],
  ]);
});
