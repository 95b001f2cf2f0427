import { expect, test } from 'vitest';
import type { Board, Shot } from '../../../../shared/board.ts';
import type { Job } from '../../../../shared/job.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { emptyShot, insertAfter, patchShot, removeShot } from './shots.ts';
import { type BoardPort, BoardSync, type UndoDirection } from './sync.ts';

/** The studio's side, with its rule: a save names the revision it was made from. */
class Studio implements BoardPort {
  board: Board = { projectId: 'p', revision: 0, shots: [emptyShot('a', 'm')] };
  saves = 0;
  timers: (() => void)[] = [];
  down = false;

  async get() {
    return this.down ? fail('unreachable', 'The studio does not answer.') : ok(this.board);
  }
  async save(board: Board) {
    this.saves++;
    if (this.down) return fail('unreachable', 'The studio does not answer.');
    if (board.revision !== this.board.revision) return fail('conflict', 'The board has a newer revision.');
    this.board = { ...board, revision: board.revision + 1 };
    return ok(this.board);
  }
  async makeTake(shotId: string) {
    const shots = this.board.shots.map(
      (shot): Shot => (shot.id === shotId ? { ...shot, takes: [...shot.takes, 'job'] } : shot),
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

test('after a conflict both sides’ changes are there', async () => {
  const { studio, sync } = await opened();
  studio.change(insertAfter(emptyShot('theirs', 'm'), 'a'));
  sync.edit(patchShot('a', { prompt: 'mine' }));
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots.map(({ id, prompt }) => [id, prompt])).toEqual([
    ['a', 'mine'],
    ['theirs', ''],
  ]);
  expect(sync.state().board).toEqual(studio.board);
});

test('an edit of a shot that somebody else removed does not bring it back', async () => {
  const { studio, sync } = await opened();
  studio.change(removeShot('a'));
  sync.edit(patchShot('a', { prompt: 'late' }));
  await sync.flush();
  expect(studio.board.shots).toEqual([]);
});

test('while the studio is away edits are kept and told as unsaved; they are written when it is back', async () => {
  const { studio, sync } = await opened();
  studio.down = true;
  sync.edit(patchShot('a', { prompt: 'offline' }));
  expect(await sync.flush()).toBe(false);
  expect(sync.state()).toMatchObject({ unsaved: 1, error: { code: 'unreachable' } });
  expect(sync.state().board?.shots[0]?.prompt).toBe('offline');
  studio.down = false;
  expect(await sync.flush()).toBe(true);
  expect(studio.board.shots[0]?.prompt).toBe('offline');
});

test('an edit made while a save is under way is written after it', async () => {
  const { studio, sync } = await opened();
  sync.edit(patchShot('a', { prompt: 'one' }));
  const flushing = sync.flush();
  sync.edit(patchShot('a', { title: 'two' }));
  await flushing;
  expect(studio.board.shots[0]).toMatchObject({ prompt: 'one', title: 'two' });
  expect(studio.saves).toBe(2);
});

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

test('a board announced while the first one is being read is read again: the first may be older', async () => {
  const studio = new Studio();
  const sync = new BoardSync(studio);
  const old = studio.board;
  let answer = (_: Board) => {};
  studio.get = () =>
    new Promise((done) => {
      answer = (board) => done(ok(board));
    });
  const loading = sync.load();
  const answerFirst = answer;
  studio.change(patchShot('a', { prompt: 'theirs' }));
  const changing = sync.changedTo(studio.board.revision);
  await Promise.resolve();
  answer(studio.board);
  await changing;
  answerFirst(old);
  await loading;
  expect(sync.state().board?.shots[0]?.prompt).toBe('theirs');
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
