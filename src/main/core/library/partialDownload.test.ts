import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { tryWriting } from './partialDownload.ts';

afterEach(() => vi.restoreAllMocks());
const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test('only a file that the disk does not let be made says that it cannot be written', () => {
  const home = tempDir('tried');
  vi.spyOn(fs, 'rmSync').mockImplementation(failing('EBUSY'));
  expect(tryWriting(home)).toBeUndefined();
  const opened = vi.spyOn(fs, 'openSync').mockImplementation(failing('EMFILE'));
  expect(tryWriting(home)).toBeUndefined();
  opened.mockImplementation(failing('EROFS'));
  expect(tryWriting(home)).toBe('EROFS');
});
