import type { Project } from '../../../../shared/board/board.ts';
import type { Studio } from '../../../core/studio.ts';
import type { KeyValueFile } from '../../common/settings.ts';
import type { RecentProject } from '../menu.ts';

const FIELD = 'recentProjects';
const MOST = 10;

/** The list with this project first, each once. */
export const withRecent = (ids: readonly string[], id: string): string[] =>
  [id, ...ids.filter((other) => other !== id)].slice(0, MOST);

/** The list in the settings file, or an empty one. */
export const recentIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((id): id is string => typeof id === 'string' && id.length <= 200).slice(0, MOST)
    : [];

/** Existing projects with their present names. */
export const knownRecent = (
  ids: readonly string[],
  projects: readonly Pick<Project, 'id' | 'name'>[],
): RecentProject[] =>
  ids.flatMap((id) => {
    const project = projects.find((known) => known.id === id);
    return project ? [{ id, name: project.name }] : [];
  });

/** Follows which projects are opened, and calls back with the newest first when the menus must change. */
export function followRecentProjects(
  studio: Studio,
  file: KeyValueFile,
  show: (recent: RecentProject[]) => void,
): void {
  let ids = recentIn(file.get(FIELD));
  const read = async () => {
    const settings = await studio.call('settings.get', {});
    const projects = await studio.call('projects.list', {});
    if (!settings.ok || !projects.ok) return;
    const { projectId } = settings.data as { projectId?: string };
    if (projectId !== undefined && projectId !== '' && projectId !== ids[0]) {
      ids = withRecent(ids, projectId);
      file.set(FIELD, ids);
    }
    show(knownRecent(ids, (projects.data as { projects: Project[] }).projects));
  };
  studio.subscribe(({ type }) => {
    if (type === 'settings.changed' || type === 'projects.changed') void read();
  });
  void read();
}
