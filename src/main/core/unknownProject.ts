import { fail, type Result } from '../../shared/contract/result.ts';

/** The error if a call names a project that is not among these. */
export function unknownProject(
  projects: readonly { id: string }[],
  { projectId }: { projectId?: string | undefined },
): Result<never> | undefined {
  if (projectId === undefined || projects.some(({ id }) => id === projectId)) return undefined;
  return fail('not_found', 'projectId: there is no such project.', { field: 'projectId' });
}
