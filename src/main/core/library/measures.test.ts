import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { libraryIn } from '../../../../test/helpers/libraryHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { MediaMeasures } from '../../../shared/film/measures.ts';
import { sql } from '../store/index.ts';

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
