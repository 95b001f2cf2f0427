import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { aShot, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, byText, click, press, until } from '../../testing/page.tsx';
import { useSoundView } from './sound/useFilmSound.ts';
import { useBoardView } from './useBoard.ts';

/** Plays a film of two shots without takes, shown as stills. */
async function playFilm(tab: 'board' | 'sound' = 'board') {
  useBoardView.setState({ tab });
  await openBoard({ shots: ['a', 'b'].map((id) => aShot(id, { source: 'first' })) });
  await until(() => expect(document.getElementById('shot-a') ?? byText(labels.playTheMix)).toBeTruthy());
  await press('k');
}

const isPlaying = () => document.querySelector('.transport [aria-label="Pause"]') !== null;
const field = (selector: string) => document.querySelector(selector) as HTMLElement;
const focus = (element: HTMLElement) => acting(() => element.focus());

beforeEach(() => freshBoard());

it.each([
  ['its words', 'textarea[aria-label^="Prompt"]'],
  ['its seed', 'input[aria-label="Seed"]'],
  ['its model', '[role=combobox][aria-label="Model"]'],
  ['its menu', 'aside .bar [aria-label="Shot menu"]'],
])('the film stops where %s is edited', async (_, selector) => {
  await playFilm();
  expect(isPlaying()).toBe(true);
  await focus(field(selector));
  expect(isPlaying()).toBe(false);
});

it('the film stops where a slot is filled, and the list is that of its shot alone', async () => {
  await playFilm();
  await click(byText(`${labels.firstFrame}: Choose`));
  await until(() => expect(document.querySelector('.dlg')?.textContent).toContain(labels.firstFrame));
  await until(() => expect(isPlaying()).toBe(false));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
});

it('the keys of a card mean its own shot, whichever plays', async () => {
  await playFilm();
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
  await playFilm();
  await focus(byText(labels.addAShot));
  await focus(field('aside [role=radio]'));
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
