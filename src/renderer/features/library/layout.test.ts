import { expect, it } from 'vitest';
import type { Asset } from '../../../shared/asset.ts';
import { columnsFor, gridRows, stepInGrid } from './layout.ts';

const NOW = new Date('2026-11-21T12:00').getTime();
const asset = (id: string, daysAgo: number): Asset => ({ id, createdAt: NOW - daysAgo * 86_400_000 }) as Asset;
const assets = [asset('a', 0), asset('b', 0), asset('c', 0), asset('d', 1), asset('e', 1)];
const rows = gridRows(assets, 2, NOW);

it('puts a heading over each day and fills rows with as many tiles as fit', () => {
  expect(
    rows.map((row) => (row.type === 'day' ? `${row.title} ${row.count}` : row.assets.map(({ id }) => id).join(''))),
  ).toEqual(['Today 3', 'ab', 'c', 'Yesterday 2', 'de']);
});

it('leads arrows across days, and down into a shorter row', () => {
  expect(stepInGrid(rows, undefined, 'ArrowDown')).toBe('a');
  expect(stepInGrid(rows, 'b', 'ArrowDown')).toBe('c');
  expect(stepInGrid(rows, 'c', 'ArrowDown')).toBe('d');
  expect(stepInGrid(rows, 'c', 'ArrowRight')).toBe('d');
  expect(stepInGrid(rows, 'd', 'ArrowUp')).toBe('c');
  expect(stepInGrid(rows, 'e', 'ArrowRight')).toBeUndefined();
  expect(stepInGrid(rows, 'a', 'End')).toBe('e');
});

it('fits tiles of about the wished width, at least one', () => {
  expect(columnsFor(872, 136)).toEqual({ columns: 6, tile: (872 - 40) / 6 });
  expect(columnsFor(80, 320).columns).toBe(1);
});
