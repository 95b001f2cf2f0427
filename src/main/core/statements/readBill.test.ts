import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { root } from '../../../../test/arch/tools.ts';
import { outcome } from '../../../../test/helpers/comparedBill.ts';
import type { AskedColumns } from '../../../shared/money/statement/statement.ts';
import { DAY_MS, parseAmount, parseTime, zoneOfHeader } from './cells.ts';
import { findColumns, unitOfName } from './columns.ts';
import { readBill } from './readBill.ts';

async function read(text: string, columns: AskedColumns = {}) {
  const bill = outcome(readBill(text, columns));
  if (!bill.ok) throw new Error(bill.error.message);
  return bill.data;
}
async function refused(text: string, columns: AskedColumns = {}): Promise<string> {
  const bill = outcome(readBill(text, columns));
  return bill.ok ? 'read' : bill.error.message;
}

/** Each is what a service or a spreadsheet writes, with what is to be read out of it. */
describe('bills of services', () => {
  const folder = join(root, 'test/fixtures/statements');
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  test.each(names)('%s', async (name) => {
    const expected = JSON.parse(readFileSync(join(folder, name.replace('.csv', '.json')), 'utf8')) as unknown;
    const { lines, columns, unread, ...facts } = await read(readFileSync(join(folder, name), 'utf8'));
    const roles = Object.fromEntries(
      columns.flatMap(({ name: column, role, unit }) => (role ? [[column, unit ?? role]] : [])),
    );
    const told = lines.map(({ at, remoteId, requestKey, model, units, nano }) => [
      new Date(at).toISOString(),
      remoteId || requestKey,
      model,
      units,
      nano,
    ]);
    const { unreadNamed: _, hasGaps: _gaps, ...zones } = facts;
    expect({ roles, ...zones, lines: told, unread: unread.lines }).toEqual(expected);
  });
});

test.each([
  ['of another currency', '2026-11-06T10:00:00Z,EUR 1,', true],
  ['without a time', ',0.4,', true],
  ['that holds the rows behind it', '2026-11-06T10:00:00Z,0.4,"y\n2026-11-06T11:00:00Z,0.4,z', true],
  ['that failed and cost nothing', '2026-11-06T10:00:00Z,,', false],
  ['that is the header again', 'time,cost,id', false],
  ['of totals', 'Total,0.4,', false],
])('a row %s may be a line that could not be read: %j is %j', async (_, row, hasGaps) =>
  expect((await read(`time,cost,id\n2026-11-06T09:00:00Z,0.4,x\n${row}`)).hasGaps).toBe(hasGaps),
);

describe('columns', () => {
  test('each role goes to the name that says most, and to one column', () => {
    const roleOf = (header: string[], asked: AskedColumns = {}) => {
      const { at } = findColumns(header, asked);
      return Object.fromEntries(Object.entries(at).map(([role, index]) => [role, header[index]]));
    };
    expect(roleOf(['id', 'Operation', 'Created At', 'Cost ($)', 'amount'])).toEqual({
      remoteId: 'Operation',
      at: 'Created At',
      amount: 'Cost ($)',
    });
    expect(roleOf(['id', 'operation', 'time', 'cost'], { remoteId: 'id', amount: null })).toEqual({
      remoteId: 'id',
      at: 'time',
    });
  });

  test('what is missing, named wrongly or no money is told by its field', async () => {
    expect(await refused('a,b\n1,2')).toBe(
      'columns.amount: no column has the name of an amount; say which one it is. The columns are a, b.',
    );
    expect(await refused('time,credits\n2026-11-01,2')).toBe(
      'columns.amount: column credits counts credits, and only dollars can be compared.',
    );
    expect(await refused('time,cost_eur\n2026-11-01,2')).toMatch(/is in EUR/);
    expect(await refused('time,cost\n2026-11-01,2', { model: 'modell' })).toBe(
      'columns.model: there is no column of that name; the columns are time, cost.',
    );
    expect((await read('time,credits\n2026-11-01,2', { amount: 'credits', unit: 'cent' })).lines[0]?.nano).toBe(
      20_000_000,
    );
    expect(await refused('')).toBe('text: has no line.');
  });
});

