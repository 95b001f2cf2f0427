import { expect, it, test } from 'vitest';
import { alike, errorsFirst, type ImportRow, nextErrorAfter, valuesFor } from './rows.ts';

const LENGTH = { field: 'seconds', message: 'must be 4, 6 or 8.' };
const right = (line: number): ImportRow => ({ key: String(line), line, shown: {}, errors: [] });
const wrong = (line: number, cells: Record<string, string>, error = LENGTH): ImportRow => ({
  ...right(line),
  errors: [error],
  cells,
});
const rows = [right(2), wrong(3, { seconds: '5' }), right(4), wrong(5, { seconds: '9' }), wrong(6, { seconds: '5' })];
const linesOf = (list: readonly ImportRow[]) => list.map(({ line }) => line);

test.each([
  [[], [3, 5, 6, 2, 4]],
  [['3'], [5, 6, 2, 3, 4]],
  [
    ['3', '5', '6'],
    [2, 3, 4, 5, 6],
  ],
])('rows with errors are first, without those that are skipped: %j', (skipped, expected) => {
  expect(linesOf(errorsFirst(rows, new Set(skipped)))).toEqual(expected);
});

test.each([
  [-1, [], 1],
  [1, [], 3],
  [4, [], 1],
  [1, ['5'], 4],
  [0, ['3', '5', '6'], undefined],
])('the next error behind row %j', (from, skipped, expected) => {
  expect(nextErrorAfter(rows, new Set(skipped), from)).toBe(expected);
});

it('cells are alike that have the same value and break the same rule', () => {
  const other = wrong(7, { seconds: '5' }, { field: 'seconds', message: 'does not belong to imagine.' });
  const [, first = right(0)] = rows;
  expect([...alike([...rows, other], first, LENGTH)]).toEqual([3, 6]);
  expect([...alike(rows, { ...first, cells: undefined }, LENGTH)]).toEqual([3]);
});

test.each([
  ['seconds', {}, ['4', '6', '8']],
  ['seconds', { source: ' Extend' }, ['7']],
  ['seconds', { video: 'asset' }, ['7']],
  ['aspect', {}, ['16:9', '9:16']],
  ['seed', {}, ['']],
  ['prompt', {}, []],
])('a wrong %s with %j is fixed by %j', (field, cells, expected) => {
  expect(valuesFor(field, cells)).toEqual(expected);
});
