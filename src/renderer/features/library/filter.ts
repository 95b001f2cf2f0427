import { useEffect, useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { type AssetFilter, useNow, useProjectId } from '../../app/index.ts';
import { timesOf } from '../../ui/index.ts';
import { useLibraryView } from './state.ts';

/** A search starts after typing pauses for this long. */
const TYPED_MS = 150;

/** The text after typing pauses; an emptied field applies at once. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : rested;
}

/** The current filter as the studio expects it. */
export function useLibraryFilter(): AssetFilter {
  const rest = useLibraryView(useShallow(({ filter: { text: _, ...others } }) => others));
  const words = useRested(useLibraryView(({ filter }) => filter.text?.trim() ?? ''));
  const ownProject = useLibraryView((view) => view.ownProject);
  const dates = useLibraryView((view) => view.dates);
  const projectId = useProjectId();
  // A new object only if its content changes: at midnight, "today" is another day.
  const times = JSON.stringify(timesOf(dates, useNow(60_000)));
  return useMemo(
    () => ({
      ...rest,
      ...(words ? { text: words } : {}),
      ...(JSON.parse(times) as ReturnType<typeof timesOf>),
      ...(ownProject && projectId ? { projectId } : {}),
    }),
    [rest, words, times, ownProject, projectId],
  );
}

export function useIsFiltered(): boolean {
  return useLibraryView(({ filter: { roles: _, text = '', ...rest }, ownProject, dates }) => {
    return text.trim() !== '' || Object.keys(rest).length > 0 || ownProject || dates.span !== 'any';
  });
}
