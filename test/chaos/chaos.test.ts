import { expect, test } from 'vitest';
import { isImpossible, PHASES, readMatrix } from './matrix.ts';
import { runCell } from './runCell.ts';

/**
 * In every cell no request is sent twice or abandoned, all money is counted, no failed poll counts as a result, and no copy of the key
 * remains.
 */
const cells = readMatrix();

test('few cells are marked as impossible', () => {
  expect(cells).toHaveLength(144);
  expect(cells.filter(isImpossible).length).toBeLessThan(10);
});

/** `npm test` plays a third: each fault in two phases per kind of request, varying with the fault. */
const isPlayed = (_: unknown, at: number) => !process.env.SHORT || (at + Math.floor(at / PHASES.length)) % 3 === 0;

test.each(cells.filter(isPlayed).filter((cell) => !isImpossible(cell)))(
  '$api, $fault, $phase: $expected',
  async (cell) => {
    const { happened, broken, searched } = await runCell(cell);
    expect(happened).toBe(cell.expected);
    expect(broken).toEqual([]);
    expect(searched).toBeGreaterThan(100_000);
  },
);
