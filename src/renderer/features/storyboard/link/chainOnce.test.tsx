import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Board, boardSchema } from '../../../../shared/board/board.ts';
import { fail } from '../../../../shared/contract/result.ts';
import { aProfile } from '../../../testing/aProfile.ts';
import { aShot, freshBoard } from '../../../testing/boardPage.tsx';
import { acting, aJob, byText, click, fakeStudio, show, until } from '../../../testing/page.tsx';
import { useBoard } from '../useBoard.ts';
import { useChain } from './useChain.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  freshBoard({}, aProfile());
});
afterEach(() => vi.useRealTimers());

const projectId = 'chain-once';

function Order() {
  const board = useBoard(projectId);
  const chain = useChain(board, board.shots);
  return (
    <button type="button" disabled={chain.off !== undefined} onClick={() => void chain.order('').onSend()}>
      Make {chain.shots.length}
    </button>
  );
}

/** The second shot starts where this take of the first ends. */
const shots = (start: string) => [
  aShot('a', { takes: ['old'], activeTake: 'old' }),
  aShot('b', { source: 'first', joint: 'continue', image: { jobId: start, frame: 'last' } }),
];

it('pressed again after a lost answer, a chain is the same order, though its takes have come to the board', async () => {
  let board: Board = boardSchema.parse({ projectId, revision: 1, shots: shots('old') });
  const jobs = ['old', 'new a', 'new b'].map((id) => aJob({ id, state: id === 'old' ? 'succeeded' : 'queued' }));
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs, total: jobs.length }),
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'storyboard.makeTakes': () => fail('unreachable', 'The answer did not come.'),
  });
  const change = async (changed: Board['shots']) => {
    board = { ...board, revision: board.revision + 1, shots: changed };
    const gets = studio.callsOf('storyboard.get').length;
    await studio.emit({ type: 'board.changed', projectId, revision: board.revision });
    await until(() => expect(studio.callsOf('storyboard.get').length).toBeGreaterThan(gets));
  };
  await show(<Order />);
  const button = () => byText('Make 2') as HTMLButtonElement;
  /** Presses, and returns the number of requests so far. */
  const orders = async () => {
    await until(() => expect(button().disabled).toBe(false));
    await click(button());
    await acting(() => vi.advanceTimersByTimeAsync(30_000));
    return new Set(studio.keysOf('storyboard.makeTakes')).size;
  };
  expect(await orders()).toBe(1);
  await change(
    shots('new a').map((shot) => ({ ...shot, takes: [...shot.takes, `new ${shot.id}`], activeTake: `new ${shot.id}` })),
  );
  expect(await orders()).toBe(1);
  await change(board.shots.map((shot) => ({ ...shot, prompt: 'A lamp' })));
  expect(await orders()).toBe(2);
});
