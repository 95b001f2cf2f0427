import { exec, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../helpers/host.ts';

/** The commands of README.md in a fresh clone. */

const run = promisify(exec);
/** `npm ci`, the start, `npm ci` again and the test command: the lines of its shell blocks. */
const [, start, , tests] = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```sh\n([^`]{1,200})```/g),
].flatMap(([, block = '']) => block.trim().split(/\n| && /));

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-'));
  clone = join(folder, 'dailies');
  await run(`git clone --quiet "${root}" "${clone}"`);
  await run('npm ci', {
    cwd: clone,
    env: { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('`npm ci` and the start command end in a program that answers', async () => {
  const data = join(folder, 'data');
  const env = { ...process.env, XDG_DATA_HOME: data, LOCALAPPDATA: data, HOME: data, DAILIES_KEYCHAIN: 'off' };
  const child = spawn(`${start} -- --host browser --no-open`, { cwd: clone, env, shell: true });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = await readyLine(child.stdout);
  onTestFinished(async () => {
    process.kill(ready.pid, 'SIGTERM');
    await ended;
  });
  expect(ready.ready).toBe(true);
  expect((await fetch(ready.url, { redirect: 'manual' })).status).toBe(303);
});

/** Skips npm's own lines. */
async function readyLine(output: Readable): Promise<{ ready: boolean; url: string; pid: number }> {
  for await (const line of createInterface(output)) if (line.startsWith('{')) return JSON.parse(line);
  throw new Error('The program ended before its ready line.');
}

test('the test command is a script of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { scripts: object };
  expect([tests, Object.keys(scripts)]).toEqual(['npm test', expect.arrayContaining(['test'])]);
});
