import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** Projects: duplicates cost nothing, and the planned length is part of the board. */

const openStudio = studiosOfThisFile();

async function film() {
  const { ask, studio } = await openStudio();
  await ask('queue.pause');
  const { id } = await ask('projects.create', { name: 'Film' });
  await ask('film.addShots', { projectId: id, shots: [{ id: 'a', prompt: 'Sea', model: 'video-standard' }] });
  const boardOf = (projectId: string) => ask('storyboard.get', { projectId });
  return { ask, studio, id, boardOf };
}

test('a duplicate names the same takes; no job and no entry is made for it', async () => {
  const { ask, id, boardOf } = await film();
  const { job } = await ask('storyboard.makeTake', { projectId: id, shotId: 'a' });
  const before = [await ask('jobs.list', { limit: 10 }), await ask('ledger.totals', { groupBy: 'project' })];
  const copy = await ask('projects.duplicate', { id });
  expect(copy).toMatchObject({ name: 'Film copy' });
  expect((await boardOf(copy.id)).shots).toEqual((await boardOf(id)).shots);
  expect([await ask('jobs.list', { limit: 10 }), await ask('ledger.totals', { groupBy: 'project' })]).toEqual(before);
  expect((await ask('jobs.get', { id: job.id })).projectId).toBe(id);
});

test('each board goes its own way, and a take that is made again joins both', async () => {
  const { ask, id, boardOf } = await film();
  const { job } = await ask('storyboard.makeTake', { projectId: id, shotId: 'a' });
  const { id: copyId } = await ask('projects.duplicate', { id, name: 'Second' });
  await ask('jobs.cancel', { id: job.id });
  const again = await ask('jobs.retry', { id: job.id });
  for (const projectId of [id, copyId])
    expect((await boardOf(projectId)).shots[0]?.takes, projectId).toEqual(
      again.id === job.id ? [job.id] : [job.id, again.id],
    );
  const copy = await boardOf(copyId);
  await ask('storyboard.save', { ...copy, shots: [] });
  expect((await boardOf(id)).shots).toHaveLength(1);
  await ask('board.undo', { projectId: copyId });
  expect((await boardOf(copyId)).shots).toHaveLength(1);
});

test('removed takes and shots stay with the first, and a removed project is not duplicated', async () => {
  const { ask, studio, id, boardOf } = await film();
  const { board } = await ask('storyboard.makeTake', { projectId: id, shotId: 'a' });
  const [shot] = board.shots;
  if (!shot) throw new Error('no shot');
  await ask('storyboard.save', { ...board, shots: [{ ...shot, takes: [], activeTake: undefined }] });
  const { id: copyId } = await ask('projects.duplicate', { id });
  expect((await boardOf(id)).shots[0]?.removedTakes).toHaveLength(1);
  expect((await boardOf(copyId)).shots[0]?.removedTakes).toBeUndefined();
  await ask('projects.remove', { id });
  expect(await studio.call('projects.duplicate', { id })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('the planned length is kept with the board, is undone, and goes along with a duplicate', async () => {
  const { ask, id, boardOf } = await film();
  const board = await boardOf(id);
  await ask('storyboard.save', { ...board, plan: { seconds: 30 } });
  expect((await boardOf(id)).plan).toEqual({ seconds: 30 });
  expect((await boardOf((await ask('projects.duplicate', { id })).id)).plan).toEqual({ seconds: 30 });
  expect((await ask('board.steps', { projectId: id })).undo).toBe('Planned length');
  await ask('board.undo', { projectId: id });
  expect((await boardOf(id)).plan).toBeUndefined();
});

test('a board of an older version with NUL in its words is shown, and goes on being saved', async () => {
  const { id, boardOf } = await film();
  const { dataDir, close } = await openStudio();
  await close();
  const old = new Database(path.join(dataDir, 'dailies.db'));
  const shots = JSON.stringify([{ ...(await boardOf(id)).shots[0], prompt: 'sea\0shore' }]);
  old.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, 1)').run('old', 'Old');
  old.prepare("INSERT INTO boards (project_id, revision, shots, content) VALUES ('old', 1, ?, '{}')").run(shots);
  old.close();
  const again = await openStudio({ dataDir });
  const board = await again.ask('storyboard.get', { projectId: 'old' });
  expect(board.shots[0]?.prompt).toBe('sea\ufffdshore');
  const [shot] = board.shots;
  const saved = await again.ask('storyboard.save', { ...board, shots: shot ? [{ ...shot, title: 'Shore' }] : [] });
  expect(saved.shots[0]).toMatchObject({ title: 'Shore', prompt: 'sea\ufffdshore' });
});