describe('amounts', () => {
  const dollar = { unit: 'dollar', isDecimalComma: false } as const;
  test.each([
    ['0.40', 400_000_000],
    ['$1,234.50', 1_234_500_000_000],
    ['-0.4', -400_000_000],
    ['(0.40)', -400_000_000],
    ['−$0.000000001', -1],
    ['USD 4e-7', 400],
    ['0.40 USD', 400_000_000],
  ])('%s', (cell, nano) => expect(parseAmount(cell, dollar)).toEqual({ nano }));
  test.each([
    ['€0.40', /is in €/],
    ['0.40 EUR', /is in EUR/],
    ['1,2', /is no amount/],
    ['1.2.3', /is no amount/],
    ['free', /is no amount/],
    ['', /is empty/],
    ['9999999999', /more than a million/],
  ])('%s is refused in a sentence', (cell, fault) =>
    expect(parseAmount(cell, dollar)).toMatchObject({ fault: expect.stringMatching(fault) }),
  );
  test('other units, and a comma before the decimals', () => {
    expect(parseAmount('40.5', { unit: 'cent', isDecimalComma: false })).toEqual({ nano: 405_000_000 });
    expect(parseAmount('1.5', { unit: 'nano', isDecimalComma: false })).toEqual({ nano: 2 });
    expect(parseAmount('1.234,5', { unit: 'dollar', isDecimalComma: true })).toEqual({ nano: 1_234_500_000_000 });
  });
  test.each([
    ['usd', ',', ['"0,400"', '"1,600"'], [400_000_000, 1_600_000_000]],
    ['usd', ',', ['"1,600"', '"12,000"'], [1_600_000_000_000, 12_000_000_000_000]],
    ['usd', ',', ['"1.234,500"', '"1,600"'], [1_234_500_000_000, 1_600_000_000]],
    ['usd', ';', ['1.234', '0,40'], [1_234_000_000_000, 400_000_000]],
    ['usd', ';', ['1,600'], [1_600_000_000]],
    ['usd', '\t', ['1,600', '0.400'], [1_600_000_000_000, 400_000_000]],
    ['cost_micros', ',', ['"400,000"', '"1,600,000"'], [400_000_000, 1_600_000_000]],
    ['cost_micros', ';', ['400,000', '1,600,000'], [400_000_000, 1_600_000_000]],
    ['cost_micros', '\t', ['400,000'], [400_000_000]],
    ['cost_micros', ';', ['400.000', '1.600'], [400_000_000, 1_600_000]],
    ['cost_nanos', ',', ['400.000'], [400_000]],
    ['cost_micros', ';', ['400.000', '0.500'], [400_000, 500]],
  ])('%s by "%s": %j', async (column, separator, cells, nanos) => {
    const rows = cells.map((cell) => `2026-11-01${separator}${cell}`);
    const { lines, unread } = await read([`time${separator}${column}`, ...rows].join('\n'));
    expect([lines.map(({ nano }) => nano), unread.lines]).toEqual([nanos, []]);
  });
  test.each(['0,400', '1234,567', '1,60,000'])('%s is no number with thousands', (cell) =>
    expect(parseAmount(cell, dollar)).toEqual({ fault: 'is no amount.' }),
  );
});

describe('times', () => {
  test.each([
    ['2026-11-13T03:12:20.5Z', '2026-11-13T03:12:20.500Z', 0],
    ['2026-11-13 03:12:20', '2026-11-13T03:12:20.000Z', null],
    ['2026-11-13T03:12:20+01:00', '2026-11-13T02:12:20.000Z', 60],
    ['2026-11-13 03:12 -0330', '2026-11-13T06:42:00.000Z', -210],
    ['2026-11-13 03:12:20 UTC', '2026-11-13T03:12:20.000Z', 0],
    ['13.11.2026, 03:12', '2026-11-13T03:12:00.000Z', null],
    ['Nov 13, 2026 3:12 PM', '2026-11-13T15:12:00.000Z', null],
    ['13 Nov 2026', '2026-11-13T00:00:00.000Z', null],
    ['1794539540', '2026-11-13T03:12:20.000Z', 0],
    ['1794539540123', '2026-11-13T03:12:20.123Z', 0],
  ])('%s', (cell, at, zone) => {
    const time = parseTime(cell, 'dayFirst');
    expect([new Date(time?.at ?? 0).toISOString(), time?.zone]).toEqual([at, zone]);
  });
  test('what is no time is none, and a header may name the zone', () => {
    for (const cell of ['', 'soon', '2026-13-01', '2026-02-30', '2026-11-13 25:00', '2026-11-13 10:00 CEST'])
      expect(parseTime(cell, 'dayFirst')).toBeUndefined();
    expect(zoneOfHeader('Time (UTC+1)')).toBe(60);
    expect(parseTime('2026-11-13 03:12:20', 'dayFirst', 60)?.at).toBe(Date.parse('2026-11-13T02:12:20Z'));
  });
  test('a point in the time says nothing about the order of the date', async () => {
    const days = async (...times: string[]) => {
      const { lines, isMonthFirst, unread } = await read(['time,cost', ...times.map((at) => `${at},0.4`)].join('\n'));
      return [lines.map(({ at }) => new Date(at).toISOString().slice(0, 10)), isMonthFirst, unread.count];
    };
    expect(await days('11/02/2026 10:15:30.123')).toEqual([['2026-11-02'], true, 0]);
    expect(await days('11/02/2026 10:15:30.123', '11/26/2026 08:00:00.5')).toEqual([
      ['2026-11-02', '2026-11-26'],
      false,
      0,
    ]);
    expect(await days('11.02.2026 10:15:30.123')).toEqual([['2026-02-11'], false, 0]);
  });
});

