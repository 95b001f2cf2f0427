import type { AssetOrder } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ColumnId } from './remembered.ts';
import type { LibrarySort } from './state.ts';

interface Column {
  id: ColumnId;
  label: string;
  by?: AssetOrder;
  isNumber?: boolean;
}

export const COLUMNS: readonly Column[] = [
  { id: 'name', label: t`Name`, by: 'name' },
  { id: 'project', label: t`Project` },
  { id: 'model', label: t`Model` },
  { id: 'made', label: t`Made`, by: 'made' },
  { id: 'seconds', label: t`Length`, by: 'seconds', isNumber: true },
  { id: 'bytes', label: t`Size`, by: 'bytes', isNumber: true },
  { id: 'seed', label: t`Seed`, isNumber: true },
  { id: 'verdict', label: t`Rating` },
  { id: 'cost', label: t`Cost`, by: 'cost', isNumber: true },
  { id: 'storage', label: t`Storage` },
];

export const ALWAYS_SHOWN: ColumnId = 'name';

/** The grid template without hidden columns; the style sheet defines each width. */
export const templateOf = (hidden: readonly ColumnId[]): string =>
  ['34px', '44px', ...shownColumns(hidden).map(({ id }) => `var(--lt-${id})`)].join(' ');

export const shownColumns = (hidden: readonly ColumnId[]): readonly Column[] =>
  COLUMNS.filter(({ id }) => id === ALWAYS_SHOWN || !hidden.includes(id));

/** A click on a heading sorts by it: largest first, names from A; a second click reverses. */
export function sortAfter(sort: LibrarySort, by: AssetOrder): LibrarySort {
  if (sort.by === by) return { by, order: sort.order === 'asc' ? 'desc' : 'asc' };
  return { by, order: by === 'name' ? 'asc' : 'desc' };
}

export const ariaSort = (sort: LibrarySort, by: AssetOrder | undefined): 'ascending' | 'descending' | undefined =>
  sort.by === by ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined;

const ORDERS: Record<AssetOrder, { asc: string; desc: string }> = {
  made: { desc: t`Newest first`, asc: t`Oldest first` },
  cost: { desc: t`Most expensive first`, asc: t`Cheapest first` },
  bytes: { desc: t`Largest first`, asc: t`Smallest first` },
  seconds: { desc: t`Longest first`, asc: t`Shortest first` },
  name: { asc: t`Name, A to Z`, desc: t`Name, Z to A` },
};

/** A sort order as the value of an option, read by {@link sortOf}. */
export const sortValue = ({ by, order }: LibrarySort): string => `${by} ${order}`;
export const SORT_OPTIONS = (Object.keys(ORDERS) as AssetOrder[]).flatMap((by) =>
  (Object.keys(ORDERS[by]) as LibrarySort['order'][]).map((order) => ({
    value: sortValue({ by, order }),
    label: ORDERS[by][order],
    sort: { by, order },
  })),
);
export const sortOf = (value: string): LibrarySort | undefined =>
  SORT_OPTIONS.find((option) => option.value === value)?.sort;

export function stepInTable(total: number, at: number | undefined, key: string): number | undefined {
  if (total === 0) return undefined;
  const last = total - 1;
  if (key === 'End') return last;
  if (key === 'Home' || at === undefined) return 0;
  const by: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
  const step = by[key];
  return step === undefined ? undefined : Math.max(0, Math.min(last, at + step));
}
