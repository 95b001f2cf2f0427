import { create } from 'zustand';
import type { AssetState } from '../../../shared/asset.ts';
import type { Verdict } from '../../../shared/job.ts';
import type { MediaClass } from '../../../shared/mediaRef.ts';

/** What of the library is looked at; kept while other pages are open. */
interface LibraryView {
  text: string;
  types: MediaClass[];
  /** Masks and frames are shown only when asked for. */
  working: boolean;
  verdict: Verdict | 'none' | 'any';
  storage: AssetState[];
  model: string | 'any';
  /** Only the open project's pictures. */
  ownProject: boolean;
  /** Wished width of a tile, pixels. */
  tile: number;
  selectedId?: string;
  /** At 1024 the filters are a drawer. */
  isDrawerOpen: boolean;
}

export const TILE_MIN = 96;
export const TILE_MAX = 320;

const NO_FILTER = {
  text: '',
  types: [],
  working: false,
  verdict: 'any',
  storage: [],
  model: 'any',
  ownProject: false,
} as const satisfies Partial<LibraryView>;

export const useLibraryView = create<LibraryView>()(() => ({
  ...NO_FILTER,
  types: [],
  storage: [],
  tile: 136,
  isDrawerOpen: false,
}));

export const setLibraryView = useLibraryView.setState;
export const clearFilters = (): void => setLibraryView({ ...NO_FILTER, types: [], storage: [] });
export const selectAsset = (selectedId: string | undefined): void => setLibraryView({ selectedId });