describe('a currency in the name of a column', () => {
  test.each([
    'Cost (€)',
    'Unrounded cost (€)',
    'Amount (¥)',
    'Cost (£)',
    'Price (€)',
    'Charge ¥',
    'cost (元)',
    'amount_cny',
  ])('%s is refused', async (name) =>
    expect(await refused(`time,${name}\n2026-11-01,12.5`)).toMatch(
      /^columns\.amount: column .* is in .+, and only dollars can be compared\.$/,
    ),
  );
  test.each(['Cost (€),Cost ($)', 'Cost (€),cost', 'Cost ($),Cost (€)'])(
    'the dollars beside it are read: %s',
    async (names) => {
      const { columns } = await read(`time,${names}\n2026-11-01,12.5,12.5`);
      expect(columns.find(({ role }) => role === 'amount')?.name).not.toBe('Cost (€)');
    },
  );
  test.each([
    ['utc_date,model,type,price,amount', '2026-11-01,chat,request,0.5,7', 'refused'],
    ['utc_date,model,type,unit_price,Amount', '2026-11-01,chat,request,0.5,7', 'refused'],
    ['date,model,amount,unit,price,cost', '2026-11-01,m,8,second,0.4,3.2', 3.2e9],
    ['date,model,amount,unit,total', '2026-11-01,m,8,second,3.2', 3.2e9],
    ['date,model,price,amount,currency', '2026-11-01,m,0.4,3.2,USD', 3.2e9],
    ['date,model,price,amount_usd', '2026-11-01,m,0.4,3.2', 3.2e9],
    ['date,model,price,Amount ($)', '2026-11-01,m,0.4,3.2', 3.2e9],
    ['date,qty,price,amount', '2026-11-01,8,0.4,3.2', 3.2e9],
    ['date,model,price,cost', '2026-11-01,m,0.4,3.2', 3.2e9],
    ['date,model,price', '2026-11-01,m,3.2', 3.2e9],
    ['date,model,amount', '2026-11-01,m,3.2', 3.2e9],
  ])('%s', async (header, row, nano) => {
    const bill = outcome(readBill(`${header}\n${row}`, {}));
    expect(bill.ok ? bill.data.lines[0]?.nano : 'refused').toBe(nano);
    if (!bill.ok) expect(bill.error.message).toMatch(/^columns\.amount: no column has the name of an amount/);
  });
  test('what the user names is read', async () =>
    expect((await read('time,Cost (€)\n2026-11-01,12.5', { amount: 'Cost (€)' })).lines[0]?.nano).toBe(12.5e9));
  test('cents are a word of their own', () => {
    const names = [
      'recent_cost',
      'percent_cost',
      'Cost (cents)',
      'amount_cents',
      'cost_cent',
      'price nanos',
      'cost_micros',
      ...['costCents', 'amountInCents', 'recent'],
    ];
    const units = ['dollar', 'dollar', 'cent', 'cent', 'cent', 'nano', 'micro', 'cent', 'cent', 'dollar'];
    expect(names.map(unitOfName)).toEqual(units);
  });
});

