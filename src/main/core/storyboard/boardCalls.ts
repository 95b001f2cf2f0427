import type { HandlersOf } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Storyboard } from './storyboard.ts';

type BoardCall = HandlersOf<'storyboard' | 'board'> &
  Omit<HandlersOf<'projects'>, 'projects.openSample'> &
  Pick<HandlersOf<'film'>, 'film.readShots' | 'film.addShots'>;

export const boardCalls = (storyboard: Storyboard): BoardCall => ({
  'projects.list': () => ok(storyboard.projects()),
  'projects.create': ({ name }) => ok(storyboard.createProject(name)),
  'projects.duplicate': ({ id, name }) => storyboard.duplicateProject(id, name),
  'projects.rename': ({ id, name }) => storyboard.renameProject(id, name),
  'projects.remove': ({ id }) => storyboard.removeProject(id),
  'projects.restore': ({ id }) => storyboard.restoreProject(id),
  'storyboard.makeTakes': (input) => storyboard.makeTakes(input),
  'storyboard.get': ({ projectId }) => storyboard.get(projectId),
  'storyboard.save': (board) => storyboard.save(board),
  'storyboard.makeTake': (input) => storyboard.makeTake(input),
  'storyboard.promoteTake': (input) => storyboard.promoteTake(input),
  'board.undo': ({ projectId }) => storyboard.step(projectId, 'undo'),
  'board.redo': ({ projectId }) => storyboard.step(projectId, 'redo'),
  'board.steps': ({ projectId }) => storyboard.steps(projectId),
  'board.bin': ({ projectId }) => {
    const removed = storyboard.removed(projectId);
    return removed.ok ? ok({ shots: removed.data }) : removed;
  },
  'board.restore': ({ projectId, shotId }) => storyboard.restore(projectId, shotId),
  'film.readShots': ({ projectId, text, format }) => storyboard.readShots(projectId, text, format),
  'film.addShots': ({ projectId, shots, ...place }) => storyboard.addShots(projectId, shots, place),
});

/** The error if a call names a project that is not among these. */
export function unknownProject(
  projects: readonly { id: string }[],
  { projectId }: { projectId?: string | undefined },
): Result<never> | undefined {
  if (projectId === undefined || projects.some(({ id }) => id === projectId)) return undefined;
  return fail('not_found', 'projectId: there is no such project.', { field: 'projectId' });
}
