import { expect, test } from 'vitest';
import { readBill } from './readBill.ts';

async function spansOf(...rows: string[]) {
  const bill = await readBill(rows.join('\n'), {}, async () => undefined);
  return bill.ok ? bill.data.lines.map(({ spanMs }) => spanMs) : bill.error.message;
}

/** Bug: rows of calls without an end, or with another column of that name, were refused, and nothing was clear on their bill. */
test.each([
  ['request_id,startTime,endTime,spend', 'a,2026-01-01T10:00:00.000Z,None,1'],
  ['time,to,cost', '2026-01-01T10:00:00.000Z,me,1'],
  ['time,end,cost', '2026-01-01T10:00:00.000Z,stop,1'],
])('an end that is no time, in a column that nobody chose, is none: %s', async (header, row) => {
  expect(await spansOf(header, row)).toEqual([1]);
});
