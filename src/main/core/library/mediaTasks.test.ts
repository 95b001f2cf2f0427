import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/asset.ts';
import { createCoreEvents } from '../coreEvents.ts';
import { Library } from './library.ts';
import { LibraryPlace } from './place.ts';

async function libraryWithPicture() {
  const clock = new TestClock();
  const dataDir = tempDir('media-tasks');
  const store = openTestStore({ dataDir, clock });
  const derived: string[] = [];
  const emitted: string[] = [];
  const events = createCoreEvents();
  events.on('mediaTask.ended', (assetId) => void derived.push(assetId));
  const library = new Library({
    store,
    clock,
    ids: countingIds(),
    log: silentLog,
    place: new LibraryPlace(dataDir),
    emit: ({ type }) => void emitted.push(type),
    gatewayFor: async () => null,
    downloadsAtOnce: () => 1,
    events,
  });
  const asset = await library.upload({ name: 'a.png', body: Readable.from([testPng(8, 8)]) });
  if (!asset.ok) throw new Error(asset.error.message);
  return { clock, store, library, derived, emitted, assetId: asset.data.id };
}

test('a task that no page finishes is given up, and its waiting job is notified', async () => {
  const { clock, library, derived, assetId } = await libraryWithPicture();
  for (let page = 0; page < 3; page++) {
    expect(library.claimTask()?.assetId).toBe(assetId);
    await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
  }
  expect(derived).toEqual([]);
  expect(library.claimTask()).toBeNull();
  expect(derived).toEqual([assetId]);
});

/** Bug: a reload while a last frame is taken holds a chain of takes up for a minute. */
test('a task that a page gives back goes to the next at once, and only a page that died has had a try', async () => {
  const { library, assetId } = await libraryWithPicture();
  for (let page = 0; page < 5; page++) {
    const id = library.claimTask()?.id ?? '';
    expect(library.claimTask()).toBeNull();
    library.releaseTask(id, false);
  }
  for (let page = 0; page < 3; page++) library.releaseTask(library.claimTask()?.id ?? '', true);
  expect([library.claimTask(), assetId]).toEqual([null, assetId]);
});

test('a task is finished once: a page that comes late changes nothing', async () => {
  const { library, derived } = await libraryWithPicture();
  const id = library.claimTask()?.id ?? '';
  expect(library.finishTask(id, {}).ok).toBe(true);
  expect(library.finishTask(id, { error: 'too late' }).ok).toBe(true);
  expect(derived).toHaveLength(1);
});

/** Bug: another program holds the database, or the disk is full, in a moment that a timer has chosen, and the program ends. */
test('open work is announced also while nothing can be written', async () => {
  const { clock, store, library, emitted } = await libraryWithPicture();
  library.claimTask();
  store.transaction = () => {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  };
  const announced = () => emitted.splice(0).filter((type) => type === 'media.work');
  announced();
  await clock.advance(MEDIA_TASK_LIMIT_MS + 1);
  expect(announced()).toHaveLength(1);
  library.releaseClaims();
  library.announceWork();
  expect(announced()).toHaveLength(1);
});

/** Bug: a bundle that is opened gives the work of the page that is under way to another one. */
test('what a page has begun stays its own when more work is announced, and is open again at the next start', async () => {
  const { library, assetId } = await libraryWithPicture();
  library.claimTask();
  library.announceWork();
  expect(library.claimTask()).toBeNull();
  library.releaseClaims();
  expect(library.claimTask()?.assetId).toBe(assetId);
});
