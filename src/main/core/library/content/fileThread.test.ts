import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { FileThread, hashesOfFile, hashFile, hashOfHandle } from './fileThread.ts';

afterEach(() => void vi.useRealTimers());

test('what is asked while an idle thread ends is answered by the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const file = join(tempDir('thread'), 'a');
  writeFileSync(file, 'a take');
  const thread = new FileThread();
  const first = await thread.hash(file);
  vi.advanceTimersByTime(60_000);
  expect(await thread.hash(file)).toEqual(first);
  await thread.close();
});

test('what is under way when it is closed is given up', async () => {
  const file = join(tempDir('thread'), 'a');
  writeFileSync(file, Buffer.alloc(64 * 1024 * 1024));
  const thread = new FileThread();
  const asked = thread.hash(file);
  asked.catch(() => undefined);
  await thread.close();
  await expect(asked).rejects.toThrow('has ended');
});

const file = join(tempDir('hash'), 'take.mp4');
const content = randomBytes(3 * 1024 * 1024 + 17);
writeFileSync(file, content);
const hexOf = (algorithm: string): string => createHash(algorithm).update(content).digest('hex');
const read = { bytes: content.length, sha256: hexOf('sha256') };
const fully = { ...read, sha512: hexOf('sha512') };

test('the hashes of a file are those of its bytes', async () => {
  expect(await hashFile(file)).toEqual(read);
  expect(await hashesOfFile(file)).toEqual(fully);
});

test('one that is canceled or not there says so', async () => {
  const ended = new AbortController();
  const reading = hashFile(file, ended.signal);
  ended.abort(new Error('canceled'));
  await expect(reading).rejects.toThrow('canceled');
  await expect(hashFile(`${file}.gone`)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an open file has the same hash', async () => {
  const handle = await open(file, 'r');
  const hashes = [content.length, 1_500_000, 1, 0].map((bytes) => hashOfHandle(handle, bytes));
  expect(await Promise.all(hashes)).toEqual(
    [content.length, 1_500_000, 1, 0].map((bytes) =>
      createHash('sha256').update(content.subarray(0, bytes)).digest('hex'),
    ),
  );
  // It has become shorter since it was looked at.
  expect(await hashOfHandle(handle, content.length + 5)).toBe(read.sha256);
  await handle.close();
});
