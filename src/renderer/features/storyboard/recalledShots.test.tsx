import { beforeEach, expect, it, vi } from 'vitest';
import type { Shot } from '../../../shared/board.ts';
import type { FoundProvenance } from '../../../shared/provenance.ts';
import { aBoard, freshBoard, keptBoard } from '../../testing/boardPage.ts';
import { acting, fakeStudio, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { emptyShot } from './model/shots.ts';
import { useBoardView } from './useBoard.ts';

/** A board that is full is as full with six: to draw five hundred takes seconds. The number itself is proven beside the model. */
vi.mock('../../../shared/board.ts', async (original) => ({ ...(await original<object>()), MAX_SHOTS: 6 }));

/** The answer to the first save is lost (`isMute`). */
async function open(shots: Shot[], found: FoundProvenance, isMute = false) {
  const { answers, now } = keptBoard(aBoard(shots), isMute);
  const studio = fakeStudio({
    ...answers,
    'library.found': () => found,
  });
  window.location.hash = '#/storyboard?recall=clip';
  await show(<BoardPage projectId={now().projectId} />);
  await until(() => expect(window.location.hash).toBe('#/storyboard'));
  return { studio, prompts: () => now().shots.map(({ prompt }) => prompt) };
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

beforeEach(() => freshBoard());

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
