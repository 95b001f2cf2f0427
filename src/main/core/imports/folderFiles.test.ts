import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { SIDECAR_ENDING } from '../../../shared/library/sidecar.ts';
import { filesOfFolder, sidecarText } from './folderFiles.ts';

const PAIRS = 1_000;

test('the names of a large folder are read in many turns of the event loop', async () => {
  const folder = tempDir('many');
  for (let n = 0; n < PAIRS; n++) {
    fs.writeFileSync(path.join(folder, `${n}.png`), '');
    fs.writeFileSync(path.join(folder, `${n}.png${SIDECAR_ENDING}`), '');
  }
  const joined = vi.spyOn(path, 'join');
  const examined = vi.spyOn(fs.Dirent.prototype, 'isSymbolicLink');
  let [isOn, most, before] = [true, 0, 0];
  const turn = (): void => {
    const all = joined.mock.calls.length + examined.mock.calls.length;
    most = Math.max(most, all - before);
    before = all;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  const read = await filesOfFolder(folder);
  turn();
  isOn = false;
  vi.restoreAllMocks();
  expect(read.ok && read.data.files).toHaveLength(PAIRS);
  expect(read.ok && read.data.files.every(({ sidecar, path: at }) => sidecar === `${at}${SIDECAR_ENDING}`)).toBe(true);
  expect(before).toBeGreaterThanOrEqual(2 * PAIRS);
  expect(most).toBeLessThanOrEqual(PAIRS);
});

test.skipIf(process.platform === 'win32')('a sidecar that became a pipe is not waited for', async () => {
  const pipe = path.join(tempDir('pipes'), 'a.png.json');
  execFileSync('mkfifo', [pipe]);
  expect(await sidecarText(pipe)).toBeUndefined();
});
