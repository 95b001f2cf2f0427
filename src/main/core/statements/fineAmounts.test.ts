import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements } from '../../../../test/helpers/statementHarness.ts';
import { parseAmount } from './amounts.ts';
import { readBill } from './readBill.ts';

const dollar = { unit: 'dollar', isDecimalComma: false } as const;

test.each([
  ['0.0000061785', 6_179],
  ['2.8500000000000002e-06', 2_851],
  ['0.13080438340307526', 130_804_384],
  ['-0.0000061785', -6_179],
  ['0.0000000001', 1],
])('%s is rounded away from zero, as a charge is', (cell, nano) =>
  expect(parseAmount(cell, dollar)).toEqual({ nano, isRounded: true }),
);

test('lines that are rounded are counted, and totals agree within as many nano-dollars', async () => {
  const read = async (...rows: string[]) => {
    const text = ['time,cost,id', ...rows].join('\n');
    const data = await readBill(text, {}, async () => undefined);
    return data.ok ? [data.data.rounded, ...data.data.unread.lines.map(({ message }) => message)] : [];
  };
  const row = (cost: string) => `2026-11-01T10:00:00Z,${cost},`;
  const fine = [row('0.0000061785'), row('0.0000061785')];
  const agrees = expect.stringContaining('agrees with the lines above it: $0.000012');
  expect(await read(...fine, 'Total,0.000012357,')).toEqual([2, agrees]);
  expect(await read(...fine, 'Total,0.0000123574,')).toEqual([2, agrees]);
  expect(await read(...fine, 'Total,0.000012355,')).toEqual([2, expect.stringContaining('the lines above it are')]);
  expect(await read(row('0.4'), 'Total,0.400000001,')).toEqual([
    undefined,
    expect.stringContaining('the lines above it are'),
  ]);
});

test('is told once', async () => {
  const { make, ask } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const text = bill('2026-11-03T10:00:01Z,v-1,video-standard,1.5999999999', '2026-11-03T11:00:00Z,,x,0.1');
  expect(await ask('statement.read', { profileId: 'p', text })).toMatchObject({ matched: 1, rounded: 1 });
});
