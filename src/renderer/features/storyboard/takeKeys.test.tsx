import { beforeEach, expect, it } from 'vitest';
import { boardSchema } from '../../../shared/board.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { acting, aJob, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useBoardView } from './useBoard.ts';

beforeEach(() => freshBoard({ tab: 'shot' }, aProfile()));

it('Enter lets the take that is looked at play; Ctrl Enter makes another one and leaves the one that plays', async () => {
  const take = { prompt: 'A pier', model: 'video-standard', config: { durationSeconds: 4 } };
  const shots = [{ id: 'a', ...take, takes: ['t1', 't2'], activeTake: 't2' }];
  let board = boardSchema.parse({ projectId: 'keys-of-takes', revision: 1, shots });
  const jobs = ['t1', 't2'].map((id) => aJob({ id, state: 'succeeded', finishedAt: 1 }));
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (next) => {
      board = boardSchema.parse({ ...next, revision: next.revision + 1 });
      return board;
    },
    'jobs.list': () => ({ jobs, total: 2 }),
    'ledger.estimate': () => ({ items: [], settled: false, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'storyboard.makeTake': () => ({ job: aJob({ id: 't3' }), board }),
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.querySelectorAll('.take')).toHaveLength(2));
  await until(() => expect(document.querySelector('.insp .sendbar .price')).not.toBeNull());
  const list = document.querySelector('.take-list') as HTMLElement;
  await acting(() => list.focus());
  await press('ArrowDown', {}, list);
  expect(useBoardView.getState().takes).toEqual({ a: 't1' });
  await press('Enter', { ctrlKey: true }, list);
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toHaveLength(1));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  await acting(() => useBoardView.setState({ takes: { a: 't1' } }));
  await press('Enter', {}, list);
  await until(() =>
    expect(studio.callsOf('storyboard.save')).toMatchObject([{ shots: [{ id: 'a', activeTake: 't1' }] }]),
  );
});
