import { useCallback } from 'react';
import { KINDS } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { useStudio } from '../../app/index.ts';
import type { GroupBy } from './figures.ts';

/** The name of a total's key: projects and gateways by name, even removed ones; other keys as they are. */
export function useNames(groupBy: GroupBy): (key: string) => string {
  const projects = useStudio((state) => state.projects);
  const removed = useStudio((state) => state.removedProjects);
  const profiles = useStudio((state) => state.profiles);
  return useCallback(
    (key) => {
      if (groupBy === 'project') return [...projects, ...removed].find(({ id }) => id === key)?.name ?? t`No project`;
      // Requests without a model are totalled under their kind.
      if (groupBy !== 'gateway') return Object.values(KINDS).find(({ name }) => name === key)?.words.title ?? key;
      return profiles.find(({ id }) => id === key)?.name ?? t`Removed gateway`;
    },
    [groupBy, projects, removed, profiles],
  );
}
