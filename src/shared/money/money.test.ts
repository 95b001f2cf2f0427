import { expect, test } from 'vitest';
import { formatNano, formatNanoRange, MAX_NANO, nanoFromDollars, parseDollars, sumNano } from './money.ts';

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

test('a sum that is not exact is none', () => {
  expect(sumNano([1, 2, 3])).toBe(6);
  expect(sumNano([])).toBe(0);
  const wrong = [[MAX_NANO, 1], [0.5], [Number.NaN], [1e300], [-MAX_NANO, -1]];
  expect(wrong.map(sumNano)).toEqual(wrong.map(() => undefined));
});

test('an amount that is too large to be exact is no amount', () => {
  expect(parseDollars('9007199.254740991')).toBeUndefined();
  expect(parseDollars('9007199')).toBe(9_007_199_000_000_000);
  expect(parseDollars('9'.repeat(40))).toBeUndefined();
  expect(() => nanoFromDollars('99999999')).toThrow(RangeError);
});
