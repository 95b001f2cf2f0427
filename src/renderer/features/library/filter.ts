import { useMemo } from 'react';
import { type AssetFilter, useProjectId } from '../../app/index.ts';
import { useLibraryView } from './state.ts';

/** The view's filter as the studio is asked with it now. */
export function useLibraryFilter(): AssetFilter {
  const { filter, ownProject } = useLibraryView();
  const projectId = useProjectId();
  return useMemo(() => {
    const { text = '', ...rest } = filter;
    const words = text.trim();
    return { ...rest, ...(words ? { text: words } : {}), ...(ownProject && projectId ? { projectId } : {}) };
  }, [filter, ownProject, projectId]);
}

export function useIsFiltered(): boolean {
  return useLibraryView(({ filter: { roles: _, text = '', ...rest }, ownProject }) => {
    return text.trim() !== '' || Object.keys(rest).length > 0 || ownProject;
  });
}
