import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fullVolume } from '../../../../test/helpers/fullVolume.ts';
import { takeDataFolder } from './dataDir.ts';
import { defaultDataDir } from './defaultDataDir.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dailies-folder-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(base, { recursive: true });
});
const children: ChildProcess[] = [];

/** Another program that takes the folder and says so. */
async function holder(path: string) {
  const script = `
    const { takeDataFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'dataDir.ts'))});
    takeDataFolder(${JSON.stringify(path)});
    // What nobody refers to is collected here as it would be in a long night.
    for (let round = 0; round < 3; round += 1) globalThis.gc();
    console.log('held');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

function takeAndRelease(path: string): boolean {
  const taken = takeDataFolder(path);
  if (taken.ok) taken.folder.release();
  return taken.ok;
}

test('a folder is made for its owner only', () => {
  const path = join(base, 'deep', 'folder');
  expect(takeAndRelease(path)).toBe(true);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a folder in use is refused in one line, by whatever name it is called', async () => {
  const path = join(base, 'data');
  const other = await holder(path);
  symlinkSync(path, join(base, 'link'));
  for (const name of ['data', 'link']) {
    expect(takeDataFolder(join(base, name))).toEqual({
      ok: false,
      message: expect.stringMatching(/^The data folder .+ is in use by another Dailies[.]$/),
      path: realpathSync(path),
    });
  }
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test('the lock of a killed program is gone with it', async () => {
  const path = join(base, 'data');
  const other = await holder(path);
  expect(takeAndRelease(path)).toBe(false);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(takeAndRelease(path)).toBe(true);
});

test.skipIf(process.platform === 'win32')('a folder in use is refused after its lock was deleted', async () => {
  const path = join(base, 'data');
  const other = await holder(path);
  rmSync(join(path, '.lock'));
  renameSync(path, join(base, 'renamed'));
  expect(takeDataFolder(join(base, 'renamed'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('is in use by another Dailies'),
  });
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(takeAndRelease(join(base, 'renamed'))).toBe(true);
});

test('a path that cannot be a folder is refused in one sentence', () => {
  writeFileSync(join(base, 'file'), '');
  expect(takeDataFolder(join(base, 'file', 'data'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('cannot be used'),
  });
});

test.each([
  ['linux', { XDG_DATA_HOME: '/x' }, join('/x', 'dailies')],
  ['win32', { LOCALAPPDATA: '/l' }, join('/l', 'Dailies')],
])('on %s the default folder follows the system', (platform, env, expected) => {
  expect(defaultDataDir(env, platform)).toBe(expected);
});

test.each([
  ['a named pipe', '.lock', (path: string) => void execFileSync('mkfifo', [path])],
  ['a folder', '.lock', (path: string) => void mkdirSync(path)],
  ['a device', '.lock', (path: string) => symlinkSync('/dev/zero', path)],
  ['a named pipe', '.lock-journal', (path: string) => void execFileSync('mkfifo', [path])],
])('%s as %s is refused in one line', (kind, name, put) => {
  put(join(base, name));
  expect(takeDataFolder(base)).toMatchObject({
    ok: false,
    message: `The data folder ${base} cannot be used: ${join(base, name)} is ${kind}, not a file.`,
  });
});

test('a folder is taken with nothing left on its disk', ({ skip }) => {
  const volume = fullVolume(1024 * 1024);
  if (!volume) return skip('a file system of its own cannot be mounted here');
  const path = join(volume.folder, 'data');
  expect(takeAndRelease(path)).toBe(true);
  volume.fill();
  expect(takeDataFolder(path)).toMatchObject({ ok: true });
  expect(takeDataFolder(path)).toMatchObject({ ok: false, message: expect.stringContaining('in use') });
});