describe('a beginning and an end', () => {
  const spansOf = async (header: string, ...rows: string[]) => {
    const { lines, columns } = await read([header, ...rows].join('\n'));
    const roles = columns.flatMap(({ name, role }) => (role === 'at' || role === 'end' ? [name] : []));
    return [roles, ...lines.map(({ at, spanMs }) => [new Date(at).toISOString(), spanMs / DAY_MS])];
  };
  test.each([
    [
      'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency',
      '1794528000,1794614400,2026-11-13T00:00:00+00:00,2026-11-14T00:00:00+00:00,0.13,usd',
      ['start_time', 'end_time'],
      ['2026-11-13T00:00:00.000Z', 1],
    ],
    [
      'user_id,start_time_iso,end_time_iso,model,wallet_type,cost,currency',
      'u,2026-09-02T00:00:00+08:00,2026-09-03T00:00:00+08:00,chat,paid,0.5,USD',
      ['start_time_iso', 'end_time_iso'],
      ['2026-09-01T16:00:00.000Z', 1],
    ],
    [
      'Usage start date,Usage end date,Cost ($)',
      '2026-01-01,2026-01-31,60',
      ['Usage start date', 'Usage end date'],
      ['2026-01-01T00:00:00.000Z', 31],
    ],
    ['utc_date,cost', '2026-01-01,60', ['utc_date'], ['2026-01-01T00:00:00.000Z', 1]],
    ['ended_at,cost', '2026-01-01,60', ['ended_at'], ['2026-01-01T00:00:00.000Z', 1]],
    ['time,end,cost', '2026-01-02,,60', ['time', 'end'], ['2026-01-02T00:00:00.000Z', 1]],
    ['time,end,cost', '2026-01-02,2026-01-01,60', ['time', 'end'], ['2026-01-02T00:00:00.000Z', 1]],
  ])('%s', async (header, row, roles, line) => expect(await spansOf(header, row)).toEqual([roles, line]));

  test('a chosen end that is no time is told', async () => {
    const text = 'time,end,cost\n2026-01-01,2026-01-02,1\n2026-01-01,soon,1';
    const { unread } = await read(text, { end: 'end' });
    expect(unread.lines).toEqual([{ line: 3, message: 'Column end: "soon" is not a time.' }]);
  });
});

describe('what is not read', () => {
  test('is told by its line, and what can be read is read', async () => {
    const text = [
      'Invoice for November',
      '',
      'time,id,cost,currency',
      '2026-11-01T10:00:00Z,a,0.40,USD',
      '',
      ',,,',
      '2026-11-01T11:00:00Z,b,much,USD',
      '2026-11-01T12:00:00Z,c,0.40,EUR',
      'never,d,0.40,USD',
      ',e,0.40,USD',
      '2026-11-01T13:00:00Z,"f"x,0.40,USD',
      'Total,,0.40,',
    ].join('\n');
    const { lines, unread } = await read(text);
    expect(lines.map(({ line, nano }) => [line, nano])).toEqual([[4, 400_000_000]]);
    expect(unread.count).toBe(7);
    expect(unread.lines).toEqual([
      { line: 1, message: 'The line is above the header row.' },
      { line: 7, message: 'Column cost: "much" is no amount.' },
      { line: 8, message: 'Column currency is in EUR, and only dollars can be compared.' },
      { line: 9, message: 'Column time: "never" is not a time.' },
      { line: 10, message: 'The line has no time.' },
      { line: 11, message: 'It has text behind a closing quote; write a quote inside as "".' },
      { line: 12, message: 'The total row says 0.40, but the lines add up to $0.40.' },
    ]);
  });

  test('no text throws, and every row is read or told', async () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('0.4', '2026-11-01', '"', ';', '', '-1', '1e99'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 12 }), async (rows) => {
        const text = `time,cost\n${rows.map((row) => row.map((one) => one.replace(/["\r\n]/g, '')).join(',')).join('\n')}`;
        const bill = outcome(readBill(text, {}));
        const told = bill.ok
          ? bill.data.lines.length + bill.data.unread.count
          : (bill.error.data?.unread as { count: number } | undefined)?.count;
        const isEmpty = (row: string[]) => row.every((one) => one.replace(/["\r\n,]/g, '').trim() === '');
        expect(told).toBe(rows.filter((row) => !isEmpty(row)).length);
      }),
    );
  });
});

test('a file that is no table is refused at once', async () => {
  expect(await refused(`time,cost\r\n${','.repeat(200_000)}`)).toBe(
    'text: line 2 has more than 100,000 characters; this is no table.',
  );
});

test('a row of very many cells is no header, and a header far below is not looked for', async () => {
  const wide = `time,amount${',x'.repeat(49_000)}\n`;
  expect(await refused(`${wide}2026-01-01,1\n`)).toBe(
    'text: has more than 500 columns; leave out those that are not needed.',
  );
  expect(
    await refused(`${'x\n'.repeat(20)}${`"${'y'.repeat(60_000)}"\n`.repeat(10)}time,amount\n2026-01-01,1\n`),
  ).toMatch(/^columns\.amount: no column has the name/);
  const work = readBill(`${`${','.repeat(400)}\n`.repeat(29)}time,amount\n2026-01-01,1\n`, {});
  let turns = 0;
  while (!work.next().done) turns += 1;
  expect(turns).toBeGreaterThan(30);
});
