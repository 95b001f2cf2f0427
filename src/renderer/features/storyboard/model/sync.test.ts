import { expect, test } from 'vitest';
import { type Board, boardSchema, type Shot } from '../../../../shared/board/board.ts';
import { fail, ok, parseInput } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { notSavedText } from './pending.ts';
import { emptyShot, insertAfter, patchShot, removeShot, setReference } from './shots.ts';
import { type BoardPort, BoardSync, type ShotOrder, type UndoDirection } from './sync.ts';

/** The studio, with its rule: a save names the revision it was made from. */
class Studio implements BoardPort {
  board: Board = { projectId: 'p', revision: 0, shots: [emptyShot('a', 'm')] };
  saves = 0;
  timers: (() => void)[] = [];
  down = false;
  /** Whether answers to saves are lost. */
  mute = false;
  secret = 'the-secret-key';
  text: string | undefined;
  kept = {
    read: () => this.text,
    write: (text: string | undefined) => {
      this.text = text;
    },
  };

  async get() {
    return this.down ? fail('unreachable', 'Dailies does not answer.') : ok(this.board);
  }
  async save(board: Board) {
    this.saves++;
    if (this.down) return fail('unreachable', 'Dailies does not answer.');
    if (board.revision !== this.board.revision) return fail('conflict', 'The board has a newer revision.');
    const parsed = parseInput(boardSchema, board);
    if (!parsed.ok) return parsed;
    const held = board.shots.findIndex(({ prompt }) => prompt.includes(this.secret));
    const field = `shots.${held}.prompt`;
    if (held >= 0) return fail('invalid_input', `${field}: contains one of your API keys.`, { field, isSecret: true });
    this.board = { ...board, revision: board.revision + 1 };
    return this.mute ? fail('unreachable', 'The answer was lost.') : ok(this.board);
  }
  /** What each take was made from. */
  contents: string[] = [];
  async makeTake(shotId: string, order: Partial<ShotOrder> = {}, content = '') {
    this.contents.push(content);
    const shots = this.board.shots.map(
      (shot): Shot => (shot.id === shotId ? { ...shot, ...order.start, takes: [...shot.takes, 'job'] } : shot),
    );
    this.board = { ...this.board, shots, revision: this.board.revision + 1 };
    return ok({ job: { id: 'job' } as Job, board: this.board });
  }
  async promoteTake({ shotId }: { shotId: string }) {
    return this.makeTake(shotId);
  }
  async makeTakes(shotIds: string[]) {
    const shots = this.board.shots.map(
      (shot): Shot => (shotIds.includes(shot.id) ? { ...shot, takes: [...shot.takes, `job of ${shot.prompt}`] } : shot),
    );
    this.board = { ...this.board, shots, revision: this.board.revision + 1 };
    return ok({ jobs: shotIds.map((id) => ({ id }) as Job), board: this.board });
  }
  async step(way: UndoDirection) {
    const back = this.board.shots.map((shot): Shot => ({ ...shot, title: way }));
    this.board = { ...this.board, shots: back, revision: this.board.revision + 1 };
    return ok({ board: this.board, undone: 'changed', canUndo: false, canRedo: true });
  }
  lives = 0;
  connection() {
    return this.lives;
  }
  later(run: () => void) {
    this.timers.push(run);
    return () => {
      this.timers = this.timers.filter((timer) => timer !== run);
    };
  }
  /** Somebody else saves. */
  change(edit: (shots: readonly Shot[]) => Shot[]) {
    this.board = { ...this.board, shots: edit(this.board.shots), revision: this.board.revision + 1 };
  }
}

async function opened() {
  const studio = new Studio();
  const sync = new BoardSync(studio);
  await sync.load();
  return { studio, sync };
}

