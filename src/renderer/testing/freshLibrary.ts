import { useEntities, useStudio } from '../app/index.ts';
import { clearFilters, selectAsset } from '../features/library/state.ts';

/** The Library's page as at the first start: nothing read, remembered, narrowed or chosen. */
export function freshLibrary(): void {
  window.location.hash = '#/library';
  window.localStorage.clear();
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  clearFilters();
  selectAsset(undefined);
}
