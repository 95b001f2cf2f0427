import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import type { MediaMeasures } from '../../../shared/measures.ts';
import { createCoreEvents } from '../coreEvents.ts';
import { sql } from '../store/index.ts';
import { Library } from './library.ts';
import { LibraryPlace } from './place.ts';

const MEASURES: MediaMeasures = { seconds: 4 };

async function library() {
  const clock = new TestClock();
  const dataDir = tempDir('measures');
  const store = openTestStore({ dataDir, clock });
  const events: StudioEvent[] = [];
  const made = new Library({
    store,
    clock,
    ids: countingIds(),
    log: silentLog,
    place: new LibraryPlace(dataDir),
    emit: (event) => void events.push(event),
    gatewayFor: async () => null,
    downloadsAtOnce: () => 1,
    events: createCoreEvents(),
  });
  const add = async (name: string, bytes: Uint8Array) => {
    const asset = await made.upload({ name, body: Readable.from([bytes]) });
    if (!asset.ok) throw new Error(asset.error.message);
    return asset.data;
  };
  /** Does the tasks that come before measuring, and returns the next one that measures. */
  const claimMeasure = () => {
    for (let task = made.mediaWork.claim(); task; task = made.mediaWork.claim()) {
      if (task.kind === 'measure') return task;
      void made.mediaWork.finish(task.id, {});
    }
    return undefined;
  };
  return { library: made, store, events, add, claimMeasure };
}

test('a file is measured once, when it is asked for, whatever it is called', async () => {
  const { library: made, events, add, claimMeasure } = await library();
  const clip = await clipOf({ seconds: 1 });
  const { sha256 } = await add('a.mp4', clip);
  await add('the same.mp4', clip);
  expect(claimMeasure()).toBeUndefined();
  expect(made.measures([sha256])).toEqual({ [sha256]: { state: 'waiting' } });
  expect(made.measures([sha256])).toEqual({ [sha256]: { state: 'waiting' } });
  const task = claimMeasure();
  expect(claimMeasure()).toBeUndefined();
  expect((await made.mediaWork.finish(task?.id ?? '', { measures: MEASURES })).ok).toBe(true);
  expect(events).toContainEqual({ type: 'media.measured', sha256 });
  expect(made.measures([sha256])).toEqual({ [sha256]: { state: 'measured', measures: MEASURES } });
  expect(claimMeasure()).toBeUndefined();
});

test('what was measured in another way is measured again', async () => {
  const { library: made, store, add, claimMeasure } = await library();
  const { sha256 } = await add('a.mp4', await clipOf({ seconds: 1 }));
  made.measures([sha256]);
  await made.mediaWork.finish(claimMeasure()?.id ?? '', { measures: MEASURES });
  store.transaction((db) => db.run(sql('test.older', 'UPDATE media_measures SET method = method - 1'), {}));
  expect(made.measures([sha256])).toEqual({ [sha256]: { state: 'waiting' } });
  await made.mediaWork.finish(claimMeasure()?.id ?? '', { measures: { seconds: 5 } });
  expect(made.measures([sha256])).toEqual({ [sha256]: { state: 'measured', measures: { seconds: 5 } } });
});

test('a file that cannot be measured says why, and is not tried for ever', async () => {
  const { library: made, add, claimMeasure } = await library();
  const { sha256 } = await add('a.mp4', await clipOf({ seconds: 1 }));
  made.measures([sha256]);
  await made.mediaWork.finish(claimMeasure()?.id ?? '', { error: 'Clips coded as hevc cannot be decoded here.' });
  const failed = { state: 'failed', message: 'Clips coded as hevc cannot be decoded here.' };
  expect(made.measures([sha256])).toEqual({ [sha256]: failed });
  expect(claimMeasure()).toBeUndefined();
});

test('a page that reports no measures has measured nothing', async () => {
  const { library: made, add, claimMeasure } = await library();
  const { sha256 } = await add('a.mp4', await clipOf({ seconds: 1 }));
  made.measures([sha256]);
  await made.mediaWork.finish(claimMeasure()?.id ?? '', {});
  expect(made.measures([sha256])[sha256]).toMatchObject({ state: 'failed' });
});

test('a picture is measured as a clip of one frame; what is not on this disk is missing', async () => {
  const { library: made, add, claimMeasure } = await library();
  const picture = await add('a.png', testPng(8, 8));
  const unknown = createHash('sha256').update('elsewhere').digest('hex');
  expect(made.measures([picture.sha256, unknown])).toEqual({
    [picture.sha256]: { state: 'waiting' },
    [unknown]: { state: 'missing' },
  });
  expect(claimMeasure()).toMatchObject({ assetId: picture.id, mime: 'image/png' });
});

test('a measuring task takes no upload', async () => {
  const { library: made, add, claimMeasure } = await library();
  const { sha256 } = await add('a.mp4', await clipOf({ seconds: 1 }));
  made.measures([sha256]);
  const upload = { name: 'x.png', body: Readable.from([testPng(8, 8)]), taskId: claimMeasure()?.id ?? '' };
  expect(await made.upload(upload)).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