test('an edit shows at once, and typing is one save', async () => {
  const { studio, sync } = await opened();
  for (const prompt of ['s', 'se', 'sea']) sync.edit(patchShot('a', { prompt }));
  expect(sync.state().board?.shots[0]?.prompt).toBe('sea');
  expect(studio.timers).toHaveLength(1);
  await sync.flush();
  expect(studio.saves).toBe(1);
  expect(studio.board.shots[0]?.prompt).toBe('sea');
  expect(sync.state()).toMatchObject({ unsaved: 0, error: undefined });
});

test('an edit of a shot that somebody else removed does not bring it back', async () => {
  const { studio, sync } = await opened();
  studio.change(removeShot('a'));
  sync.edit(patchShot('a', { prompt: 'late' }));
  await sync.flush();
  expect(studio.board.shots).toEqual([]);
});

test.each([false, true])(
  'what was saved without an answer is not made again (others changed it: %s)',
  async (isChanged) => {
    const { studio, sync } = await opened();
    const put = (was: MediaRef | undefined, ref: MediaRef) => {
      const seen = sync.state().board?.shots[0] as Shot;
      sync.edit(setReference(seen, { index: 0, was }, ref));
    };
    const [a, b, c] = ['a', 'b', 'c'].map((assetId) => ({ assetId })) as [MediaRef, MediaRef, MediaRef];
    put(undefined, a);
    put(a, b);
    studio.mute = true;
    expect(await sync.flush()).toBe(false);
    expect(studio.board.shots[0]?.referenceImages).toEqual([b]);
    studio.mute = false;
    if (isChanged) studio.change(patchShot('a', { prompt: 'theirs' }));
    put(b, c);
    expect(await sync.flush()).toBe(true);
    expect(studio.board.shots[0]).toMatchObject({ referenceImages: [c], prompt: isChanged ? 'theirs' : '' });
  },
);

test('a take is made of what is shown: unsaved words are saved first, and where they cannot be nothing is made', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: 'sea' }));
  expect(await sync.makeTake('a', { shown: undefined })).toMatchObject({ ok: true, data: { id: 'job' } });
  expect(sync.state().board?.shots[0]).toMatchObject({ prompt: 'sea', takes: ['job'] });

  sync.edit(patchShot('a', { prompt: 'storm' }));
  studio.down = true;
  expect(await sync.makeTake('a', { shown: undefined })).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  expect(studio.board.shots[0]?.takes).toEqual(['job']);
});

test('a take that was ordered with another start is made of the same, before and after it has come', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { source: 'first', image: { assetId: 'old' } }));
  const image = { jobId: 'before', frame: 'last' } as const;
  const start = { source: 'first', joint: 'continue', model: 'm', image } as const;
  await sync.makeTake('a', { shown: undefined, start });
  await sync.makeTake('a', { shown: undefined, start });
  await sync.makeTake('a', { shown: undefined });
  sync.edit(patchShot('a', { prompt: 'storm' }));
  await sync.makeTake('a', { shown: undefined, start });
  const [first, again, plain, other] = studio.contents;
  expect([again, plain]).toEqual([first, first]);
  expect(first).toContain('before');
  expect(other).not.toBe(first);
});

test('a newer board is read when it is announced, with what is unsaved on top; an older announcement reads nothing', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { title: 'mine' }));
  studio.change(patchShot('a', { prompt: 'theirs' }));
  await sync.changedTo(1);
  expect(sync.state().board?.shots[0]).toMatchObject({ prompt: 'theirs', title: 'mine' });
  studio.down = true;
  await sync.changedTo(1);
  expect(sync.state().error).toBeUndefined();
});

test('a studio that was lost and came back with an older board, put back from a backup, is believed', async () => {
  const { studio, sync } = await opened();
  const old = studio.board;
  studio.change(patchShot('a', { prompt: 'lost with the backup' }));
  await sync.changedTo(1);
  studio.board = old;
  studio.lives++;
  await sync.load();
  expect(sync.state().board).toEqual(old);
  sync.edit(patchShot('a', { prompt: 'on' }));
  expect(await sync.flush()).toBe(true);
});

