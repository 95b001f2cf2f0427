import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { libraryIn } from '../../../../test/helpers/libraryHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { MediaMeasures } from '../../../shared/film/measures.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { sql } from '../store/index.ts';

async function libraryWithPicture() {
  const one = libraryIn();
  const { id: assetId } = await one.add('a.png', testPng(8, 8));
  return { ...one, assetId };
}

test('a task that no page finishes is given up, and its waiting job is notified', async () => {
  const { clock, mediaWork, derived, assetId } = await libraryWithPicture();
  for (let page = 0; page < 3; page++) {
    expect(mediaWork.claim()?.assetId).toBe(assetId);
    await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
  }
  expect(derived).toEqual([]);
  expect(mediaWork.claim()).toBeNull();
  expect(derived).toEqual([assetId]);
});

test('a task that a page gives back goes to the next at once, and only a page that died has had a try', async () => {
  const { mediaWork, assetId } = await libraryWithPicture();
  for (let page = 0; page < 5; page++) {
    const id = mediaWork.claim()?.id ?? '';
    expect(mediaWork.claim()).toBeNull();
    mediaWork.release(id, false);
  }
  for (let page = 0; page < 3; page++) mediaWork.release(mediaWork.claim()?.id ?? '', true);
  expect([mediaWork.claim(), assetId]).toEqual([null, assetId]);
});

test('a task is finished once: a page that comes late changes nothing', async () => {
  const { mediaWork, derived } = await libraryWithPicture();
  const id = mediaWork.claim()?.id ?? '';
  expect((await mediaWork.finish(id, {})).ok).toBe(true);
  expect((await mediaWork.finish(id, { error: 'too late' })).ok).toBe(true);
  expect(derived).toHaveLength(1);
});

test('what a task has uploaded before an end is not there twice once the task is given out again', async () => {
  const { library, mediaWork, assetId } = await libraryWithPicture();
  const upload = async (bytes: Buffer) => {
    const taskId = mediaWork.claim()?.id ?? '';
    const made = await library.upload({ name: 'thumbnail.png', body: Readable.from([bytes]), taskId });
    return { taskId, id: made.ok ? made.data.id : made.error.message };
  };
  const before = await upload(testPng(4, 4));
  mediaWork.reopen();
  const after = await upload(testPng(4, 4));
  expect(after).toEqual(before);
  expect((await mediaWork.finish(after.taskId, {})).ok).toBe(true);
  expect(library.get(assetId)).toMatchObject({ data: { thumbnailId: before.id } });
  // The user's own may have the same content.
  const own = () => library.upload({ name: 'b.png', body: Readable.from([testPng(4, 4)]), parentId: assetId });
  const [one, other] = [await own(), await own()];
  expect(one.ok && other.ok && new Set([one.data.id, other.data.id, before.id]).size).toBe(3);
});

test('open work is announced also while nothing can be written', async () => {
  const { clock, store, mediaWork, events } = await libraryWithPicture();
  mediaWork.claim();
  store.transaction = () => {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  };
  const announced = () => events.splice(0).filter(({ type }) => type === 'media.work');
  announced();
  await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
  expect(announced()).toHaveLength(1);
  mediaWork.reopen();
  mediaWork.announce();
  expect(announced()).toHaveLength(1);
});

test('what a page has begun stays its own when more work is announced, and is open again at the next start', async () => {
  const { mediaWork, assetId } = await libraryWithPicture();
  mediaWork.claim();
  mediaWork.announce();
  expect(mediaWork.claim()).toBeNull();
  mediaWork.reopen();
  expect(mediaWork.claim()?.assetId).toBe(assetId);
});

test('what could not be read or stored is given out again after a while, and ends where its file is gone', async () => {
  const { clock, library, mediaWork, derived, events, assetId } = await libraryWithPicture();
  for (let time = 0; time < 5; time++) {
    expect((await mediaWork.finish(mediaWork.claim()?.id ?? '', { later: 'unstored' })).ok).toBe(true);
    expect(mediaWork.claim()).toBeNull();
    events.length = 0;
    await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
    expect(events).toContainEqual({ type: 'media.work' });
  }
  const id = mediaWork.claim()?.id ?? '';
  await mediaWork.finish(id, { later: 'unread' });
  expect(mediaWork.claim()).toBeNull();
  await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
  expect([mediaWork.claim()?.id, derived]).toEqual([id, []]);
  const file = library.open(assetId);
  if (file.ok) fs.rmSync(file.data.path);
  await mediaWork.finish(id, { later: 'unread' });
  expect([mediaWork.claim(), derived]).toEqual([null, [assetId]]);
});

