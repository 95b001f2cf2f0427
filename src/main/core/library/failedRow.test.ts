import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { libraryIn } from '../../../../test/helpers/libraryHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { contentPath } from './content/contentStore.ts';
import { ForeignFiles } from './content/foreignFiles.ts';
import { partialPath, writeMetadata } from './downloads/partialDownload.ts';

/** The disk has room for the bytes of a file, and none for its row. */

const bytes = testPng(3, 2);
const sha256 = createHash('sha256').update(bytes).digest('hex');

function world() {
  const { dataDir, parts, store, library } = libraryIn();
  const foreign = new ForeignFiles({ ...parts, bin: library.bin, inUse: library.inUse, emit: () => undefined });
  const from = path.join(dataDir, 'from.png');
  fs.writeFileSync(from, bytes);
  const takes = {
    'of the page': () => library.upload({ name: 'a.png', body: Readable.from([bytes]) }),
    'of the user': () => library.importFile(from),
    'of a folder': () => foreign.bringIn(from, { name: 'a', sha256, isLost: false }),
  };
  const { transaction } = store;
  const fill = (isFull: boolean): void => {
    store.transaction = isFull
      ? () => {
          throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        }
      : transaction;
  };
  return { dataDir, takes, fill, isHere: () => fs.existsSync(contentPath(dataDir, sha256, 'png')) };
}

test.each(['of the page', 'of the user', 'of a folder'] as const)(
  'a file %s whose row cannot be written goes, unless something names it',
  async (whose) => {
    const { takes, fill, isHere } = world();
    fill(true);
    await expect(takes[whose]()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(isHere()).toBe(false);
    fill(false);
    expect(await takes[whose]()).toMatchObject({ ok: true });
    fill(true);
    await expect(takes[whose]()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(isHere()).toBe(true);
  },
);

test('a file that a download has stored stays where a copy of it has no room for its row', async () => {
  const { dataDir, takes, fill, isHere } = world();
  const file = { sha256, bytes: bytes.length, mime: 'image/png', extension: 'png', width: 3, height: 2 };
  await writeMetadata(await partialPath(dataDir, 'as_1'), { stored: file });
  fill(true);
  await expect(takes['of the page']()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(isHere()).toBe(true);
});
