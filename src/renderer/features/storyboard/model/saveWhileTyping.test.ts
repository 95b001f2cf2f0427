import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Board, boardSchema } from '../../../../shared/board/board.ts';
import { ok } from '../../../../shared/contract/result.ts';
import { patchShot } from './shots.ts';
import { type BoardPort, BoardSync } from './sync.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A board of one shot, and its saved prompts. Uses the page's delay: 400 ms after the last edit. */
async function opened(): Promise<{ sync: BoardSync; saved: string[] }> {
  let board: Board = boardSchema.parse({ projectId: 'p', revision: 1, shots: [{ id: 'a', model: 'm', config: {} }] });
  const saved: string[] = [];
  const port: Partial<BoardPort> = {
    get: async () => ok(board),
    save: async (next) => {
      board = { ...next, revision: board.revision + 1 };
      saved.push(next.shots[0]?.prompt ?? '');
      return ok(board);
    },
    connection: () => 1,
    kept: { read: () => undefined, write: () => {} },
    later: (run) => {
      const timer = setTimeout(run, 400);
      return () => clearTimeout(timer);
    },
  };
  const sync = new BoardSync(port as BoardPort);
  await sync.load();
  return { sync, saved };
}

async function typing(everyMs: number, forMs: number): Promise<string[]> {
  const { sync, saved } = await opened();
  for (let at = everyMs; at <= forMs; at += everyMs) {
    sync.type(patchShot('a', { prompt: `at ${at}` }));
    await vi.advanceTimersByTimeAsync(everyMs);
  }
  return saved;
}

it('what is typed without a pause is saved at least every 2 seconds', async () => {
  const saved = await typing(100, 10_000);
  expect(saved.length).toBeGreaterThanOrEqual(5);
  expect(saved.length).toBeLessThanOrEqual(10);
  expect((await typing(390, 2_000)).length).toBe(1);
});

it('what is typed with pauses is saved in them', async () => {
  expect(await typing(500, 1_000)).toEqual(['at 500', 'at 1000']);
});

it('the field hears of each key, the rest of the page of the pause, or that the field is left', async () => {
  const { sync } = await opened();
  const [field, page] = [vi.fn(), vi.fn()];
  sync.subscribeToTyping(field);
  sync.subscribe(page);
  for (const prompt of ['a', 'ab', 'abc']) sync.type(patchShot('a', { prompt }));
  expect([field.mock.calls.length, page.mock.calls.length]).toEqual([3, 0]);
  expect(sync.state()).toMatchObject({ board: { shots: [{ prompt: 'abc' }] }, unsaved: 3 });
  await vi.advanceTimersByTimeAsync(200);
  expect(page).toHaveBeenCalledTimes(1);
  sync.endTyping();
  expect(page).toHaveBeenCalledTimes(1);
  sync.type(patchShot('a', { prompt: 'abcd' }));
  sync.endTyping();
  expect(page).toHaveBeenCalledTimes(2);
});

it('what breaks a rule is not saved while it is still typed', async () => {
  const { sync, saved } = await opened();
  sync.type(patchShot('a', { prompt: 'x'.repeat(100_001) }));
  expect(await sync.whyUnsaved(() => true)).toMatchObject({ code: 'invalid_input' });
  expect([saved, sync.state().refused.length]).toEqual([[], 1]);
});
