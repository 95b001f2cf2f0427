import fc from 'fast-check';
import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { type Board, type BoardStep, type RemovedShot, type Shot, takesOf } from '../../../shared/board/board.ts';
import type { CastMember } from '../../../shared/board/cast.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';

/**
 * A board under hundreds of random actions, with takes made, canceled and retried in between, and its project removed and restored: no take
 * is lost or in two places, every change has a greater revision, and undoing and redoing restores the board. `UNDO_RUNS` plays more of them.
 */

const RUNS = Number(process.env.UNDO_RUNS ?? 3);
const DEEDS = 200;

const openStudio = studiosOfThisFile();

const action = fc.record({
  kind: fc.constantFrom(
    ...(['title', 'title', 'seconds', 'add', 'remove', 'move', 'takeOut', 'activate', 'make', 'make'] as const),
    ...(['member', 'member', 'memberWords', 'memberOut', 'memberUp'] as const),
    ...(['cancel', 'again', 'undo', 'undo', 'redo', 'redo', 'putBack', 'project', 'old'] as const),
  ),
  n: fc.nat(60),
  to: fc.nat(60),
});

async function open() {
  const { studio, close } = await openStudio();
  const tried = (name: string, input: object) => studio.call(name, input) as Promise<Result<unknown>>;
  const ask = async <T>(name: string, input: object = {}): Promise<T> => {
    const answer = await tried(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
    return answer.data as T;
  };
  await ask('queue.pause');
  const { id: projectId } = await ask<{ id: string }>('projects.create', { name: 'Film' });
  return { ask, tried, close, projectId };
}

type Harness = Awaited<ReturnType<typeof open>>;

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
const changed = (shots: readonly Shot[], id: string, fields: Partial<Shot>): Shot[] =>
  shots.map((shot) => (shot.id === id ? { ...shot, ...fields } : shot));

/** No shot has the id of another, also not of one in the bin. */
let added = 0;

/** The shots after an edit, or undefined where there is nothing to edit. */
function edited(shots: Shot[], { kind, n, to }: { kind: string; n: number; to: number }): Shot[] | undefined {
  const shot = at(shots, n);
  if (kind === 'add') return [...shots, { id: `shot ${++added}`, prompt: 'A quay', model: 'video-standard' } as Shot];
  if (!shot) return undefined;
  const take = at(shot.takes, to);
  if (kind === 'title') return changed(shots, shot.id, { title: `Title ${to}` });
  if (kind === 'seconds') return changed(shots, shot.id, { config: { durationSeconds: to % 2 === 0 ? 4 : 8 } });
  if (kind === 'remove') return shots.filter(({ id }) => id !== shot.id);
  if (kind === 'move') return shots.toSpliced(shots.indexOf(shot), 1).toSpliced(to % shots.length, 0, shot);
  if (kind === 'activate') return take === undefined ? undefined : changed(shots, shot.id, { activeTake: take });
  if (kind === 'takeOut' && take !== undefined)
    return changed(shots, shot.id, {
      takes: shot.takes.filter((id) => id !== take),
      removedTakes: [...(shot.removedTakes ?? []), take],
      activeTake: shot.activeTake === take ? undefined : shot.activeTake,
    });
  return undefined;
}

/** The cast after an edit, or undefined where there is nothing to edit. */
function editedCast(cast: CastMember[], { kind, n, to }: { kind: string; n: number; to: number }) {
  const one = at(cast, n);
  if (kind === 'member') return [...cast, { id: `member ${++added}`, name: `Name ${added}` }];
  if (kind === 'memberWords' && one)
    return cast.map((member) => (member === one ? { ...member, words: `Words ${to}` } : member));
  if (kind === 'memberOut' && one) return cast.filter((member) => member !== one);
  if (kind === 'memberUp' && one) return cast.toSpliced(cast.indexOf(one), 1).toSpliced(to % cast.length, 0, one);
  return undefined;
}

async function act(harness: Harness, what: { kind: string; n: number; to: number }): Promise<void> {
  const { ask, tried, projectId } = harness;
  const { kind, n } = what;
  const board = await ask<Board>('storyboard.get', { projectId });
  const shots = edited(board.shots, what);
  if (shots) await ask('storyboard.save', { ...board, shots });
  const cast = editedCast(board.cast ?? [], what);
  if (cast) await ask('storyboard.save', { ...board, cast });
  // A page with an outdated board is refused, and loses nothing.
  if (kind === 'old')
    expect(await tried('storyboard.save', { ...board, revision: board.revision + 1, shots: [] })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
  const shotId = at(board.shots, n)?.id;
  if (kind === 'make' && shotId !== undefined) await ask('storyboard.makeTake', { projectId, shotId });
  const { jobs } = await ask<{ jobs: Job[] }>('jobs.list', { limit: 500 });
  const job = at(jobs, n);
  if (kind === 'cancel' && job?.state === 'blocked') await ask('jobs.cancel', { id: job.id });
  if (kind === 'again' && job?.state === 'canceled') await ask('jobs.retry', { id: job.id });
  if (kind === 'undo' || kind === 'redo') await stepped(harness, kind);
  const bin = await ask<{ shots: RemovedShot[] }>('board.bin', { projectId });
  const gone = at(bin.shots, n)?.shot.id;
  if (kind === 'putBack' && gone !== undefined) await ask('board.restore', { projectId, shotId: gone });
  if (kind !== 'project') return;
  await ask('projects.remove', { id: projectId });
  // What waits of it is still made, and made again.
  if (job?.state === 'canceled') await ask('jobs.retry', { id: job.id });
  await ask('projects.restore', { id: projectId });
}

/** A step says truly whether it did something. */
async function stepped({ ask, projectId }: Harness, direction: 'undo' | 'redo'): Promise<BoardStep> {
  const before = await ask<Board>('storyboard.get', { projectId });
  const step = await ask<BoardStep>(`board.${direction}`, { projectId });
  const words = direction === 'undo' ? step.undone : step.redone;
  expect(step.board.revision > before.revision).toBe(words !== undefined);
  if (words === undefined) expect(step.board.shots).toEqual(before.shots);
  return step;
}

/** Every take that was ever made is in exactly one shot, on the board or in the bin. */
async function nothingIsLost({ ask, projectId }: Harness): Promise<void> {
  const board = await ask<Board>('storyboard.get', { projectId });
  const bin = await ask<{ shots: RemovedShot[] }>('board.bin', { projectId });
  const { jobs, total } = await ask<{ jobs: Job[]; total: number }>('jobs.list', { limit: 500 });
  const named = [...board.shots, ...bin.shots.map(({ shot }) => shot)].flatMap(takesOf);
  expect(named.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
  expect(total).toBe(jobs.length);
  for (const shot of board.shots) if (shot.activeTake !== undefined) expect(takesOf(shot)).toContain(shot.activeTake);
  const ids = [...board.shots.map(({ id }) => id), ...bin.shots.map(({ shot }) => shot.id)];
  expect(new Set(ids).size).toBe(ids.length);
}

/** What a person sees of the board but for its takes, which no step takes away. */
const told = ({ shots }: Board) => shots.map(({ id, title, prompt, config }) => ({ id, title, prompt, config }));
const castOf = ({ cast }: Board) => cast ?? [];

async function allTheWay(harness: Harness, direction: 'undo' | 'redo'): Promise<Board> {
  for (let said: boolean | undefined; ; ) {
    const step = await stepped(harness, direction);
    const isDone = (direction === 'undo' ? step.undone : step.redone) !== undefined;
    // Whether there is another one was said with the one before.
    if (said !== undefined) expect(isDone).toBe(said);
    if (!isDone) return step.board;
    said = direction === 'undo' ? step.canUndo : step.canRedo;
  }
}

async function play(
  actions: readonly { kind: string; n: number; to: number }[],
): Promise<[before: Board, after: Board]> {
  const harness = await open();
  let revision = 0;
  for (const what of actions) {
    await act(harness, what);
    const board = await harness.ask<Board>('storyboard.get', { projectId: harness.projectId });
    expect(board.revision).toBeGreaterThanOrEqual(revision);
    revision = board.revision;
    await nothingIsLost(harness);
  }
  const end = await allTheWay(harness, 'redo');
  await allTheWay(harness, 'undo');
  await nothingIsLost(harness);
  const again = await allTheWay(harness, 'redo');
  await nothingIsLost(harness);
  await harness.close();
  return [end, again];
}

const options = { numRuns: RUNS, endOnFailure: true };
const hundreds = { minLength: DEEDS, maxLength: DEEDS };

test('no take is lost, and what was undone and done again has every shot as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, hundreds), async (actions) => {
      const [end, again] = await play(actions);
      // A shot that has got takes since stays, where another one would leave or move.
      expect(told(again)).toEqual(expect.arrayContaining(told(end)));
      expect(castOf(again)).toEqual(castOf(end));
    }),
    options,
  );
});

test('without takes, a board after undo and redo is exactly as before', async () => {
  const edit = action.filter(({ kind }) => !['make', 'again', 'cancel'].includes(kind));
  await fc.assert(
    fc.asyncProperty(fc.array(edit, hundreds), async (actions) => {
      const [end, again] = await play(actions);
      expect(told(again)).toEqual(told(end));
      expect(castOf(again)).toEqual(castOf(end));
    }),
    options,
  );
});
