import type { Asset } from '../../shared/asset.ts';
import { useEntities, useStudio } from '../app/index.ts';
import { LibraryPage } from '../features/library/LibraryPage.tsx';
import { clearFilters, selectAsset } from '../features/library/state.ts';
import { type Answers, type FakeStudio, fakeStudio, show } from './page.tsx';

/** The Library's page as at the first start: nothing read, remembered, narrowed or chosen. */
export function freshLibrary(): void {
  window.location.hash = '#/library';
  window.localStorage.clear();
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  clearFilters();
  selectAsset(undefined);
}

/** What a studio answers that has these files. */
export const libraryOf = (assets: readonly Asset[]): Answers => ({
  'library.list': () => ({ assets: [...assets], total: assets.length }),
  'library.stats': () => ({ assets: assets.length, bytes: 2_000, freeBytes: 1_000_000, remote: 0, expired: 0 }),
  'library.facets': () => ({ type: [], state: [], verdict: [], model: [], project: [], tag: [], starred: [] }),
});

/** The Library's page over a studio that has these files. */
export async function openLibrary(assets: readonly Asset[], more: Answers = {}): Promise<FakeStudio> {
  const studio = fakeStudio({ ...libraryOf(assets), ...more });
  await show(<LibraryPage />);
  return studio;
}
