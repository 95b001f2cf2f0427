import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import type { Job } from '../../../../shared/job.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';
import { useBoardView } from '../useBoard.ts';

let boards = 0;

const made = (id: string): Job =>
  aJob({
    id,
    state: 'succeeded',
    outputs: [anAsset({ id: `c-${id}`, sha256: id, mime: 'video/mp4', role: 'output', jobId: id, seconds: 4 })],
  });

/** A shot whose second take has just been kept in its audition. */
async function keepSecond() {
  const shots = [{ id: 'a', model: '', config: { resolution: '720p' }, takes: ['t1', 't2'], activeTake: 't1' }];
  let board: Board = boardSchema.parse({ projectId: `audition-${++boards}`, revision: 1, shots });
  const jobs = [made('t1'), made('t2')];
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = boardSchema.parse({ ...saved, revision: board.revision + 1 });
      return board;
    },
    'board.undo': () => ({ board, canUndo: false, canRedo: true, undone: 'changed the resolution of shot 1' }) as never,
    'jobs.list': () => ({ jobs, total: 2 }),
    'jobs.judge': ({ id, verdict }) => ({ ...made(id), verdict: verdict ?? undefined }) as Job,
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.querySelectorAll('.cell')).toHaveLength(2));
  await press('2');
  await press('Enter');
  await until(() => expect(document.querySelector('.aud-foot')?.textContent).toContain('It plays for shot 1 now'));
  return { studio, saved: () => board };
}

beforeEach(() => {
  freshBoard({ tab: 'audition' });
  // Clips are not played here.
  Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback: () => 0, cancelVideoFrameCallback: () => {} });
});

it('what was changed after a keep is undone before it', async () => {
  const { studio, saved } = await keepSecond();
  await click(byText('1080p', '[role=radio]'));
  await press('z', { ctrlKey: true });
  await until(() => expect(studio.callsOf('board.undo')).toHaveLength(1));
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 't2', verdict: 'keep' }]);
  expect(saved().shots[0]).toMatchObject({ activeTake: 't2', config: { resolution: '1080p' } });
});

it('the buttons name the take of the panel that they keep, not its place', async () => {
  await keepSecond();
  const names = () => [...document.querySelectorAll('.aud-foot button')].map(({ textContent }) => textContent);
  // What was kept plays for the shot and comes first when its takes are compared again.
  await acting(() => useBoardView.setState({ tab: 'shot' }));
  await acting(() => useBoardView.setState({ tab: 'audition' }));
  await until(() => expect(document.querySelectorAll('.cell')).toHaveLength(2));
  expect(document.querySelector('.cell.solo')?.textContent).toContain('take 2');
  expect(names()).toEqual([labels.keepTakeBinTheOthers(2), expect.stringContaining(labels.keepTake(2))]);
  await press('2');
  expect(names()).toEqual([labels.keepTakeBinTheOthers(1), expect.stringContaining(labels.keepTake(1))]);
});

it('a keep is taken back with its verdict, also once it is saved', async () => {
  const { studio, saved } = await keepSecond();
  await until(() => expect(saved().shots[0]).toMatchObject({ activeTake: 't2' }));
  await press('z', { ctrlKey: true });
  await until(() => expect(saved().shots[0]).toMatchObject({ activeTake: 't1' }));
  expect(studio.callsOf('jobs.judge').at(-1)).toEqual({ id: 't2', verdict: null });
  expect(studio.callsOf('board.undo')).toEqual([]);
});

it('a key rates the take that is heard, takes that back, and leaves the one that plays', async () => {
  const { studio, saved } = await keepSecond();
  const playing = saved().shots[0]?.activeTake;
  const before = studio.callsOf('jobs.judge').length;
  await press('1');
  for (const key of ['n', 'm', 'm']) await press(key);
  await until(() =>
    expect(studio.callsOf('jobs.judge').slice(before)).toEqual([
      { id: 't1', verdict: 'no' },
      { id: 't1', verdict: 'maybe' },
      { id: 't1', verdict: null },
    ]),
  );
  expect(saved().shots[0]?.activeTake).toBe(playing);
});

it('the others leave the shot where one is kept alone, and the one that is kept plays', async () => {
  const { saved } = await keepSecond();
  await press('1');
  await click(byText('bin the others'));
  await until(() => expect(saved().shots[0]).toMatchObject({ takes: ['t1'], activeTake: 't1' }));
});
