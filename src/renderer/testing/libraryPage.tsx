import { expect } from 'vitest';
import type { Asset } from '../../shared/library/asset.ts';
import type { ChosenAssetFigures } from '../../shared/library/chosenAssets.ts';
import { useEntities, useStudio } from '../app/index.ts';
import { LibraryPage } from '../features/library/LibraryPage.tsx';
import { clearFilters, selectAsset } from '../features/library/state.ts';
import { type Answers, type FakeStudio, fakeStudio, show, until } from './page.tsx';

/** The Library's page as at the first start: nothing read, remembered, narrowed or chosen. */
export function freshLibrary(): void {
  window.location.hash = '#/library';
  window.localStorage.clear();
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  clearFilters();
  selectAsset(undefined);
}

/** Of files that were chosen, what they come to; what a test looks at is given. */
export const figuresOf = (more: Partial<ChosenAssetFigures> = {}): ChosenAssetFigures => ({
  ...{ count: 0, bytes: 0, seconds: 0, costNano: 0, costLowNano: 0, playNano: 0, playLowNano: 0, unpriced: 0 },
  ...{ ofJobs: 0, local: 0, firstAt: 0, lastAt: 0, types: [], models: [], verdicts: [], sizes: [], tags: [] },
  ...more,
});

/** What a studio answers that has these files. */
export const libraryOf = (assets: readonly Asset[]): Answers => ({
  'library.list': ({ offset = 0, limit = 100 }) => ({
    assets: assets.slice(offset, offset + limit),
    total: assets.length,
  }),
  'library.get': ({ id }) => assets.find((asset) => asset.id === id) as Asset,
  'library.stats': () => ({ assets: assets.length, bytes: 2_000, freeBytes: 1_000_000, remote: 0, expired: 0 }),
  'library.facets': () => ({ type: [], state: [], verdict: [], model: [], project: [], tag: [], starred: [] }),
});

/** The Library's page over a studio that has these files, once it shows the first of them. */
export async function openLibrary(assets: readonly Asset[], more: Answers = {}): Promise<FakeStudio> {
  const studio = fakeStudio({ ...libraryOf(assets), ...more });
  await show(<LibraryPage />);
  const [first] = assets;
  if (first) await until(() => expect(document.getElementById(`asset-${first.id}`)).not.toBeNull());
  return studio;
}
