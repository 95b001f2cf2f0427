import { NEW_SHOT_CONFIG, shotSchema } from '../../../shared/board/board.ts';
import { ok } from '../../../shared/contract/result.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { call, type Result } from '../../client/index.ts';
import { focusBlankPrompt } from '../pageFocus.ts';
import { showRefusal } from '../refusals.ts';
import { navigate, parseRoute } from '../route.ts';
import { activeProfile, openProject, type StudioState, useStudio } from './studio.ts';

/** The model of a shot without one. */
export const firstVideoModel = (studio: StudioState): string =>
  modelsFor(KINDS.video, activeProfile(studio)?.models)[0]?.id ?? '';

/** `Untitled film`, with a number if that name is taken. */
function freeName(): string {
  const names = new Set(useStudio.getState().projects.map(({ name }) => name));
  for (let number = 2, name = t`Untitled film`; ; number += 1) {
    if (!names.has(name)) return name;
    name = t`Untitled film ${number}`;
  }
}

/** Creates a film with one shot; sends nothing. */
export async function createFilm(prompt: string): Promise<Result<{ projectId: string; shotId: string }>> {
  const project = await call('projects.create', { name: freeName() });
  if (!project.ok) return project;
  const projectId = project.data.id;
  const id = crypto.randomUUID();
  const model = firstVideoModel(useStudio.getState());
  const shot = shotSchema.parse({ id, prompt, model, config: NEW_SHOT_CONFIG });
  const saved = await call('storyboard.save', { projectId, revision: 0, shots: [shot] });
  return saved.ok ? ok({ projectId, shotId: id }) : saved;
}

/** Creates a film and opens its board, where the first shot waits for a prompt. */
export async function newFilm(): Promise<void> {
  const made = await createFilm('');
  if (!made.ok) return showRefusal(made.error);
  if (!(await openProject(made.data.projectId))) return;
  // Keeps the parameters of the board, such as a frame: they are for the new film.
  if (parseRoute(window.location.hash).page !== 'storyboard') navigate('storyboard');
  focusBlankPrompt();
}
