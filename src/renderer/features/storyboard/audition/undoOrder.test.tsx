import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../../testing/boardPage.tsx';
import { acting, byText, click, press, until } from '../../../testing/page.tsx';
import { useBoardView } from '../useBoard.ts';

/** A shot whose second take has just been kept in its audition. */
async function keepSecond() {
  const shot = aShot('a', { config: { resolution: '720p' }, takes: ['t1', 't2'], activeTake: 't1' });
  const opened = await openBoard(
    { shots: [shot] },
    {
      jobs: [aTake('t1'), aTake('t2')],
      'board.undo': () => ({ board: opened.saved(), canUndo: false, canRedo: true, undone: 'it' }) as never,
      'jobs.judge': ({ id, verdict }) => aTake(id, verdict ? { verdict } : {}),
    },
  );
  await until(() => expect(document.querySelectorAll('.cell')).toHaveLength(2));
  await press('2');
  await press('Enter');
  await until(() => expect(document.querySelector('.aud-foot')?.textContent).toContain('It plays for shot 1 now'));
  const { studio, saved } = opened;
  return { studio, shot: () => saved().shots[0], judged: () => studio.callsOf('jobs.judge') };
}

beforeEach(() => freshBoard({ tab: 'audition' }));

it('what was changed after a keep is undone before it', async () => {
  const { studio, shot, judged } = await keepSecond();
  await click(byText('1080p', '[role=radio]'));
  await press('z', { ctrlKey: true });
  await until(() => expect(studio.callsOf('board.undo')).toHaveLength(1));
  expect(judged()).toEqual([{ id: 't2', verdict: 'keep' }]);
  expect(shot()).toMatchObject({ activeTake: 't2', config: { resolution: '1080p' } });
});

it('the buttons name the take of the panel that they keep, not its place', async () => {
  await keepSecond();
  const names = () => [...document.querySelectorAll('.aud-foot button')].map(({ textContent }) => textContent);
  const named = (take: number) => [labels.keepTakeBinTheOthers(take), expect.stringContaining(labels.keepTake(take))];
  // What was kept plays for the shot and comes first when its takes are compared again.
  for (const tab of ['shot', 'audition'] as const) await acting(() => useBoardView.setState({ tab }));
  await until(() => expect(document.querySelectorAll('.cell')).toHaveLength(2));
  expect(names()).toEqual(named(2));
  await press('2');
  expect(names()).toEqual(named(1));
});

it('a keep is taken back with its verdict, also once it is saved', async () => {
  const { studio, shot, judged } = await keepSecond();
  await until(() => expect(shot()?.activeTake).toBe('t2'));
  await press('z', { ctrlKey: true });
  await until(() => expect(shot()?.activeTake).toBe('t1'));
  expect(judged().at(-1)).toEqual({ id: 't2', verdict: null });
  expect(studio.callsOf('board.undo')).toEqual([]);
});

it('a key rates the take that is heard, takes that back, and leaves the one that plays', async () => {
  const { shot, judged } = await keepSecond();
  await until(() => expect(shot()?.activeTake).toBe('t2'));
  const before = judged().length;
  for (const key of ['1', 'n', 'm', 'm']) await press(key);
  const rated = ['no', 'maybe', null].map((verdict) => ({ id: 't1', verdict }));
  await until(() => expect(judged().slice(before)).toEqual(rated));
  expect(shot()?.activeTake).toBe('t2');
});

it('the others leave the shot where one is kept alone, and the one that is kept plays', async () => {
  const { shot } = await keepSecond();
  await press('1');
  await click(byText('bin the others'));
  await until(() => expect(shot()).toMatchObject({ takes: ['t1'], activeTake: 't1' }));
});
