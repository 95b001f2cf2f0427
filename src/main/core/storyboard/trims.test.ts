import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FILM, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Shot } from '../../../shared/board/board.ts';
import type { Trim } from '../../../shared/film/trim.ts';
import { databaseFile } from '../store/index.ts';

/** A trim is stored with the board, and the next shot is made from the visible end. */

const openStudio = studiosOfThisFile();
const clip = await framesOf({ frames: 96, rate: { num: 24, den: 1 } });
const follows = (joint: 'continue' | 'extend'): Partial<Shot> => ({
  ...{ joint, source: joint === 'extend' ? 'extend' : 'first', model: 'video-standard' },
  config: joint === 'extend' ? {} : { durationSeconds: 4 },
});

async function film(joint: 'continue' | 'extend' = 'continue') {
  const dataDir = makeFilmFolder([{ clip }, { shot: follows(joint) }]);
  const db = new Database(databaseFile(dataDir));
  db.exec('UPDATE assets SET seconds = 4');
  db.close();
  const { ask, studio } = await openStudio({ dataDir });
  await ask('queue.pause');
  const get = () => ask('storyboard.get', { projectId: FILM });
  const saved = async (...trims: Trim[]) => {
    const board = await get();
    const [first, ...others] = board.shots;
    return studio.call('storyboard.save', { ...board, shots: [{ ...first, trims }, ...others] });
  };
  const make = () => studio.call('storyboard.makeTake', { projectId: FILM, shotId: 's2' });
  const give = (taskId: string, seed: number) =>
    studio.media.upload({ name: 'frame.png', body: Readable.from([testPng(8, 8, seed)]), taskId });
  return { ask, saved, make, get, give };
}

const take = 'j1';

test('a trim is saved, undone and done again as one step with its name', async () => {
  const { ask, saved, get } = await film();
  const step = (direction: 'undo' | 'redo') => ask(`board.${direction}`, { projectId: FILM });
  await saved({ take, inMs: 1_000 });
  await saved({ take, inMs: 1_000, outMs: 2_000 });
  expect(await step('undo')).toMatchObject({ undone: 'Edit shot 1' });
  expect((await get()).shots[0]?.trims).toBeUndefined();
  await step('redo');
  expect((await get()).shots[0]?.trims).toEqual([{ take, inMs: 1_000, outMs: 2_000 }]);
});

test.each<[Trim, string, string]>([
  [{ take, inMs: 2_000, outMs: 2_050 }, 'outMs', 'must be at least 100 ms after the in point'],
  [{ take, outMs: 1.5 }, 'outMs', 'must be a whole number'],
  [{ take, outMs: 4_001 }, 'outMs', 'must be at most 4000, the length of the clip'],
])('%j is refused in one sentence', async (trim, point, rule) => {
  const { saved } = await film();
  const field = `shots.0.trims.0.${point}`;
  expect(await saved(trim)).toMatchObject({ ok: false, error: { message: `${field}: ${rule}`, data: { field } } });
});

test('the next shot starts from the frame before the out point, which is extracted once it is enqueued', async () => {
  const { ask, saved, make, give } = await film();
  await saved({ take, outMs: 1_500 });
  expect((await ask('media.claim')).task).toBeNull();
  const made = await make();
  expect(made).toMatchObject({
    ok: true,
    data: {
      job: { request: { image: { jobId: 'j1', frame: 'last', outMs: 1_500 } }, state: 'blocked', reason: 'dependency' },
    },
  });
  const { task } = await ask('media.claim');
  expect(task).toMatchObject({ assetId: 'a1', kind: 'lastFrame', outMs: 1_500 });
  const frame = await give(task?.id ?? '', 1);
  await ask('media.finish', { taskId: task?.id ?? '' });
  const { id = '', outMs } = frame.ok ? frame.data : {};
  expect(outMs).toBe(1_500);
  const { jobs } = await ask('jobs.list', {});
  const next = jobs.find(({ dependsOn }) => dependsOn.includes('j1'));
  await expect.poll(async () => (await ask('jobs.get', { id: next?.id ?? '' })).reason).toBe('paused');
  expect(await ask('library.get', { id: 'a1' })).toMatchObject({ outFrames: { 1500: id } });
  expect(await ask('library.get', { id: 'a1' })).not.toHaveProperty('lastFrameId');
});

test('each out point has a frame of its own, also where all look alike', async () => {
  const { ask, saved, make, give } = await film();
  for (const outMs of [1_500, 2_000]) {
    await saved({ take, outMs });
    await make();
    const { task } = await ask('media.claim');
    expect(task?.outMs).toBe(outMs);
    await give(task?.id ?? '', 7);
    await ask('media.finish', { taskId: task?.id ?? '' });
  }
  const { outFrames = {} } = await ask('library.get', { id: 'a1' });
  expect(new Set(Object.values(outFrames)).size).toBe(2);
});

test('where the frame cannot be taken, the take is not sent', async () => {
  const { ask, saved, make } = await film();
  await saved({ take, outMs: 1_500 });
  await make();
  const { task } = await ask('media.claim');
  await ask('media.finish', { taskId: task?.id ?? '', error: 'The clip has no frame.' });
  const ended = async () => (await ask('jobs.list', {})).jobs.find(({ dependsOn }) => dependsOn.includes('j1'));
  await expect.poll(async () => (await ended())?.state).toBe('failed');
  expect(await ended()).toMatchObject({
    money: { reservedNano: 0 },
    error: { message: expect.stringMatching(/The clip has no frame\..*Nothing was sent/) },
  });
});

test('nothing is requested that would extend the clip beyond its out point', async () => {
  const { ask, saved, make } = await film('extend');
  await saved({ take, outMs: 1_500 });
  expect(await make()).toMatchObject({ ok: false, error: { message: expect.stringContaining('out point') } });
  expect((await ask('jobs.list', {})).jobs.map(({ id }) => id)).toEqual(['j1']);
});
