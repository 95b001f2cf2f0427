import { useMemo } from 'react';
import { type AssetFilter, useNow, useProjectId } from '../../app/index.ts';
import { timesOf } from '../../ui/index.ts';
import { useLibraryView } from './state.ts';

/** The view's filter as the studio is asked with it now. */
export function useLibraryFilter(): AssetFilter {
  const filter = useLibraryView((view) => view.filter);
  const ownProject = useLibraryView((view) => view.ownProject);
  const dates = useLibraryView((view) => view.dates);
  const projectId = useProjectId();
  // Another object only where it says something else: at midnight today is another day.
  const times = JSON.stringify(timesOf(dates, useNow(60_000)));
  return useMemo(() => {
    const { text = '', ...rest } = filter;
    const words = text.trim();
    return {
      ...rest,
      ...(words ? { text: words } : {}),
      ...(JSON.parse(times) as ReturnType<typeof timesOf>),
      ...(ownProject && projectId ? { projectId } : {}),
    };
  }, [filter, times, ownProject, projectId]);
}

export function useIsFiltered(): boolean {
  return useLibraryView(({ filter: { roles: _, text = '', ...rest }, ownProject, dates }) => {
    return text.trim() !== '' || Object.keys(rest).length > 0 || ownProject || dates.span !== 'any';
  });
}
