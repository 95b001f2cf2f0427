import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { hashesOfFile, hashFile } from './hashFile.ts';

const file = join(tempDir('hash'), 'take.mp4');
const content = randomBytes(3 * 1024 * 1024 + 17);
writeFileSync(file, content);
const hexOf = (algorithm: string): string => createHash(algorithm).update(content).digest('hex');
const read = { bytes: content.length, sha256: hexOf('sha256') };
const fully = { ...read, sha512: hexOf('sha512') };

/** Bug: ten gigabytes of an export were read back on the thread that answers the pages. */
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
