import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { TestClock } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { databaseFile } from './store/index.ts';

const openStudio = studiosOfThisFile();

test('a folder of an earlier version has the sizes of its pictures a minute after the start', async () => {
  const first = await openStudio();
  const put = await first.studio.media.upload({ name: 'a.png', body: Readable.from([testPng(3, 2)]) });
  if (!put.ok) throw new Error(put.error.message);
  await first.close();
  const db = new Database(databaseFile(first.dataDir));
  db.exec(`DELETE FROM flags WHERE name = 'library:pictureSizes'; UPDATE assets SET width = 0, height = 0`);
  db.close();
  const clock = new TestClock();
  const { ask } = await openStudio({ dataDir: first.dataDir, ports: { clock } });
  const sizeOf = async () => {
    const { width, height } = await ask('library.get', { id: put.data.id });
    return [width, height];
  };
  expect(await sizeOf()).toEqual([0, 0]);
  await clock.advance(60_000);
  expect(await sizeOf()).toEqual([3, 2]);
});
