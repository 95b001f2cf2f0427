import { useCallback } from 'react';
import { KINDS } from '../../../shared/kinds/index.ts';
import { formatLocale, t } from '../../../shared/text/texts.ts';
import { useStudio } from '../../app/index.ts';
import type { GroupBy } from './figures.ts';

/** `December 2026` */
const monthName = new Intl.DateTimeFormat(formatLocale(), { month: 'long', year: 'numeric' });

/** What a key of a sum is called: a project, a gateway or a month by its name, also one that is removed; anything else by itself. */
export function useNames(groupBy: GroupBy | 'month'): (key: string) => string {
  const projects = useStudio((state) => state.projects);
  const removed = useStudio((state) => state.removedProjects);
  const profiles = useStudio((state) => state.profiles);
  return useCallback(
    (key) => {
      if (groupBy === 'month') return monthName.format(new Date(`${key}-15T12:00`));
      if (groupBy === 'project') return [...projects, ...removed].find(({ id }) => id === key)?.name ?? t`No project`;
      // A request without a model is summed under its kind.
      if (groupBy !== 'gateway') return Object.values(KINDS).find(({ name }) => name === key)?.words.title ?? key;
      return profiles.find(({ id }) => id === key)?.name ?? t`A gateway that was removed`;
    },
    [groupBy, projects, removed, profiles],
  );
}