test('what failed for want of its file is open again at the next start, and what a decoder refused is not', async () => {
  const { store, library, mediaWork, assetId } = await libraryWithPicture();
  const file = library.open(assetId);
  const bytes = file.ok ? fs.readFileSync(file.data.path) : Buffer.of();
  if (file.ok) fs.rmSync(file.data.path);
  await mediaWork.finish(mediaWork.claim()?.id ?? '', { later: 'unread' });
  if (file.ok) fs.writeFileSync(file.data.path, bytes);
  mediaWork.reopen();
  const again = mediaWork.claim();
  expect(again?.assetId).toBe(assetId);
  await mediaWork.finish(again?.id ?? '', { error: 'The picture cannot be decoded.' });
  mediaWork.reopen();
  expect(mediaWork.claim()).toBeNull();
  store.transaction((db) => mediaWork.plan(db, { id: assetId, mime: 'image/png', role: 'source' }));
  expect(mediaWork.claim()?.assetId).toBe(assetId);
});

const MEASURES: MediaMeasures = { seconds: 4 };

/** A library with a clip; `measured` is what is known of it, and asks for it where nothing is. */
async function withClip() {
  const one = libraryIn();
  const { library, mediaWork, add } = one;
  const clip = await clipOf({ seconds: 1 });
  const { sha256 } = await add('a.mp4', clip);
  /** Does the tasks that come before measuring, and returns the next one that measures. */
  const claimMeasure = () => {
    for (let task = mediaWork.claim(); task; task = mediaWork.claim()) {
      if (task.kind === 'measure') return task;
      void mediaWork.finish(task.id, {});
    }
    return undefined;
  };
  const finish = (outcome: object) => mediaWork.finish(claimMeasure()?.id ?? '', outcome);
  return { ...one, clip, sha256, claimMeasure, finish, measured: () => library.measures([sha256])[sha256] };
}

test('a file is measured once, when it is asked for, whatever it is called', async () => {
  const { events, add, clip, sha256, claimMeasure, measured, mediaWork } = await withClip();
  await add('the same.mp4', clip);
  expect(claimMeasure()).toBeUndefined();
  expect([measured(), measured()]).toEqual([{ state: 'waiting' }, { state: 'waiting' }]);
  const task = claimMeasure();
  expect(claimMeasure()).toBeUndefined();
  expect((await mediaWork.finish(task?.id ?? '', { measures: MEASURES })).ok).toBe(true);
  expect(events).toContainEqual({ type: 'media.measured', sha256 });
  expect(measured()).toEqual({ state: 'measured', measures: MEASURES });
  expect(claimMeasure()).toBeUndefined();
});

test('what was measured in another way is measured again', async () => {
  const { store, measured, finish } = await withClip();
  measured();
  await finish({ measures: MEASURES });
  store.transaction((db) => db.run(sql('test.older', 'UPDATE media_measures SET method = method - 1'), {}));
  expect(measured()).toEqual({ state: 'waiting' });
  await finish({ measures: { seconds: 5 } });
  expect(measured()).toEqual({ state: 'measured', measures: { seconds: 5 } });
});

test.each([
  ['says why', { error: 'Clips coded as hevc cannot be decoded here.' }, /^Clips coded as hevc/],
  ['reports nothing', {}, /./],
])('a file of which a page %s is not measured, and not tried for ever', async (_, outcome, message) => {
  const { measured, finish, claimMeasure } = await withClip();
  measured();
  await finish(outcome);
  expect(measured()).toEqual({ state: 'failed', message: expect.stringMatching(message) });
  expect(claimMeasure()).toBeUndefined();
});

test('a picture is measured as a clip of one frame; what is not on this disk is missing', async () => {
  const { library, add, claimMeasure } = await withClip();
  const picture = await add('a.png', testPng(8, 8));
  const unknown = createHash('sha256').update('elsewhere').digest('hex');
  expect(library.measures([picture.sha256, unknown])).toEqual({
    [picture.sha256]: { state: 'waiting' },
    [unknown]: { state: 'missing' },
  });
  expect(claimMeasure()).toMatchObject({ assetId: picture.id, mime: 'image/png' });
});

test('a measuring task takes no upload', async () => {
  const { library, measured, claimMeasure } = await withClip();
  measured();
  const upload = { name: 'x.png', body: Readable.from([testPng(8, 8)]), taskId: claimMeasure()?.id ?? '' };
  expect(await library.upload(upload)).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
