import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, click, type FakeStudio, press, until } from '../../testing/page.tsx';
import { useBoardView } from './useBoard.ts';

type View = Partial<ReturnType<typeof useBoardView.getState>>;

const made = (id: string) => aTake(id, {}, { mime: id === 'avi' ? 'video/vnd.avi' : 'video/mp4' });
const shot = (id: string, takes: string[], more: object = {}) =>
  aShot(id, { takes, ...(takes.length > 0 ? { activeTake: takes.at(-1) ?? '' } : {}), ...more });
const FILM = [shot('a', ['a1']), shot('b', ['b1', 'b2']), shot('c', ['c1', 'c2'])];

/** Opens a film's board with this take in the viewer. */
async function open(shots = FILM, view: View = {}, named?: string): Promise<FakeStudio> {
  useBoardView.setState({ tab: 'board', ...view });
  const jobs = shots.flatMap(({ takes }) => takes.map(made));
  const { studio } = await openBoard(
    { shots },
    { jobs, 'jobs.judge': ({ id, verdict }) => ({ ...made(id), ...(verdict ? { verdict } : {}) }) },
  );
  await until(() => expect(document.querySelector('.player [role=img]')).not.toBeNull());
  if (jobs.length > 0) await until(() => expect(seenClips()).not.toEqual([]));
  if (named) await names(named);
  return studio;
}

const seenClips = () =>
  [...document.querySelectorAll<HTMLVideoElement>('.player video')].flatMap(({ src, hidden }) =>
    src && !hidden ? [src.split('/').at(-1)] : [],
  );
const name = () => document.querySelector('.viewHead h2')?.textContent;
const names = (text: string) => until(() => expect(name()).toBe(text));
const card = (id: string) => document.getElementById(`shot-${id}`) as HTMLElement;
const viewer = () => document.querySelector('.player')?.textContent;

/** Asserts that the viewer shows this take and that a rating shortcut rates it. */
async function showsAndRates(studio: FakeStudio, jobId: string): Promise<void> {
  expect(seenClips()).toEqual([`c-${jobId}`]);
  const before = studio.callsOf('jobs.judge').length;
  await press('y');
  await until(() => expect(studio.callsOf('jobs.judge').slice(before)).toMatchObject([{ id: jobId }]));
}

beforeEach(() => {
  freshBoard();
  // Pictures are ready as soon as requested.
  Object.defineProperty(HTMLVideoElement.prototype, 'readyState', { configurable: true, get: () => 4 });
});

it('the board opens at the shot that is chosen, and names what it shows', async () => {
  const studio = await open(FILM, { shotId: 'c' }, labels.shotTakeN(3, 2));
  expect(document.querySelector('[role=timer]')?.textContent).toContain('8');
  await showsAndRates(studio, 'c2');
});

it('a shot that is clicked is shown, and its take is the one that a key rates', async () => {
  const studio = await open(FILM, {}, labels.shotTakeN(1, 1));
  await click(card('b'));
  await names(labels.shotTakeN(2, 2));
  await showsAndRates(studio, 'b2');
});

it('a take that is chosen is shown, and used in the film', async () => {
  const studio = await open(FILM, { shotId: 'b' }, labels.shotTakeN(2, 2));
  await click(document.getElementById('take-b1') as HTMLElement);
  await names(labels.shotTakeN(2, 1));
  await showsAndRates(studio, 'b1');
});

it('what moves the viewer to another shot chooses it', async () => {
  const studio = await open(FILM, { shotId: 'b' }, labels.shotTakeN(2, 2));
  await press('End');
  await names(labels.shotTakeN(3, 2));
  expect(card('c').getAttribute('aria-selected')).toBe('true');
  await showsAndRates(studio, 'c2');
  await press('Home');
  await names(labels.shotTakeN(1, 1));
});

it('the viewer says that it loads until the picture that it names is there', async () => {
  let readyState = 4;
  Object.defineProperty(HTMLVideoElement.prototype, 'readyState', { configurable: true, get: () => readyState });
  await open(FILM, { shotId: 'b' }, labels.shotTakeN(2, 2));
  expect(viewer()).not.toContain('Loading');
  readyState = 0;
  await click(document.getElementById('take-b1') as HTMLElement);
  expect(name()).toBe(labels.shotTakeN(2, 1));
  expect(viewer()).toContain('Loading');
  readyState = 4;
  const videos = document.querySelectorAll('.player video');
  await acting(() => videos.forEach((video) => void video.dispatchEvent(new Event('loadeddata'))));
  expect(seenClips()).toEqual(['c-b1']);
  expect(viewer()).not.toContain('Loading');
});

it('a skipped shot is shown alone, since the film does not show it', async () => {
  const studio = await open([FILM[0], shot('b', ['b1', 'b2'], { skipped: true }), FILM[2]] as typeof FILM);
  await click(card('b'));
  await names(labels.shotTakeN(2, 2));
  await showsAndRates(studio, 'b2');
  await click(card('c'));
  await names(labels.shotTakeN(3, 2));
});

it('while the film plays, a shot that is clicked plays on from its begin', async () => {
  await open([shot('a', []), shot('b', [])]);
  await press('k');
  await click(card('b'));
  await names('Shot 2 · no take yet');
  expect(document.querySelector('.transport [aria-label="Pause"]')).not.toBeNull();
});

it('a chosen shot that is gone is replaced by nothing that the viewer shows instead', async () => {
  await open(FILM, { shotId: 'gone' }, labels.shotTakeN(1, 1));
  expect(useBoardView.getState().shotId).toBe('gone');
});

it('a clip that cannot be displayed names its format and can be saved, in the viewer', async () => {
  await open([shot('a', ['a1']), shot('b', ['avi'], { skipped: true })]);
  await click(card('b'));
  await until(() => expect(document.querySelector('.holdWords')?.textContent).toContain('AVI'));
  expect(document.querySelectorAll('.holdWords a[download]')).toHaveLength(1);
});
