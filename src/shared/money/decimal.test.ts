import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNegative, minus, parseDecimal, times, toInteger } from './decimal.ts';

const NANO = 1_000_000_000n;
const nano = (text: string | number) => {
  const decimal = parseDecimal(text);
  return decimal && toInteger(decimal, NANO);
};

test.each([
  ['0.27', 270_000_000, true],
  [0.1, 100_000_000, true],
  ['0.000000001', 1, true],
  ['0.0000000015', 2, false],
  [1.5e-7, 150, true],
  ['1.5E-7', 150, true],
  ['2e3', 2_000_000_000_000, true],
  ['.5', 500_000_000, true],
  ['5.', 5_000_000_000, true],
  ['0', 0, true],
  ['+1', 1_000_000_000, true],
])('%j dollars are %j nano-dollars (exact: %j)', (text, value, exact) => {
  expect(nano(text)).toEqual({ value, exact });
});

test.each(['', '.', 'abc', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '1 2', '--1', `0.${'1'.repeat(60)}`])(
  '%j is no number',
  (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  },
);

test('a sum beyond the exact integers is refused, not rounded', () => {
  expect(nano('9007199')).toEqual({ value: 9_007_199_000_000_000, exact: true });
  expect(nano('9007200')).toBeUndefined();
});

test('sums of decimals have no float in them', () => {
  const [a, b] = [parseDecimal('0.3'), parseDecimal('0.1')];
  if (!a || !b) throw new Error('not parsed');
  expect(minus(a, b)).toEqual({ units: 2n, scale: 1 });
  expect(times(a, b)).toEqual({ units: 3n, scale: 2 });
  expect(isNegative(minus(b, a))).toBe(true);
});

test('every amount down to the nano-dollar survives its text', () => {
  fc.assert(
    fc.property(fc.nat(9_000_000_000_000), (value) => {
      const text = `${Math.floor(value / 1e9)}.${String(value % 1e9).padStart(9, '0')}`;
      expect(nano(text)).toEqual({ value, exact: true });
    }),
  );
});
