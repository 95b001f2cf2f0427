import { expect, it } from 'vitest';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import { useEntities, useStudio } from '../../../app/index.ts';
import { acting, fakeStudio, show, type, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';
import { useBoardView } from '../useBoard.ts';
import { selectMember } from './useCastView.ts';

const projectId = 'film-of-mara';

/** The board of a film with one member in its cast, chosen, and a change of it from another window. */
async function open() {
  let board: Board = boardSchema.parse({
    projectId,
    revision: 1,
    shots: [{ id: 'a', prompt: '@Mara waits' }],
    cast: [{ id: 'mara', name: 'Mara' }],
  });
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
      return board;
    },
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
  });
  const rename = async (name: string) => {
    const revision = board.revision + 1;
    const shots = board.shots.map((shot) => ({ ...shot, prompt: `@${name} waits` }));
    board = boardSchema.parse({ ...board, revision, shots, cast: [{ id: 'mara', name }] });
    await studio.emit({ type: 'board.changed', projectId, revision });
    await until(() => expect(document.querySelector('.insp h2')?.textContent).toBe(name));
  };
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useBoardView.setState({ tab: 'cast', shotId: undefined });
  selectMember('mara');
  await show(<BoardPage projectId={projectId} />);
  await until(() => expect(field()).toBeTruthy());
  return { studio, board: () => board, rename };
}

const field = () => document.querySelector('.insp .cast-fields input') as HTMLInputElement;
const leave = () =>
  acting(() => {
    field().focus();
    field().blur();
  });
const saveNow = () => acting(() => window.dispatchEvent(new Event('pagehide')));

it('the field of a name holds what is, and leaving it changes nothing that was not typed', async () => {
  const { studio, board, rename } = await open();
  await type(field(), 'Nora');
  await leave();
  await saveNow();
  await until(() => expect(board().shots[0]?.prompt).toBe('@Nora waits'));
  await rename('Mara');
  expect(field().value).toBe('Mara');
  const saves = studio.callsOf('storyboard.save').length;
  await leave();
  await saveNow();
  expect(studio.callsOf('storyboard.save')).toHaveLength(saves);
  // A letter that was typed and taken away leaves what is.
  await acting(() => field().focus());
  await type(field(), 'Maras');
  await type(field(), 'Mara');
  await rename('Nora');
  expect(field().value).toBe('Nora');
  await leave();
  await rename('Mara');
  await type(field(), ' Mara ');
  await leave();
  expect(field().value).toBe('Mara');
});
