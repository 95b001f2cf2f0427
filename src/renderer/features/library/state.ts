import { create } from 'zustand';
import type { AssetRole } from '../../../shared/asset.ts';
import type { AssetFilter } from '../../app/index.ts';

type ListedVerdict = Extract<NonNullable<AssetFilter['verdict']>, string>;

/** What the list is narrowed by, as the studio takes it; verdicts always as a list. */
type LibraryFilter = Omit<AssetFilter, 'verdict'> & { verdict?: ListedVerdict[] };

/** The view of the library: filters and selection, kept while other pages are open. */
interface LibraryView {
  filter: LibraryFilter;
  /** Narrowed to the open project too, whichever that is. */
  ownProject: boolean;
  /** Wished width of a tile, pixels. */
  tile: number;
  selectedId?: string;
  /** At 1024 the filters are a drawer. */
  isDrawerOpen: boolean;
}

export const TILE_MIN = 96;
export const TILE_MAX = 320;

const SHOWN: AssetRole[] = ['output', 'grid', 'source'];
const WORKING: AssetRole[] = ['mask', 'frame'];

const NO_FILTER = { filter: { roles: SHOWN }, ownProject: false };

export const useLibraryView = create<LibraryView>()(() => ({ ...NO_FILTER, tile: 136, isDrawerOpen: false }));

export const setLibraryView = useLibraryView.setState;
export const clearFilters = (): void => setLibraryView(NO_FILTER);
export const selectAsset = (selectedId: string | undefined): void => setLibraryView({ selectedId });

const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Changes parts of the filter; what is empty or undefined narrows nothing. */
export const narrow = (change: { [K in keyof LibraryFilter]: LibraryFilter[K] | undefined }): void =>
  setLibraryView(({ filter }) => {
    const parts = Object.entries({ ...filter, ...change }).filter(([, value]) => !isNothing(value));
    return { filter: Object.fromEntries(parts) };
  });

/** Masks and frames are shown only when asked for. */
export const showWorking = (isShown: boolean): void => narrow({ roles: isShown ? [...SHOWN, ...WORKING] : SHOWN });
export const isWorkingShown = ({ filter }: LibraryView): boolean => filter.roles?.includes('mask') ?? false;
