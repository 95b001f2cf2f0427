import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import { FileThread } from './fileThread.ts';
import { hashesOfFile, hashFile, hashOfHandle, IN_THREAD_BYTES } from './hashFile.ts';

const openStudio = studiosOfThisFile();

const file = join(tempDir('hash'), 'take.mp4');
const content = randomBytes(3 * 1024 * 1024 + 17);
writeFileSync(file, content);
const hexOf = (algorithm: string): string => createHash(algorithm).update(content).digest('hex');
const read = { bytes: content.length, sha256: hexOf('sha256') };
const fully = { ...read, sha512: hexOf('sha512') };

test('a large file is read in a thread, and its hashes are those that are made here', async () => {
  expect(await hashFile(file)).toEqual(read);
  expect(await hashFile(file, { inThreadFrom: 1 })).toEqual(read);
  expect(await hashesOfFile(file)).toEqual(fully);
  expect(await hashesOfFile(file, { inThreadFrom: 1 })).toEqual(fully);
});

test.each([1, Number.POSITIVE_INFINITY])(
  'one that is canceled or not there says so: from %s bytes on',
  async (inThreadFrom) => {
    const ended = new AbortController();
    const reading = hashFile(file, { signal: ended.signal, inThreadFrom });
    ended.abort(new Error('canceled'));
    await expect(reading).rejects.toThrow('canceled');
    await expect(hashFile(`${file}.gone`, { inThreadFrom })).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.each([1, Number.POSITIVE_INFINITY])(
  'an open file has the same hash: in a thread from %s bytes on',
  async (from) => {
    const handle = await open(file, 'r');
    const options = { inThreadFrom: from };
    const hashes = [content.length, 1_500_000, 1, 0].map((bytes) => hashOfHandle(handle, bytes, options));
    expect(await Promise.all(hashes)).toEqual(
      [content.length, 1_500_000, 1, 0].map((bytes) =>
        createHash('sha256').update(content.subarray(0, bytes)).digest('hex'),
      ),
    );
    // It has become shorter since it was looked at.
    expect(await hashOfHandle(handle, content.length + 5, options)).toBe(read.sha256);
    await handle.close();
  },
);

test.each([
  [IN_THREAD_BYTES, 1],
  [IN_THREAD_BYTES - 1, 0],
])('what comes in with %d bytes is hashed by %d threads', async (bytes, threads) => {
  const hashes = vi.spyOn(FileThread.prototype, 'hashOf');
  const { studio, call } = await openStudio();
  const path = join(tempDir('given'), 'clip.mp4');
  const given = Buffer.alloc(bytes, 7);
  writeFileSync(path, given);
  // Its hash is known before it is seen that it is no clip.
  expect(await call('library.import', { path })).toMatchObject({ ok: false });
  expect(hashes).toHaveBeenCalledTimes(threads);
  expect(await studio.media.upload({ name: 'clip.mp4', body: Readable.from([given]) })).toMatchObject({ ok: false });
  expect(hashes).toHaveBeenCalledTimes(2 * threads);
  hashes.mockRestore();
});
