import type { Asset } from '../../../shared/asset.ts';
import { formatDay, startOfDay } from '../../ui/index.ts';

/** A line of the grid: a day's heading, or as many tiles as fit. */
export type GridRow =
  | { type: 'day'; key: string; title: string; count: number }
  | { type: 'tiles'; key: string; assets: Asset[] };

/** Newest first, a heading over each day. */
export function gridRows(assets: readonly Asset[], columns: number, now: number): GridRow[] {
  const days = Map.groupBy(assets, (asset) => startOfDay(asset.createdAt));
  return [...days].flatMap(([day, own]): GridRow[] => {
    const rows = Array.from({ length: Math.ceil(own.length / columns) }, (_, row): GridRow => {
      const slice = own.slice(row * columns, (row + 1) * columns);
      return { type: 'tiles', key: `row ${slice[0]?.id}`, assets: slice };
    });
    return [{ type: 'day', key: `day ${day}`, title: formatDay(day, now), count: own.length }, ...rows];
  });
}

export const GAP_PX = 8;
export const DAY_PX = 32;
/** Caption and the gap below it. */
const CAPTION_PX = 21 + 10;

/** As many tiles of about the wished width as fit, and the width they then have. */
export function columnsFor(width: number, wished: number): { columns: number; tile: number } {
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (wished + GAP_PX)));
  return { columns, tile: (width - GAP_PX * (columns - 1)) / columns };
}

export const tileRowPx = (tile: number): number => Math.ceil((tile * 9) / 16) + CAPTION_PX;

/** Where an arrow leads from the selected tile, as an index into all assets; rows are those of the grid, days included. */
export function stepInGrid(rows: readonly GridRow[], selectedId: string | undefined, key: string): string | undefined {
  const lines = rows.flatMap((row) => (row.type === 'tiles' ? [row.assets] : []));
  const line = lines.findIndex((assets) => assets.some(({ id }) => id === selectedId));
  const all = lines.flat();
  if (line < 0) return all[0]?.id;
  const column = lines[line]?.findIndex(({ id }) => id === selectedId) ?? 0;
  const at = all.findIndex(({ id }) => id === selectedId);
  const inLine = (target: readonly Asset[] | undefined) => target?.[Math.min(column, target.length - 1)]?.id;
  switch (key) {
    case 'ArrowRight':
      return all[at + 1]?.id;
    case 'ArrowLeft':
      return all[at - 1]?.id;
    case 'ArrowDown':
      return inLine(lines[line + 1]);
    case 'ArrowUp':
      return inLine(lines[line - 1]);
    case 'Home':
      return all[0]?.id;
    case 'End':
      return all.at(-1)?.id;
    default:
      return undefined;
  }
}
