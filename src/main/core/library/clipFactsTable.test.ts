import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { fullAfter } from '../../../../test/helpers/fullDisk.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { clipFactsOf } from './clipFactsTable.ts';

afterEach(() => vi.restoreAllMocks());

test('on a full disk a clip is looked into all the same, and its facts are kept later', async () => {
  const dataDir = tempDir('facts');
  const file = path.join(dataDir, 'clip.mp4');
  fs.writeFileSync(file, await clipOf({ seconds: 2 }));
  const store = openTestStore({ dataDir, clock: new TestClock() });
  const sha256 = 'a'.repeat(64);
  fullAfter(0);
  const facts = await clipFactsOf(store, sha256, file);
  expect(facts).toMatchObject({ video: expect.anything() });
  vi.restoreAllMocks();
  expect(await clipFactsOf(store, sha256, file)).toEqual(facts);
  fs.rmSync(file);
  expect(await clipFactsOf(store, sha256, file)).toEqual(facts);
  store.close();
});