test('edits of several fields are several saves, since each save is a step that can be undone', async () => {
  const { studio, sync } = await opened();
  for (const prompt of ['s', 'se']) sync.edit(patchShot('a', { prompt }));
  sync.edit(patchShot('a', { title: 'Sea' }));
  sync.edit(insertAfter(emptyShot('b', 'm'), 'a'));
  sync.edit(patchShot('b', { prompt: 'land' }));
  expect(await sync.flush()).toBe(true);
  expect(studio.saves).toBe(4);
  expect(studio.board.shots).toMatchObject([{ prompt: 'se', title: 'Sea' }, { prompt: 'land' }]);
});

test('a step back is made of what is shown: what is not written yet is written first', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: 'mine' }));
  expect(await sync.step('undo')).toMatchObject({ ok: true, data: { undone: 'changed' } });
  expect(studio.saves).toBe(1);
  expect(sync.state().board?.shots[0]).toMatchObject({ prompt: 'mine', title: 'undo' });
  studio.down = true;
  sync.edit(patchShot('a', { prompt: 'later' }));
  expect(await sync.step('redo')).toMatchObject({ ok: false });
  expect(sync.state().board?.shots[0]).toMatchObject({ prompt: 'later', title: 'undo' });
});

const LONG = 'x'.repeat(100_001);
const TOO_LONG = 'Shot 1 is not saved. Prompt must have at most 100,000 characters.';

/** The shown reasons. */
const told = (sync: BoardSync): string[] => {
  const { board, refused } = sync.state();
  return board ? refused.map((refusal) => notSavedText(refusal, board)) : [];
};

test('an edit that breaks a rule is told, shown and not saved; later edits and undo go on', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: LONG }));
  expect(told(sync)).toEqual([TOO_LONG]);
  expect(sync.state()).toMatchObject({ unsaved: 0, board: { shots: [{ prompt: LONG }] } });
  sync.edit(patchShot('a', { title: 'later' }));
  sync.edit(insertAfter(emptyShot('b', 'm'), 'a'));
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots).toMatchObject([{ id: 'a', title: 'later', prompt: '' }, { id: 'b' }]);
  expect(sync.state().board?.shots[0]).toMatchObject({ title: 'later', prompt: LONG });
  expect(await sync.step('undo')).toMatchObject({ ok: true });
  expect(told(sync)).toEqual([TOO_LONG]);
});

test('a refused edit is fixed by another edit of the same field and then saved whole, or taken back', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: LONG }));
  sync.edit(patchShot('a', { title: 'between' }));
  sync.edit(patchShot('a', { prompt: 'short' }));
  expect(told(sync)).toEqual([]);
  await sync.flush();
  expect(studio.board.shots[0]).toMatchObject({ title: 'between', prompt: 'short' });
  sync.edit(patchShot('a', { prompt: LONG }));
  const [refusal] = sync.state().refused;
  if (refusal) sync.takeBack(refusal);
  expect(sync.state()).toMatchObject({ refused: [], board: { shots: [{ prompt: 'short' }] } });
});

test('typing on in what is too long is one refusal', async () => {
  const { sync } = await opened();
  for (const more of ['', 'y', 'yy']) sync.edit(patchShot('a', { prompt: LONG + more }));
  expect(sync.state().refused).toHaveLength(1);
  expect(sync.state().board?.shots[0]?.prompt).toBe(`${LONG}yy`);
});

test('an edit that the studio alone refuses stays aside, and is asked for again when what it is about has changed', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: `by ${studio.secret}` }));
  sync.edit(patchShot('a', { title: 'later' }));
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots[0]).toMatchObject({ title: 'later', prompt: '' });
  expect(told(sync)).toEqual(['Shot 1 is not saved. Prompt contains one of your API keys.']);
  const { saves } = studio;
  await sync.flush();
  expect(studio.saves).toBe(saves);
  studio.secret = 'another';
  await sync.retry();
  expect(studio.board.shots[0]?.prompt).toBe('by the-secret-key');
});

