import { expect, test } from 'vitest';
import { formatNano, formatNanoRange, nanoFromDollars } from './money.ts';

test.each([
  ['0.27', 270_000_000],
  ['0', 0],
  ['3', 3_000_000_000],
  ['0.000000001', 1],
  ['0.0000000001', 1],
  ['12.5', 12_500_000_000],
])('%s dollars are %d nano-dollars', (dollars, nano) => {
  expect(nanoFromDollars(dollars)).toBe(nano);
});

test.each(['', '-1', '1e3', '1,5', 'abc', '1.2.3'])('%j is no amount', (text) => {
  expect(() => nanoFromDollars(text)).toThrow(RangeError);
});

test.each([
  [0, '$0.00'],
  [50_000_000, '$0.05'],
  [3_200_000_000, '$3.20'],
  [1_234_567_000_000_000, '$1,234,567.00'],
  [700_000, '$0.0007'],
  [12_345, '$0.000012'],
  [1, '$0.000000001'],
  [-3_200_000_000, '−$3.20'],
  [12_400_655_560, '$12.40'],
  [9_999_999, '$0.0100'],
])('%d nano-dollars read %s', (nano, text) => {
  expect(formatNano(nano)).toBe(text);
});

test('a range is one figure where both readings agree', () => {
  expect(formatNanoRange(400_000_000, 3_200_000_000)).toBe('$0.40–3.20');
  expect(formatNanoRange(5, 5)).toBe('$0.000000005');
});
