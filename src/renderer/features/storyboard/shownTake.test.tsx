import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { type Board, boardSchema } from '../../../shared/board.ts';
import type { Job } from '../../../shared/job.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { Toasts } from '../../ui/index.ts';
import { BoardPage } from './BoardPage.tsx';
import { ClipPlayer } from './player/clipPlayer.ts';
import { useBoardView } from './useBoard.ts';

let boards = 0;

const made = (id: string): Job =>
  aJob({
    id,
    state: 'succeeded',
    outputs: [
      anAsset({
        id: `c-${id}`,
        mime: id === 'avi' ? 'video/vnd.avi' : 'video/mp4',
        role: 'output',
        jobId: id,
        seconds: 4,
      }),
    ],
  });

const shot = (id: string, takes: string[], more: object = {}) => ({
  ...{ id, prompt: `Words of ${id}`, model: '', config: {}, takes, activeTake: takes.at(-1) },
  ...more,
});

/** A film on its board, with one or two takes of each shot. */
async function open(shots: object[], view: Partial<ReturnType<typeof useBoardView.getState>> = {}) {
  useBoardView.setState({ tab: 'board', ...view });
  let board: Board = boardSchema.parse({ projectId: `shown-${++boards}`, revision: 1, shots });
  const jobs = board.shots.flatMap(({ takes }) => takes.map(made));
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = boardSchema.parse({ ...saved, revision: board.revision + 1 });
      return board;
    },
    'jobs.list': () => ({ jobs, total: jobs.length }),
    'jobs.judge': ({ id, verdict }) => ({ ...made(id), verdict: verdict ?? undefined }) as Job,
  });
  await show(
    <>
      <BoardPage projectId={board.projectId} />
      <Toasts />
    </>,
  );
  await until(() => expect(document.querySelector('.sb-player [role=img]')).not.toBeNull());
  if (jobs.length > 0) await until(() => expect(seenClips().length).toBeGreaterThan(0));
  return studio;
}

const seenClips = () =>
  [...document.querySelectorAll<HTMLVideoElement>('.sb-player video')].flatMap(({ src, hidden }) =>
    src && !hidden ? [src.split('/').at(-1)] : [],
  );
const name = () => document.querySelector('.viewer-name')?.textContent;
const time = () => document.querySelector('[role=timer]')?.textContent;
const card = (id: string) => document.getElementById(`shot-${id}`) as HTMLElement;

/** What a rating key rates is what the viewer names. */
async function rated(studio: Awaited<ReturnType<typeof open>>): Promise<string> {
  const before = studio.callsOf('jobs.judge').length;
  await press('y');
  await until(() => expect(studio.callsOf('jobs.judge')).toHaveLength(before + 1));
  return (studio.callsOf('jobs.judge').at(-1) as { id: string }).id;
}

const FILM = [shot('a', ['a1']), shot('b', ['b1', 'b2']), shot('c', ['c1', 'c2'])];

beforeEach(() => {
  freshBoard({ loopedJoint: undefined });
  // A picture is there as soon as it is asked for.
  Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback: () => 0, cancelVideoFrameCallback: () => {} });
  Object.defineProperty(HTMLVideoElement.prototype, 'readyState', { configurable: true, get: () => 4 });
});

it('the board opens at the shot that is chosen, and names what it shows', async () => {
  const studio = await open(FILM, { shotId: 'c' });
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 2)));
  expect(time()).toContain('8');
  expect(seenClips()).toEqual(['c-c2']);
  expect(await rated(studio)).toBe('c2');
});

it('a shot that is clicked is shown, and its take is the one that a key rates', async () => {
  const studio = await open(FILM);
  await until(() => expect(name()).toBe(labels.shotTakeN(1, 1)));
  await click(card('b'));
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
  expect(seenClips()).toEqual(['c-b2']);
  expect(await rated(studio)).toBe('b2');
});

it('a take that is chosen on the board is shown in place of the one of the film', async () => {
  const studio = await open(FILM, { shotId: 'b' });
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
  await click(document.getElementById('take-b1') as HTMLElement);
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 1)));
  expect(seenClips()).toEqual(['c-b1']);
  expect(await rated(studio)).toBe('b1');
});

