import { expect, test } from 'vitest';
import { isImpossible, PHASES, readMatrix } from './matrix.ts';
import { runCell } from './runCell.ts';

/** No request is sent twice or abandoned, no money is uncounted, no failed poll is taken for a result, no key is left behind. */
const cells = readMatrix();

test('few cells cannot be', () => {
  expect(cells).toHaveLength(144);
  expect(cells.filter(isImpossible).length).toBeLessThan(10);
});

/** `npm test` plays a third: each fault in two phases of each kind of request, which vary with the fault. */
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
