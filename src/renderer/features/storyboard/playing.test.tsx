import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { acting, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useSoundView } from './sound/useFilmSound.ts';
import { useBoardView } from './useBoard.ts';

let boards = 0;

/** Two shots without a take: stills stand for them, and the film plays. */
async function playFilm(tab: 'board' | 'shot' | 'sound') {
  useBoardView.setState({ tab });
  const ids = ['a', 'b'];
  const shots = ids.map((id) => ({ id, prompt: `Words of ${id}`, model: '', source: 'first', config: {} }));
  const board = boardSchema.parse({ projectId: `playing-${++boards}`, revision: 1, shots });
  fakeStudio({ 'storyboard.get': () => board, 'jobs.list': () => ({ jobs: [], total: 0 }) });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.getElementById('shot-a') ?? byText(labels.playTheMix)).toBeTruthy());
  if (tab !== 'shot') await press('k');
}

const isPlaying = () => document.querySelector('.transport [aria-label="Pause"]') !== null;
const field = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const focus = (element: HTMLElement) => acting(() => element.focus());

beforeEach(() => freshBoard());

it.each([
  ['its words', 'textarea[aria-label^="Prompt"]'],
  ['its seed', 'input[aria-label="Seed"]'],
  ['its model', '[role=combobox][aria-label="Model"]'],
  ['its menu', '.insp .bar [aria-label="More"]'],
])('the film stops where %s is edited', async (_, selector) => {
  await playFilm('board');
  expect(isPlaying()).toBe(true);
  await focus(field(selector));
  expect(isPlaying()).toBe(false);
});

it('the film stops where a slot is filled, and the list is that of its shot alone', async () => {
  await playFilm('board');
  await click(byText(`${labels.firstFrame}: empty, choose`));
  await until(() => expect(document.querySelector('.dlg')?.textContent).toContain(labels.firstFrame));
  await until(() => expect(isPlaying()).toBe(false));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
});

it('the keys of a card mean its own shot, whichever plays', async () => {
  await playFilm('board');
  await acting(() => useBoardView.setState({ shotId: 'a' }));
  await focus(field('#shot-b'));
  expect(isPlaying()).toBe(true);
  const order = () => [...document.querySelectorAll('.shot')].map(({ id }) => id);
  await press('ArrowLeft', { altKey: true }, field('#shot-b'));
  expect(order()).toEqual(['shot-b', 'shot-a']);
  await press('Delete', {}, field('#shot-b'));
  expect(order()).toEqual(['shot-a']);
});

it('buttons beside the film and the tabs do not stop it', async () => {
  await playFilm('board');
  await focus(byText(labels.nextShot));
  await focus(byText(labels.rollASeed));
  expect(isPlaying()).toBe(true);
});

it('where the sound is made, only what is typed about the chosen shot stops the film', async () => {
  useSoundView.setState({ panel: 'track' });
  await playFilm('sound');
  await focus(field('input[type=range][aria-label="Level of shot 1"]'));
  await focus(byText(labels.playTheMix));
  expect(isPlaying()).toBe(true);
  await focus(field('input[aria-label="Level of shot 1 in decibels"]'));
  expect(isPlaying()).toBe(false);
});

it('what is seen is named by the beginning of its words', async () => {
  const prompt = `${'A quay at night, '.repeat(12)}before dawn`;
  const board = boardSchema.parse({
    ...{ projectId: 'named', revision: 1 },
    shots: [{ id: 'a', prompt, model: '', source: 'text', config: {} }],
  });
  fakeStudio({ 'storyboard.get': () => board, 'jobs.list': () => ({ jobs: [], total: 0 }) });
  useBoardView.setState({ tab: 'shot' });
  await show(<BoardPage projectId="named" />);
  const seen = () => document.querySelector('.sb-player [role=img]')?.getAttribute('aria-label');
  await until(() => expect(seen()).toContain(`${'A quay at night, '.repeat(11)}A quay at…`));
});
