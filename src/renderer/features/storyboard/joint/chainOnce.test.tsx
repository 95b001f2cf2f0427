import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../../shared/profile.ts';
import { fail } from '../../../../shared/result.ts';
import { useEntities, useStudio } from '../../../app/index.ts';
import { acting, aJob, byText, click, fakeStudio, show, until } from '../../../testing/page.tsx';
import { useBoard } from '../useBoard.ts';
import { useChain } from './useChain.ts';

const profile = { id: 'p', name: 'Gateway', vendor: 'acme', omittedFields: [], models: DEFAULT_MODELS };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const limits = { contextTokens: 1_000 };
  useStudio.setState({ profiles: [{ ...profile, limits } as unknown as ProfileView], activeProfileId: 'p' });
  useEntities.setState({ jobs: new Map(), assets: new Map() });
});
afterEach(() => vi.useRealTimers());

function Order({ projectId }: { projectId: string }) {
  const board = useBoard(projectId);
  const chain = useChain(board, board.shots);
  return (
    <button type="button" disabled={chain.off !== undefined} onClick={() => void chain.send(false)}>
      Make {chain.shots.length}
    </button>
  );
}

const shots = [
  { id: 'a', prompt: 'A pier', model: 'video-standard', takes: ['old'], activeTake: 'old' },
  {
    id: 'b',
    prompt: 'A quay',
    model: 'video-standard',
    source: 'first',
    joint: 'continue',
    image: { jobId: 'old', frame: 'last' },
  },
];

/** What the studio makes of the board when the takes are ordered. */
const ordered = (board: Board): Board =>
  boardSchema.parse({
    ...board,
    revision: board.revision + 1,
    shots: board.shots.map((shot) => ({
      ...shot,
      takes: [...shot.takes, `new ${shot.id}`],
      activeTake: `new ${shot.id}`,
      ...(shot.id === 'b' ? { image: { jobId: 'new a', frame: 'last' } } : {}),
    })),
  });

it('pressed again after a lost answer, a chain is the same order, though its takes have come to the board', async () => {
  let board = boardSchema.parse({ projectId: 'chain-once', revision: 1, shots });
  const jobs = ['old', 'new a', 'new b'].map((id) => aJob({ id, state: id === 'old' ? 'succeeded' : 'queued' }));
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs, total: jobs.length }),
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'storyboard.makeTakes': () => fail('unreachable', 'The answer did not come.'),
    'storyboard.save': (input) => {
      board = boardSchema.parse({ ...input, revision: board.revision + 1 });
      return board;
    },
  });
  await show(<Order projectId={board.projectId} />);
  const button = () => byText('Make 2') as HTMLButtonElement;
  const pressAgain = async () => {
    await until(() => expect(button().disabled).toBe(false));
    await click(button());
    await acting(() => vi.advanceTimersByTimeAsync(30_000));
  };
  await pressAgain();
  const keys = () => new Set(studio.keysOf('storyboard.makeTakes'));
  expect(keys().size).toBe(1);
  board = ordered(board);
  const gets = studio.callsOf('storyboard.get').length;
  await studio.emit({ type: 'board.changed', projectId: board.projectId, revision: board.revision });
  await until(() => expect(studio.callsOf('storyboard.get').length).toBeGreaterThan(gets));
  await pressAgain();
  expect(keys().size).toBe(1);
  // Other words are another order.
  board = { ...board, revision: 9, shots: board.shots.map((shot) => ({ ...shot, prompt: 'A lamp' })) };
  await studio.emit({ type: 'board.changed', projectId: board.projectId, revision: board.revision });
  await pressAgain();
  expect(keys().size).toBe(2);
});
