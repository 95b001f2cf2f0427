import { expect, test } from 'vitest';
import { isImpossible, readMatrix } from './matrix.ts';
import { play } from './play.ts';

/** Catches: an order sent twice or given up, money that nobody counts, a failed look-up taken for a verdict, a key that stays behind. */
const cells = readMatrix();

test('few cells cannot be', () => {
  expect(cells).toHaveLength(144);
  expect(cells.filter(isImpossible).length).toBeLessThan(10);
});

test.each(cells.filter((cell) => !isImpossible(cell)))('$api, $fault, $phase: $expected', async (cell) => {
  const { happened, broken, searched } = await play(cell);
  expect(happened).toBe(cell.expected);
  expect(broken).toEqual([]);
  expect(searched).toBeGreaterThan(100_000);
});
