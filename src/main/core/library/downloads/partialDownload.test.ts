import fs from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { tryWriting } from './partialDownload.ts';

afterEach(() => vi.restoreAllMocks());
const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test('only a file that the disk does not let be made says that it cannot be written', async () => {
  const home = tempDir('tried');
  vi.spyOn(fs, 'rm').mockImplementation(failing('EBUSY'));
  expect(await tryWriting(home)).toBeUndefined();
  const opened = vi.spyOn(fs, 'open').mockImplementation(failing('EMFILE'));
  expect(await tryWriting(home)).toBeUndefined();
  opened.mockImplementation(failing('EROFS'));
  expect(await tryWriting(home)).toBe('EROFS');
});