it('what moves the viewer to another shot chooses it, and shows the take of the film there', async () => {
  const studio = await open(FILM, { shotId: 'b', takes: { b: 'b1', c: 'c1' } });
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 1)));
  await press('End');
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 2)));
  expect(card('c').getAttribute('aria-selected')).toBe('true');
  expect(await rated(studio)).toBe('c2');
  await press('Home');
  await until(() => expect(name()).toBe(labels.shotTakeN(1, 1)));
  expect(await rated(studio)).toBe('a1');
});

it.each(['shot', 'board'] as const)(
  'while two takes loop around a link on the %s tab, a key rates neither',
  async (tab) => {
    vi.spyOn(ClipPlayer.prototype, 'playRange').mockImplementation(() => {});
    const studio = await open(FILM, { tab, shotId: 'b' });
    await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
    await acting(() => useBoardView.setState({ loopedJoint: 'c' }));
    await press('y');
    await click(byText(labels.maybe, '.sb-ver [role=radio]'));
    expect(studio.callsOf('jobs.judge')).toEqual([]);
    await until(() => expect(document.querySelectorAll('.toast')).toHaveLength(1));
    expect(document.querySelector('.toast')?.textContent).toContain('The loop shows two takes. Stop it to rate one.');
    await click(byText(labels.dismiss, '.toast button'));
    await acting(() => useBoardView.setState({ loopedJoint: undefined, shotId: 'b' }));
    await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
    expect(await rated(studio)).toBe('b2');
  },
);

it('the viewer says that it loads until the picture that it names is there', async () => {
  let readyState = 4;
  Object.defineProperty(HTMLVideoElement.prototype, 'readyState', { configurable: true, get: () => readyState });
  await open(FILM, { tab: 'shot', shotId: 'b' });
  const viewer = () => document.querySelector('.sb-player')?.textContent;
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
  expect(viewer()).not.toContain('Loading');
  readyState = 0;
  await acting(() => useBoardView.setState({ takes: { b: 'b1' } }));
  expect(name()).toBe(labels.shotTakeN(2, 1));
  expect(viewer()).toContain('Loading');
  readyState = 4;
  const videos = document.querySelectorAll('.sb-player video');
  await acting(() => videos.forEach((video) => void video.dispatchEvent(new Event('loadeddata'))));
  expect(seenClips()).toEqual(['c-b1']);
  expect(viewer()).not.toContain('Loading');
});

it('a skipped shot is shown alone, since the film does not show it', async () => {
  const studio = await open([FILM[0], { ...FILM[1], skipped: true }, FILM[2]] as object[]);
  await click(card('b'));
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
  expect(seenClips()).toEqual(['c-b2']);
  expect(await rated(studio)).toBe('b2');
  await click(byText(labels.nextShot));
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 2)));
  await click(byText(labels.previousShot));
  await until(() => expect(name()).toBe(labels.shotTakeN(2, 2)));
});

it('from the tab of one shot to that of the film, the shot stays in view', async () => {
  const studio = await open(FILM, { tab: 'shot', shotId: 'c', takes: { a: 'a1', c: 'c1' } });
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 1)));
  await acting(() => useBoardView.setState({ tab: 'board' }));
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 1)));
  expect(await rated(studio)).toBe('c1');
  await acting(() => useBoardView.setState({ tab: 'cast' }));
  await acting(() => useBoardView.setState({ tab: 'board' }));
  await until(() => expect(name()).toBe(labels.shotTakeN(3, 1)));
  expect(seenClips()).toEqual(['c-c1']);
});

it('while the film plays, a shot that is clicked plays on from its begin', async () => {
  await open([shot('a', []), shot('b', [])]);
  await press('k');
  await click(card('b'));
  await until(() => expect(name()).toBe('Shot 2 · no take'));
  expect(document.querySelector('.transport [aria-label="Pause"]')).not.toBeNull();
});

it('a chosen shot that is gone is replaced by nothing that the viewer shows instead', async () => {
  await open(FILM, { shotId: 'gone' });
  await until(() => expect(name()).toBe(labels.shotTakeN(1, 1)));
  expect(useBoardView.getState().shotId).toBe('gone');
});

it('a clip that cannot be displayed names its format and can be saved, in the viewer', async () => {
  await open([FILM[0], shot('b', ['avi'], { skipped: true })] as object[]);
  await click(card('b'));
  await until(() =>
    expect(document.querySelector('.sb-player .plate')?.textContent).toContain('Dailies cannot display AVI files.'),
  );
  expect(document.querySelectorAll('.sb-player .plate a[download]')).toHaveLength(1);
});
