import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf } from '../../../../test/helpers/files.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { hashFile } from '../library/index.ts';
import { saveCopy } from './saveCopy.ts';

const source = filesOf('backups')('one.db', Buffer.from('a backup'));
const thread = {
  hash: (file: string) => hashFile(file),
  copy: async (from: string, to: string) => {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return hashFile(to);
  },
};

test('a copy is read back where it is, and a second call finds it whole', async () => {
  const folder = tempDir('elsewhere');
  const saved = { ok: true, data: { file: path.join(folder, 'one.db'), ...(await hashFile(source)) } };
  expect(await saveCopy(source, folder, thread)).toEqual(saved);
  expect(await saveCopy(source, folder, thread)).toEqual(saved);
});

test('nothing is written over, and no folder is made', async () => {
  const folder = tempDir('elsewhere');
  const mine = path.join(folder, 'one.db');
  fs.writeFileSync(mine, 'mine');
  for (const [place, rule] of [
    [folder, /has another file named/],
    [mine, /is a file/],
    [path.join(folder, 'none'), /there is no such folder/],
    ['elsewhere', /must be an absolute path/],
    [path.dirname(source), /is there already/],
  ] as const)
    expect(await saveCopy(source, place, thread), place).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(rule), data: { field: 'folder' } },
    });
  expect([fs.readdirSync(folder), fs.readFileSync(mine, 'utf8')]).toEqual([['one.db'], 'mine']);
});

test('what the disk does not give back is no copy', async () => {
  const folder = tempDir('elsewhere');
  const lying = { ...thread, hash: async () => ({ bytes: 1, sha256: 'f'.repeat(64) }) };
  expect(await saveCopy(source, folder, lying)).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(fs.readdirSync(folder)).toEqual([]);
});
