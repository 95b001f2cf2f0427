import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { settle, silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import type { LibraryCheck } from '../../../../shared/library/libraryFolder.ts';
import { type Store, writeFlag } from '../../store/index.ts';
import { insertAsset } from '../assetColumns.ts';
import { makeLocal, setStillLocal } from '../assetTable.ts';
import { LibraryLocation } from './location.ts';
import { Verifier } from './verifier.ts';

/** A last check that misses the file of `r`, which is being fetched again. */
function fetching() {
  const dataDir = tempDir('verifier');
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const disk = { isFull: false };
  const own: Store = {
    ...store,
    transaction: (work) => {
      if (disk.isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return store.transaction(work);
    },
  };
  const told: LibraryCheck[] = [];
  const emit = (event: { type: string; check?: LibraryCheck }) => void (event.check && told.push(event.check));
  const verifier = new Verifier({ store: own, clock, log: silentLog, location: new LibraryLocation(dataDir), emit });
  const faulty = [{ assetId: 'r', name: 'r', fault: 'missing', canFetch: true } as const];
  const sums = { at: 1, files: 3, bytes: 9, missing: 1, damaged: 0 };
  const check: LibraryCheck = { state: 'done', progress: 100, ...sums, faulty };
  store.transaction((db) => {
    writeFlag(db, 'library:check', JSON.stringify(check));
    insertAsset(db, { id: 'r', state: 'remote', role: 'output', name: 'r', createdAt: 0, remoteUri: 'http://a/b' });
  });
  verifier.fetchesAgain('r');
  const arrive = async () => {
    const file = { sha256: 'c'.repeat(64), bytes: 3, mime: 'image/png', extension: 'png', width: 1, height: 1 };
    expect(store.transaction((db) => makeLocal(db, 'r', file))).toBe(true);
    await settle();
  };
  const giveUp = async () => {
    disk.isFull = true;
    await arrive();
    disk.isFull = false;
    verifier.fetchesAgain('r');
    store.transaction((db) => setStillLocal(db, 'r', 'It could not be fetched again.'));
    await settle();
  };
  return { verifier, disk, told, arrive, giveUp, close: () => store.close() };
}

const LISTED = { missing: 1, faulty: [{ assetId: 'r' }] };

test.each<[string, object, object[], (one: ReturnType<typeof fetching>) => Promise<void>]>([
  ['fetched again is listed no longer', { missing: 0, faulty: [] }, [{ missing: 0 }], ({ arrive }) => arrive()],
  ['not fetched again is listed on', LISTED, [], ({ giveUp }) => giveUp()],
  [
    'fetched again, which cannot be written, is listed on',
    LISTED,
    [],
    ({ disk, arrive }) => {
      disk.isFull = true;
      return arrive();
    },
  ],
])('a file that is %s', async (_, check, announced, happens) => {
  const one = fetching();
  await happens(one);
  expect(one.verifier.check()).toMatchObject(check);
  expect(one.told).toMatchObject(announced);
  one.close();
});
