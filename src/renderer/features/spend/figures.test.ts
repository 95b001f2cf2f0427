import { describe, expect, it } from 'vitest';
import { NO_MONEY, type TotalsRow } from '../../../shared/money/ledger.ts';
import { parseDollars } from '../../../shared/money/money.ts';
import { barsOf, csvOf, dollarsText, everyDay } from './figures.ts';

const row = (key: string, settledNano = 0): TotalsRow => ({
  ...NO_MONEY,
  ...{ key, jobs: 1, settledNano, settledLowNano: settledNano },
});

describe('amounts typed by hand', () => {
  it('are taken to the nano-dollar, and anything else is refused', () => {
    expect(['30', '$12.50', '1,250', '0.000000001', ' 0.05 '].map(parseDollars)).toEqual([
      30e9, 12.5e9, 1250e9, 1, 50e6,
    ]);
    expect(['', '-1', '1e3', '1.2.3', 'ten', '0.0000000001', '12,50', '1,2500'].map(parseDollars)).toEqual(
      Array(8).fill(undefined),
    );
  });

  it('come back as they were', () => {
    expect([undefined, 30e9, 12.5e9, 1].map(dollarsText)).toEqual(['', '30.00', '12.50', '0.000000001']);
  });
});

it('has a bar for every day, those without spending included', () => {
  const from = new Date('2026-11-01T00:00').getTime();
  const to = new Date('2026-11-04T15:00').getTime();
  const days = everyDay([row('2026-11-03', 5)], from, to);
  expect(days.map(({ key, settledNano }) => [key, settledNano])).toEqual([
    ['2026-11-01', 0],
    ['2026-11-02', 0],
    ['2026-11-03', 5],
    ['2026-11-04', 0],
  ]);
});

it.each<[string, Partial<TotalsRow>, string]>([
  ['text for a name like a formula', { key: '=HYPERLINK("x")' }, '"\'=HYPERLINK(""x"")",1,0.000000000,'],
  [
    'a column for each figure',
    { reservedNano: 1, uncertainNano: 2 },
    '"m",1,1.600000000,1.600000000,0.000000001,0.000000002,0',
  ],
  ['no nought for unknown prices', { settledNano: 0, settledLowNano: 0, unpriced: 2 }, '"m",1,,,,,2'],
])('the export has %s', (_, more, line) => {
  const [head, exported] = csvOf([{ ...row('m', more.key ? 0 : 1_600_000_000), ...more }], 'model').split('\r\n');
  expect(head).toBe('model,jobs,settled,settled_at_least,reserved,in_doubt,unpriced');
  expect(exported?.startsWith(line)).toBe(true);
});

it('draws months where there are too many days to tell apart', () => {
  const days = everyDay(
    [row('2026-09-03', 5), row('2026-09-30', 7), row('2026-11-04', 2)],
    new Date('2026-09-01T00:00').getTime(),
    new Date('2026-11-04T15:00').getTime(),
  );
  expect(barsOf(days).map(({ key, settledNano }) => [key, settledNano])).toEqual([
    ['2026-09', 12],
    ['2026-10', 0],
    ['2026-11', 2],
  ]);
  expect(barsOf(days.slice(0, 62))).toEqual(days.slice(0, 62));
});
