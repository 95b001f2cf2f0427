import { expect, it } from 'vitest';
import { columnsFor, gridRows, stepInGrid } from './layout.ts';

const today = new Date(2026, 10, 21).getTime();
const yesterday = new Date(2026, 10, 20).getTime();
const days = [
  { day: today, count: 3 },
  { day: yesterday, count: 2 },
];
const rows = gridRows(days, 2);

it('puts a heading over each day and fills rows with as many tiles as fit', () => {
  expect(rows.map((row) => (row.type === 'day' ? [row.day, row.count] : `${row.from}-${row.to}`))).toEqual([
    [today, 3],
    '0-2',
    '2-3',
    [yesterday, 2],
    '3-5',
  ]);
});

it('has the height of the whole before anything of it is read', () => {
  const many = gridRows([{ day: today, count: 100_000 }], 6);
  expect(many).toHaveLength(1 + Math.ceil(100_000 / 6));
  expect(many.at(-1)).toMatchObject({ from: 99_996, to: 100_000 });
});

it('leads arrows across days, and down into a shorter row', () => {
  expect(stepInGrid(rows, undefined, 'ArrowDown')).toBe(0);
  expect(stepInGrid(rows, 1, 'ArrowDown')).toBe(2);
  expect(stepInGrid(rows, 2, 'ArrowDown')).toBe(3);
  expect(stepInGrid(rows, 2, 'ArrowRight')).toBe(3);
  expect(stepInGrid(rows, 3, 'ArrowUp')).toBe(2);
  expect(stepInGrid(rows, 4, 'ArrowRight')).toBeUndefined();
  expect(stepInGrid(rows, 0, 'End')).toBe(4);
  expect(stepInGrid([], undefined, 'End')).toBeUndefined();
});

it('fits tiles of about the wished width, at least one', () => {
  expect(columnsFor(872, 136)).toEqual({ columns: 6, tile: (872 - 40) / 6 });
  expect(columnsFor(80, 320).columns).toBe(1);
});
