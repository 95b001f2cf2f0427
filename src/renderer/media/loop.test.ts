import { expect, test } from 'vitest';
import type { MediaTask } from '../../shared/library/asset.ts';
import { type MediaStudio, mediaLoop, Unstored } from './loop.ts';

/** A studio with a list of tasks that several loops may claim from. */
function studioWith(tasks: MediaTask[]) {
  const done: { taskId: string; error: string | undefined; later?: string }[] = [];
  const uploads: string[] = [];
  const studio: MediaStudio = {
    claim: async () => tasks.shift() ?? null,
    bytes: async (id) => {
      if (id === 'gone') throw new Error('The file is not served (status 404).');
      return new Blob(['bytes']);
    },
    upload: async (_, name, taskId) => {
      if (name.startsWith('full')) throw new Unstored('The disk is full.');
      uploads.push(`${taskId} ${name}`);
    },
    finish: async (taskId, { error, later }) => {
      done.push({ taskId, error, ...(later ? { later } : {}) });
    },
  };
  return { studio, done, uploads };
}

const task = (id: string, assetId: string, kind: MediaTask['kind'] = 'thumbnail'): MediaTask => ({
  id,
  assetId,
  kind,
  name: `${assetId}.mp4`,
  mime: 'video/mp4',
});
const png = async () => ({ picture: new Blob(['x'], { type: 'image/png' }) });

test('a bad file ends its own task with its sentence; what cannot be read or stored is put off, and the next ones are done', async () => {
  const { studio, done, uploads } = studioWith([
    task('1', 'a'),
    task('2', 'gone'),
    task('3', 'bad'),
    task('4', 'b', 'lastFrame'),
    task('5', 'full', 'lastFrame'),
  ]);
  const loop = mediaLoop(studio, async ({ assetId }) => {
    if (assetId === 'bad') throw new Error('The picture cannot be decoded.');
    return png();
  });
  await loop.wake();
  expect(done).toEqual([
    { taskId: '1', error: undefined },
    { taskId: '2', error: undefined, later: 'unread' },
    { taskId: '3', error: 'The picture cannot be decoded.' },
    { taskId: '4', error: undefined },
    { taskId: '5', error: undefined, later: 'unstored' },
  ]);
  expect(uploads).toEqual(['1 a-thumbnail.png', '4 b-last-frame.png']);
});

test('woken while it works, it looks again at the end and never works on two tasks at once', async () => {
  const tasks = [task('1', 'a')];
  const { studio, done } = studioWith(tasks);
  let working = 0;
  let most = 0;
  const loop = mediaLoop(studio, async () => {
    most = Math.max(most, ++working);
    if (done.length === 0) {
      const claim = studio.claim;
      studio.claim = async () => {
        studio.claim = claim;
        tasks.push(task('2', 'b'));
        return null;
      };
      void loop.wake();
      void loop.wake();
    }
    working--;
    return png();
  });
  await loop.wake();
  expect(done.map(({ taskId }) => taskId)).toEqual(['1', '2']);
  expect(most).toBe(1);
});

test('a studio that does not answer ends the round without an error; the next wake goes on', async () => {
  const { studio, done } = studioWith([task('1', 'a')]);
  const claim = studio.claim;
  studio.claim = async () => undefined;
  const loop = mediaLoop(studio, png);
  await loop.wake();
  expect(done).toEqual([]);
  studio.claim = claim;
  await loop.wake();
  expect(done).toHaveLength(1);
});

test('an error sentence fits the contract', async () => {
  const { studio, done } = studioWith([task('1', 'a')]);
  await mediaLoop(studio, () => Promise.reject(new Error('x'.repeat(5_000)))).wake();
  expect(done[0]?.error).toHaveLength(1_000);
});
