import type { Days } from '../../app/index.ts';

/** A row of the grid: a day's heading, or as many tiles as fit, by their index in the whole list. */
export type GridRow =
  | { type: 'day'; key: string; day: number; count: number }
  | { type: 'tiles'; key: string; from: number; to: number };

export type TileRow = Extract<GridRow, { type: 'tiles' }>;

/** Newest first, with a heading per day. Known for the whole list before any tile has been read. */
export function gridRows(days: Days, columns: number): GridRow[] {
  const rows: GridRow[] = [];
  let place = 0;
  for (const [index, { day, count }] of days.entries()) {
    rows.push({ type: 'day', key: `day ${index} ${day}`, day, count });
    const end = place + count;
    for (; place < end; place += columns) {
      rows.push({ type: 'tiles', key: `row ${place}`, from: place, to: Math.min(place + columns, end) });
    }
    place = end;
  }
  return rows;
}

/** Sort orders other than by date have no headings. */
export const plainRows = (total: number, columns: number): GridRow[] =>
  Array.from({ length: Math.ceil(total / columns) }, (_, line) => {
    const from = line * columns;
    return { type: 'tiles', key: `row ${from}`, from, to: Math.min(from + columns, total) };
  });

export const GAP_PX = 8;
export const DAY_PX = 32;
/** Caption and the gap below it. */
const CAPTION_PX = 21 + 10;

/** How many tiles of about the preferred width fit, and their resulting width. */
export function columnsFor(width: number, wished: number): { columns: number; tile: number } {
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (wished + GAP_PX)));
  return { columns, tile: (width - GAP_PX * (columns - 1)) / columns };
}

export const tileRowPx = (tile: number): number => Math.ceil((tile * 9) / 16) + CAPTION_PX;

/** The index that a key leads to from a tile (from none: the first); rows are those of the grid. Undefined if it leads nowhere. */
export function stepInGrid(rows: readonly GridRow[], at: number | undefined, key: string): number | undefined {
  const lines = rows.filter((row): row is TileRow => row.type === 'tiles');
  const end = lines.at(-1)?.to ?? 0;
  const within = (place: number) => (place >= 0 && place < end ? place : undefined);
  if (key === 'End') return within(end - 1);
  if (key === 'Home' || at === undefined) return within(0);
  const line = lines.findIndex(({ from, to }) => at >= from && at < to);
  const inLine = (target: TileRow | undefined) =>
    target && Math.min(target.from + at - (lines[line]?.from ?? 0), target.to - 1);
  switch (key) {
    case 'ArrowRight':
      return within(at + 1);
    case 'ArrowLeft':
      return within(at - 1);
    case 'ArrowDown':
      return inLine(lines[line + 1]);
    case 'ArrowUp':
      return inLine(lines[line - 1]);
    default:
      return undefined;
  }
}
