import { beforeEach, expect, it, vi } from 'vitest';
import type { Board, Shot } from '../../../shared/board.ts';
import type { FoundProvenance } from '../../../shared/provenance.ts';
import { fail } from '../../../shared/result.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { acting, fakeStudio, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { emptyShot } from './model/shots.ts';
import { useBoardView } from './useBoard.ts';

/** A board that is full is as full with six: to draw five hundred takes seconds. The number itself is proven beside the model. */
vi.mock('../../../shared/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

let boards = 0;

/** The answer to the first save is lost (`isMute`). */
async function open(shots: Shot[], found: FoundProvenance, isMute = false) {
  boards += 1;
  const projectId = `recalled-${boards}`;
  let board: Board = { projectId, revision: 1, shots };
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      if (saved.revision !== board.revision) return fail('conflict', 'The board has a newer revision.');
      board = { ...board, shots: saved.shots as Shot[], revision: board.revision + 1 };
      return isMute && board.revision === 2 ? fail('unreachable', 'The answer was lost.') : board;
    },
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.found': () => found,
  });
  window.location.hash = '#/storyboard?recall=clip';
  await show(<BoardPage projectId={projectId} />);
  await until(() => expect(window.location.hash).toBe('#/storyboard'));
  return { studio, prompts: () => board.shots.map(({ prompt }) => prompt) };
}

const film = (...prompts: string[]): FoundProvenance => ({
  c2pa: false,
  provenance: {
    version: 1,
    kind: 'film',
    prompt: '',
    sourceType: 'trainedAlgorithmicMedia',
    shots: prompts.map((prompt, at) => ({ number: at + 1, prompt })),
  },
});

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useBoardView.setState({ isImporting: false, shotId: undefined });
});

it('adds what was found behind the shots that are there, once, in one step, and sends nothing', async () => {
  const { studio, prompts } = await open([{ ...emptyShot('a', ''), prompt: 'Mine' }], film('A quay', 'A ferry'));
  await until(() => expect(prompts()).toEqual(['Mine', 'A quay', 'A ferry']));
  expect(studio.callsOf('storyboard.save')).toHaveLength(1);
  expect(studio.calls.map(({ name }) => name).filter((name) => name.startsWith('storyboard.make'))).toEqual([]);
  expect(useBoardView.getState().shotId).not.toBe('a');
});

it('where only the answer to their save was lost, they are there once', async () => {
  const { studio, prompts } = await open([], film('A quay', 'A ferry'), true);
  await until(() => expect(prompts()).toHaveLength(2));
  await acting(() => window.dispatchEvent(new Event('pagehide')));
  await until(() => expect(studio.callsOf('storyboard.save').length).toBeGreaterThan(1));
  await acting(() => window.dispatchEvent(new Event('pagehide')));
  expect(prompts()).toEqual(['A quay', 'A ferry']);
});

it('leaves a board that has no room for them as it is', async () => {
  const full = Array.from({ length: 5 }, (_, at) => emptyShot(`s${at}`, ''));
  const { studio } = await open(full, film('A quay', 'A ferry'));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});

it('where nothing was found nothing is added', async () => {
  const { studio } = await open([emptyShot('a', '')], { c2pa: true });
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});
