import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { firstLine } from '../helpers/firstLine.ts';
import { end, root } from '../helpers/host.ts';

/** `npm start` on a machine whose Electron exists and cannot run. */

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

function start(script: string, flags: string[] = []): ChildProcess {
  writeFileSync(join(folder, 'electron'), script, { mode: 0o755 });
  const given = ['--data-dir', join(folder, 'data'), '--no-open', '--sandbox-speed', 'fast', ...flags];
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: ':99', DAILIES_KEYCHAIN: 'off' };
  const child = spawn(process.execPath, [join(root, 'src', 'main', 'start.mjs'), ...given], { env });
  children.push(child);
  return child;
}

/** Its messages to the user, without log lines. */
function wordsOf(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.on('data', (data) => {
    said += data;
  });
  return () => said.replace(/^\{.*\}\n/gm, '');
}

const SUID = `#!/bin/sh
echo '[1:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly.' >&2
kill -TRAP $$
`;

test('one sentence says why, and the browser host is used instead', async () => {
  const child = start(SUID);
  const said = wordsOf(child);
  const ready = JSON.parse(await firstLine(child)) as { ready: boolean; url: string; pid: number };
  expect(ready).toMatchObject({ ready: true, url: expect.stringContaining('http://127.0.0.1:'), pid: child.pid });
  expect(said()).toBe(
    "Electron cannot run here (this system does not let Chromium's sandbox start): Dailies runs in the browser host.\n",
  );
  expect(await end(child, 'SIGTERM')).toBe(0);
});

test('if Electron was requested, there is only the sentence', async () => {
  const child = start(SUID, ['--host', 'electron']);
  const said = wordsOf(child);
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(1);
  expect(said()).toBe(
    "Electron cannot run here (this system does not let Chromium's sandbox start). Use --host browser.\n",
  );
});
