import { useMemo } from 'react';
import { useProjectId } from '../../app/index.ts';
import type { CallInput } from '../../client/index.ts';
import { useLibraryView } from './state.ts';

export type LibraryFilter = Omit<CallInput<'library.list'>, 'cursor' | 'limit'>;

/** The view's filters as the studio takes them. */
export function useLibraryFilter(): LibraryFilter {
  const { text, types, working, verdict, storage, model, ownProject } = useLibraryView();
  const projectId = useProjectId();
  return useMemo(
    () => ({
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      ...(types.length === 0 ? {} : { types }),
      roles: working ? ['output', 'grid', 'source', 'mask', 'frame'] : ['output', 'grid', 'source'],
      ...(verdict === 'any' ? {} : { verdict }),
      ...(storage.length === 0 ? {} : { states: storage }),
      ...(model === 'any' ? {} : { models: [model] }),
      ...(ownProject && projectId ? { projectId } : {}),
    }),
    [text, types, working, verdict, storage, model, ownProject, projectId],
  );
}

export function useIsFiltered(): boolean {
  return useLibraryView(
    (view) =>
      view.text.trim() !== '' ||
      view.types.length > 0 ||
      view.verdict !== 'any' ||
      view.storage.length > 0 ||
      view.model !== 'any' ||
      view.ownProject,
  );
}
