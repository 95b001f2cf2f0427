import type { Project } from '../../shared/board/board.ts';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import type { StudioLink } from '../link/index.ts';
import { name } from './words.ts';

/** The project with this id or, if it is unique, this name. */
export async function projectNamed({ call }: StudioLink, wanted: string): Promise<Result<Project>> {
  const answer = await call('projects.list', {});
  if (!answer.ok) return answer;
  const { projects } = answer.data;
  const byId = projects.find(({ id }) => id === wanted);
  if (byId) return ok(byId);
  const named = projects.filter((project) => project.name.toLowerCase() === wanted.toLowerCase());
  const [only, ...others] = named;
  if (only && others.length === 0) return ok(only);
  if (only)
    return fail('invalid_input', `${named.length} projects are called ${name(wanted)}; give the id of one.`, {
      ids: named.map(({ id }) => id),
    });
  return fail('not_found', `There is no project ${name(wanted)}.`);
}
