import { useCallback } from 'react';
import { KINDS } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { useStudio } from '../../app/index.ts';
import type { GroupBy } from './figures.ts';

/** What a key of a sum is called: a project or a gateway by its name, also one that is removed; anything else by itself. */
export function useNames(groupBy: GroupBy): (key: string) => string {
  const projects = useStudio((state) => state.projects);
  const removed = useStudio((state) => state.removedProjects);
  const profiles = useStudio((state) => state.profiles);
  return useCallback(
    (key) => {
      if (groupBy === 'project') return [...projects, ...removed].find(({ id }) => id === key)?.name ?? t`No project`;
      // A request without a model is summed under its kind.
      if (groupBy !== 'gateway') return Object.values(KINDS).find(({ name }) => name === key)?.words.title ?? key;
      return profiles.find(({ id }) => id === key)?.name ?? t`Removed gateway`;
    },
    [groupBy, projects, removed, profiles],
  );
}
