import { type Board, boardSchema, type Shot } from '../../shared/board.ts';
import type { ProfileView } from '../../shared/profile.ts';
import { fail } from '../../shared/result.ts';
import { useEntities, useStudio } from '../app/index.ts';
import { useBoardView } from '../features/storyboard/useBoard.ts';
import type { Answers } from './page.tsx';

let boards = 0;

/** A board of its own project: boards outlive their pages. */
export const aBoard = (shots: object[], more: object = {}): Board =>
  boardSchema.parse({ projectId: `board-${++boards}`, revision: 1, shots, ...more });

/** A board as a studio keeps it: it is saved over the revision it is at. The answer to its first save is lost where it `isMute`. */
export function keptBoard(first: Board, isMute = false): { answers: Answers; now: () => Board } {
  let board = first;
  const answers: Answers = {
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      if (saved.revision !== board.revision) return fail('conflict', 'The board has a newer revision.');
      board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
      return isMute && board.revision === 2 ? fail('unreachable', 'The answer was lost.') : board;
    },
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
  };
  return { answers, now: () => board };
}

export const aShot = (id: string, more: Partial<Shot> = {}): Shot => ({
  ...{ id, title: '', prompt: '', model: '', source: 'text', config: {}, referenceImages: [], takes: [] },
  ...more,
});

/** The board's page as at the first start: nothing read, chosen or imported. */
export function freshBoard(
  view: Partial<ReturnType<typeof useBoardView.getState>> = {},
  ...profiles: ProfileView[]
): void {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles, activeProfileId: profiles[0]?.id, projects: [], budgets: [] });
  useBoardView.setState({ isImporting: false, shotId: undefined, takes: {}, ...view });
}
