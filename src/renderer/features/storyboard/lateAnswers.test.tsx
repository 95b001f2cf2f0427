import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board.ts';
import { ok } from '../../../shared/result.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { acting, aJob, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useBoardView } from './useBoard.ts';

const profile = aProfile();

let boards = 0;

/** Two shots, the first with two takes that failed. Its next take is answered when the test says so. */
async function open() {
  const shot = { prompt: 'A pier', model: 'video-standard', config: { durationSeconds: 4 } };
  const shots = [
    { id: 'a', ...shot, takes: ['t1', 't2'] },
    { id: 'b', ...shot },
  ];
  const board = boardSchema.parse({ projectId: `late-${++boards}`, revision: 1, shots });
  const jobs = ['t1', 't2'].map((id) => aJob({ id, state: 'failed', finishedAt: 1 }));
  let answer = (): void => undefined;
  fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs, total: 2 }),
    'ledger.estimate': () => ({ items: [], settled: false, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'storyboard.makeTake': () =>
      new Promise((resolve) => {
        const taken = board.shots.map((one) => (one.id === 'a' ? { ...one, takes: ['t1', 't2', 't3'] } : one));
        const made = { job: aJob({ id: 't3' }), board: { ...board, revision: 2, shots: taken } };
        answer = () => resolve(ok(made) as never);
      }),
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.body.textContent).toContain(labels.takesOfShot(1)));
  return { answer: () => acting(() => answer()) };
}

beforeEach(() => freshBoard({ tab: 'shot' }, profile));

it('a take that is answered late is shown with its shot, and takes nobody there', async () => {
  const { answer } = await open();
  await until(() => expect(byText(labels.makeTake(3)).getAttribute('aria-disabled')).not.toBe('true'));
  await click(byText(labels.makeTake(3)));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await acting(() => document.querySelector<HTMLElement>('textarea.prompt')?.focus());
  await answer();
  await until(() => expect(useBoardView.getState().takes).toEqual({ a: 't3' }));
  expect(useBoardView.getState().shotId).toBe('b');
  expect(document.activeElement?.getAttribute('aria-label')).toBe(labels.promptOfShot(2));
});

it('what was offered for a take is not offered for another one', async () => {
  await open();
  await click(byText(labels.tryAgain));
  await until(() => expect(document.querySelector('.dlg')?.textContent).toContain('Make the take again?'));
  await acting(() => useBoardView.setState({ takes: { a: 't1' } }));
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
});