test('an edit refused for a fault in the saved board is saved by itself once that is fixed', async () => {
  const { studio, sync } = await opened();
  studio.change(patchShot('a', { prompt: 'by the-secret-key' }));
  studio.change(insertAfter(emptyShot('b', 'm'), 'a'));
  await sync.load();
  sync.edit(patchShot('b', { title: 'innocent' }));
  await sync.flush();
  expect(told(sync)).toEqual(['Shot 1 is not saved. Prompt contains one of your API keys.']);
  sync.edit(patchShot('a', { prompt: 'clean' }));
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots).toMatchObject([{ prompt: 'clean' }, { title: 'innocent' }]);
  expect(told(sync)).toEqual([]);
});

test('no take is made of a shot that is shown with what is not saved; one of another shot is', async () => {
  const { studio, sync } = await opened();
  studio.change(insertAfter(emptyShot('b', 'm'), 'a'));
  await sync.load();
  sync.edit(patchShot('a', { prompt: LONG }));
  expect(await sync.makeTake('a', { shown: undefined })).toMatchObject({ ok: false, error: { message: TOO_LONG } });
  expect(await sync.makeTakes(['a', 'b'], { shown: undefined }, '')).toMatchObject({ ok: false });
  expect(studio.board.shots.flatMap(({ takes }) => takes)).toEqual([]);
  expect(await sync.makeTake('b', { shown: undefined })).toMatchObject({ ok: true });
  expect(told(sync)).toEqual([TOO_LONG]);
});

test('what waits is there again after a reload of the page, saved where it can be; no key is kept in the window', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: LONG }));
  studio.down = true;
  sync.edit(insertAfter({ ...emptyShot('b', 'm'), title: 'new' }, 'a'));
  sync.edit(patchShot('b', { prompt: studio.secret }));
  await sync.flush();
  studio.down = false;
  const again = new BoardSync(studio);
  await again.load();
  expect(again.state().board?.shots).toMatchObject([{ prompt: LONG }, { title: 'new' }]);
  expect(told(again)).toEqual([TOO_LONG]);
  await again.flush();
  expect(studio.board.shots).toMatchObject([{ prompt: '' }, { id: 'b', title: 'new', prompt: '' }]);
  expect(told(again)).toHaveLength(2);
  expect(studio.text).toContain(LONG);
  expect(studio.text).not.toContain(studio.secret);
  again.edit(patchShot('a', { prompt: 'short' }));
  again.edit(patchShot('b', { prompt: 'clean' }));
  expect(told(again)).toEqual([]);
  await again.flush();
  expect(studio.board.shots).toMatchObject([{ prompt: 'short' }, { prompt: 'clean' }]);
});

test('an edit that was written while the page went is not made again', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { title: 'mine' }));
  sync.keep();
  const { text } = studio;
  expect(text).toContain('mine');
  await sync.flush();
  expect(studio.text).toBeUndefined();
  studio.text = text;
  const again = new BoardSync(studio);
  await again.load();
  expect(again.state()).toMatchObject({ unsaved: 0, refused: [] });
});

test('a board has at most 500 shots, and what is one too many is told', async () => {
  const { studio, sync } = await opened();
  studio.change((shots) => [...shots, ...Array.from({ length: 499 }, (_, n) => emptyShot(`n${n}`, 'm'))]);
  await sync.load();
  sync.edit(insertAfter(emptyShot('more', 'm'), 'a'));
  sync.edit(patchShot('more', { title: 'of it' }));
  expect(told(sync)).toEqual(['Not saved. Shots must be at most 500 shots.']);
  sync.edit(removeShot('n7'));
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots[1]).toMatchObject({ id: 'more', title: 'of it' });
});
