import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, type MockInstance, test, vi } from 'vitest';
import { libraryIn } from '../../../../../test/helpers/libraryHarness.ts';
import { stored } from '../../../../../test/helpers/moverHarness.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { BundledFiles } from './bundledFiles.ts';
import { contentPath } from './contentStore.ts';
import { filesThread } from './fileThread.ts';
import { ForeignFiles } from './foreignFiles.ts';
import { writeMarker } from './location.ts';
import { bytesOf, userBytes } from './timedReads.ts';
import { Verifier } from './verifier.ts';

afterEach(() => vi.restoreAllMocks());

/** A file, and all that stores files. */
function world({ isAway = false } = {}) {
  const dataDir = tempDir('bytes');
  if (isAway) fs.writeFileSync(path.join(dataDir, 'library.json'), 'nothing that can be read');
  const file = path.join(dataDir, 'file.png');
  fs.writeFileSync(file, 'bytes');
  const { library, location, parts } = libraryIn(dataDir);
  const { bin, inUse } = library;
  const emit = () => undefined;
  const foreign = new ForeignFiles({ ...parts, bin, inUse, emit });
  const bundled = new BundledFiles({ ...parts, inUse, bin, verifier: new Verifier({ ...parts, emit }) });
  const opened = vi.spyOn(fs, 'createReadStream');
  const stores = {
    'of the user': (from: string) => library.importFile(from),
    'of the program': (from: string) => library.storeFile(from),
    'of a folder': (from: string) => foreign.bringIn(from, { name: 'a', sha256: '00', isLost: false }),
    'of a bundle': (from: string) => bundled.storeInUse(from, '00'),
  };
  return { file, location, opened, stores };
}

const FILES = ['of the user', 'of the program', 'of a folder', 'of a bundle'] as const;

test.each(FILES)('a file %s that is refused was never opened', async (whose) => {
  const { file, opened, stores } = world({ isAway: true });
  expect(await stores[whose](file)).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
  expect(opened).not.toHaveBeenCalled();
});

/** From now on each file is gone once it is opened, sooner than anything else is. */
const lose = (opened: MockInstance<typeof fs.createReadStream>) =>
  opened.mockImplementation(() => new Readable().destroy(new Error('it is gone')) as fs.ReadStream);

test.each(FILES)('a file %s that cannot be opened is an answer', async (whose) => {
  const { file, opened, stores } = world();
  lose(opened);
  expect(await stores[whose](file)).toMatchObject({ error: { code: 'unreachable', message: 'it is gone' } });
});

test('a file that is to be brought after a move and is gone is an answer', async () => {
  const { location } = world();
  const [lease, target] = [location.lease('late'), tempDir('target')];
  fs.mkdirSync(path.join(target, 'library'));
  await writeMarker(target, { id: 'lib_1' });
  location.switchTo(target, 'lib_1');
  expect(await location.settle(lease, stored('late'))).toMatchObject({ ok: false, error: { code: 'unreachable' } });
});

test('what a disk does not return as it was written is not left as the file after a move', async () => {
  const { file, location } = world();
  const { sha256 } = await filesThread.hash(file);
  const [lease, target] = [location.lease('late'), tempDir('target')];
  const [from, to] = [location.home, target].map((home) => contentPath(home, sha256, 'png'));
  fs.mkdirSync(path.dirname(from ?? ''), { recursive: true });
  fs.copyFileSync(file, from ?? '');
  fs.mkdirSync(path.join(target, 'library'));
  await writeMarker(target, { id: 'lib_1' });
  location.switchTo(target, 'lib_1');
  const copy = filesThread.copy.bind(filesThread);
  vi.spyOn(filesThread, 'copy').mockImplementation(async (...named) => {
    const copied = await copy(...named);
    fs.writeFileSync(named[1], 'BYTES');
    return copied;
  });
  expect(await location.settle(lease, { ...stored('late'), sha256 })).toMatchObject({ error: { code: 'unreachable' } });
  expect([from, to].map((one) => fs.existsSync(one ?? ''))).toEqual([true, false]);
});

test('a reader that stops in the middle closes the file', async () => {
  const { file, opened } = world();
  for await (const bytes of bytesOf(file, { highWaterMark: 2 })) {
    expect(Buffer.from(bytes).toString()).toBe('by');
    break;
  }
  expect(opened.mock.results[0]?.value.destroyed).toBe(true);
});

test.skipIf(process.platform === 'win32')('what became a pipe is not waited for', async () => {
  const pipe = path.join(tempDir('pipes'), 'a.png');
  execFileSync('mkfifo', [pipe]);
  const read: Uint8Array[] = [];
  for await (const part of userBytes(pipe, { bytes: 5 })) read.push(part);
  expect(read).toEqual([]);
});

test('a file that stops to answer is given up once nobody wants it any more', async () => {
  const file = path.join(tempDir('slow'), 'a.png');
  fs.writeFileSync(file, 'bytes');
  vi.spyOn(fs, 'read').mockImplementation(() => undefined);
  const stop = new AbortController();
  const read = userBytes(file, { signal: stop.signal }).next();
  stop.abort(new Error('closed'));
  await expect(read).rejects.toThrow('closed');
});
