import { expect, test, vi } from 'vitest';
import {
  ended,
  expectWhole,
  makeWorld,
  moved,
  type Opened,
  open,
  started,
  TEXTS,
  WAIT,
  type World,
} from '../../../../../test/helpers/moverHarness.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryLocation } from '../content/location.ts';

const CONTENTS = [...TEXTS, 'six', 'seven', 'eight', 'nine'];

/** A thread that says what it is asked for, and knows when nothing is under way. */
function watched(onAsk: (what: 'copy' | 'compare') => void = () => undefined) {
  const underWay = new Set<Promise<unknown>>();
  const asked: ('copy' | 'compare')[] = [];
  const follow = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const over = () => void underWay.delete(work);
    work.then(over, over);
    return work;
  };
  const ask = (what: 'copy' | 'compare') => {
    asked.push(what);
    onAsk(what);
  };
  class Watched extends FileThread {
    override list(folder: string) {
      return follow(super.list(folder));
    }
    override copy(from: string, to: string) {
      ask('copy');
      return follow(super.copy(from, to));
    }
    override hash(file: string) {
      ask('compare');
      return follow(super.hash(file));
    }
  }
  /** What is under way has ended, and all that could follow from it has begun. */
  const rest = async ({ clock }: World): Promise<void> => {
    do {
      await Promise.allSettled(underWay);
      await clock.advance(5_000);
    } while (underWay.size > 0);
  };
  return { asked, rest, thread: new Watched() };
}

/** A move that is paused as soon as its first file was asked for. */
async function pausedMove(world: World, phase: 'copy' | 'compare') {
  let opened: Opened | undefined;
  let isAsked = false;
  const thread = watched((what) => {
    if (what !== phase || isAsked) return;
    isAsked = true;
    expect(opened?.mover.pause(true)).toMatchObject({ ok: true });
  });
  opened = open(world, { thread: thread.thread });
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(opened.moves.at(-1)).toMatchObject({ paused: true }), WAIT);
  return { opened, id, thread };
}

test.each(['copy', 'compare'] as const)(
  'paused in the phase %s, a move begins no file more, and goes on',
  async (phase) => {
    const world = makeWorld(CONTENTS);
    const { opened, id, thread } = await pausedMove(world, phase);
    await thread.rest(world);
    // Those that were under way came to their end.
    expect(thread.asked.filter((one) => one === phase).length).toBeLessThanOrEqual(4);
    expect(opened.mover.get(id)).toMatchObject({ data: { state: 'running', phase, paused: true } });
    expect(opened.location.home).toBe(world.dataDir);
    expect(opened.mover.pause(false)).toMatchObject({ ok: true });
    const move = await ended(world, opened, id);
    expect(move).toMatchObject({ state: 'done' });
    expect(move).not.toHaveProperty('paused');
    await expectWhole(new LibraryLocation(world.dataDir), CONTENTS);
  },
);

test('a pause is kept by a restart, and the move goes on when it is told to', async () => {
  const world = makeWorld(CONTENTS);
  const { opened, id } = await pausedMove(world, 'copy');
  await opened.mover.close();
  const thread = watched();
  const again = open(world, { thread: thread.thread });
  again.mover.recover();
  await vi.waitFor(() => expect(again.moves.at(-1)).toMatchObject({ paused: true }), WAIT);
  await thread.rest(world);
  expect(thread.asked).toEqual([]);
  expect(again.mover.get(id)).toMatchObject({ data: { state: 'running', paused: true } });
  again.mover.pause(false);
  expect(await ended(world, again, id)).toMatchObject({ state: 'done' });
  await expectWhole(new LibraryLocation(world.dataDir), CONTENTS);
});

test('a paused move is stopped, and the next one is not paused', async () => {
  const world = makeWorld(CONTENTS);
  const { opened, id } = await pausedMove(world, 'copy');
  expect(await opened.mover.cancel(id)).toMatchObject({ data: { state: 'canceled' } });
  await expectWhole(new LibraryLocation(world.dataDir), CONTENTS);
  expect(opened.mover.pause(true)).toMatchObject({ error: { code: 'wrong_state' } });
  expect(opened.mover.pause(false)).toMatchObject({ error: { code: 'wrong_state' } });
  const next = open(world);
  expect(await moved(world, next)).toMatchObject({ state: 'done' });
});

test('what is past holding is not paused', async () => {
  const world = makeWorld(CONTENTS);
  const opened = open(world, { isReadSince: () => true });
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(opened.location.home).toBe(world.target), WAIT);
  expect(opened.mover.pause(true)).toMatchObject({ error: { message: expect.stringContaining('cannot be paused') } });
  expect(opened.mover.get(id)).not.toMatchObject({ data: { paused: true } });
  await opened.mover.close();
});
