import { useCallback } from 'react';
import { t } from '../../../shared/texts.ts';
import { useStudio } from '../../app/index.ts';

/** Names a project by its id; what was spent in one that is removed stays under its name. */
export function useProjectName(): (id: string) => string {
  const projects = useStudio((state) => state.projects);
  const removed = useStudio((state) => state.removedProjects);
  return useCallback(
    (id) => [...projects, ...removed].find((project) => project.id === id)?.name ?? t`No project`,
    [projects, removed],
  );
}
