import { create } from 'zustand';
import type { AssetRole } from '../../../shared/library/asset.ts';
import { counted, formatCount, t } from '../../../shared/text/texts.ts';
import {
  type AssetFilter,
  type AssetSort,
  type Choice,
  type ChoiceView,
  listChoice,
  NOTHING_CHOSEN,
} from '../../app/index.ts';
import { ANY_DATE, type DateChoice } from '../../ui/index.ts';
import { type ColumnId, rememberedLook, rememberLook } from './remembered.ts';

type ListedVerdict = Extract<NonNullable<AssetFilter['verdict']>, string>;

/** The filter as the studio takes it; ratings are always a list. */
type LibraryFilter = Omit<AssetFilter, 'verdict'> & { verdict?: ListedVerdict[] };

export const OUTCOME = 'library';

export type LibrarySort = Required<AssetSort>;
export type AssetChoice = Choice<AssetFilter>;

/** The state of the library: filters and selection, kept while other pages are open. */
export interface LibraryView extends ChoiceView<AssetFilter> {
  filter: LibraryFilter;
  /** Also limited to the open project, whichever that is. */
  ownProject: boolean;
  dates: DateChoice;
  layout: 'grid' | 'table';
  sort: LibrarySort;
  tile: number;
  hidden: readonly ColumnId[];
  /** In a window of 1024 px the filters are a drawer. */
  isDrawerOpen: boolean;
}

export const TILE_MIN = 96;
export const TILE_MAX = 320;

export const NEWEST_FIRST: LibrarySort = { by: 'made', order: 'desc' };
export const SHOWN: AssetRole[] = ['output', 'grid', 'source'];
/** Roles that are listed only on request: the last frame of each clip is taken automatically. */
type HiddenRole = 'mask' | 'frame';

const NO_FILTER = { filter: { roles: SHOWN }, ownProject: false, dates: ANY_DATE };

export const useLibraryView = create<LibraryView>()(() => ({
  ...NO_FILTER,
  layout: 'grid',
  sort: NEWEST_FIRST,
  tile: 136,
  hidden: [],
  choice: NOTHING_CHOSEN,
  isDrawerOpen: false,
  ...rememberedLook(),
}));
useLibraryView.subscribe((view, before) => {
  const { layout, sort, tile, hidden } = view;
  const isOther = (['layout', 'sort', 'tile', 'hidden'] as const).some((part) => view[part] !== before[part]);
  if (isOther) rememberLook({ layout, sort, tile, hidden: [...hidden] });
});

export const setLibraryView = useLibraryView.setState;
export const clearFilters = (): void => setLibraryView(NO_FILTER);

/** Selection in the list by clicks and keys. */
export const assetChoice = listChoice<AssetFilter>(useLibraryView, {
  place: OUTCOME,
  chosen: (count) => t`${counted(count, 'item')} selected`,
  tooMany: t`Select at most ${formatCount(10_000)} items.`,
});
export const selectAsset = assetChoice.select;

/** Deselects everything; keys continue from the current position. */
export const chooseNone = (): void => setLibraryView({ choice: NOTHING_CHOSEN });

const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Changes parts of the filter; empty or undefined values filter nothing. */
export const narrow = (change: { [K in keyof LibraryFilter]: LibraryFilter[K] | undefined }): void =>
  setLibraryView(({ filter }) => {
    const parts = Object.entries({ ...filter, ...change }).filter(([, value]) => !isNothing(value));
    return { filter: Object.fromEntries(parts) };
  });

export const isRoleShown =
  (role: HiddenRole) =>
  ({ filter }: LibraryView): boolean =>
    filter.roles?.includes(role) ?? false;
export const showRole = (role: HiddenRole, isShown: boolean): void => {
  const others = (useLibraryView.getState().filter.roles ?? SHOWN).filter((other) => other !== role);
  narrow({ roles: isShown ? [...others, role] : others });
};
