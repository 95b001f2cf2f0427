import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ElectronEnd, refusalCode } from './electronRun.ts';

/** Binaries that exist and behave as Electron's does on machines that cannot run it. Where a start goes wrong differs: each is a script. */

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-run-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const READY = `echo '{"ready":true,"host":"electron","pid":1}'`;

/** Runs it in a process of its own, whose stdout, stderr and signals are the launcher's. */
function launcher(script: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const binary = join(folder, 'electron');
  writeFileSync(binary, script, { mode: 0o755 });
  const program = `
    const { runElectron } = await import(${JSON.stringify(join(import.meta.dirname, 'electronRun.ts'))});
    const end = await runElectron(${JSON.stringify(binary)}, ['--flag'], 'A note.\\n');
    process.stdout.write('END' + JSON.stringify(end));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: { ...process.env, ...env } });
  children.push(child);
  return child;
}

async function outcome(child: ChildProcess): Promise<{ end: ElectronEnd; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => {
    said.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    said.stderr += data;
  });
  await once(child, 'close');
  const [stdout = '', end = ''] = said.stdout.split('END');
  return { end: JSON.parse(end) as ElectronEnd, stdout, stderr: said.stderr };
}

const shell = (...lines: string[]) => `#!/bin/sh\n${lines.join('\n')}\n`;
const SUID =
  '[1:0614/163124.425381:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly.';

test.each([
  [
    'the sandbox of Ubuntu 24.04',
    shell(`echo '${SUID}' >&2`, 'kill -TRAP $$'),
    /does not let Chromium's sandbox start/,
  ],
  ['the same, seen through a shell', shell(`echo '${SUID}' >&2`, 'exit 133'), /does not let Chromium's sandbox start/],
  [
    'no display',
    shell('echo "[1:ERROR:ozone_platform_x11.cc(240)] Missing X server or \\$DISPLAY" >&2', 'exit 1'),
    /reaches no display/,
  ],
  [
    'a missing library',
    shell(
      'echo "electron: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2',
      'exit 127',
    ),
    /the library libnss3[.]so is missing/,
  ],
  ['a crash without a word', shell('kill -SEGV $$'), /was ended by SIGSEGV/],
  ['an end without a word', shell('exit 1'), /ended with code 1/],
  ['a file that is no program', 'neither a script nor a binary', /does not start|ended with code/],
  ['a script whose shell is not there', '#!/no/such/shell\n', /is not there/],
])('%s is one reason, and none of its own words', async (_, script, reason) => {
  const { end, stdout, stderr } = await outcome(launcher(script));
  expect(end).toEqual({ reason: expect.stringMatching(reason) });
  expect([stdout, stderr]).toEqual(['', '']);
});

test('a binary that may not be run is a reason', async () => {
  const child = launcher(shell('exit 0'));
  children.splice(0);
  child.kill('SIGKILL');
  const { chmodSync } = await import('node:fs');
  chmodSync(join(folder, 'electron'), 0o644);
  const { runElectron } = await import('./electronRun.ts');
  expect(await runElectron(join(folder, 'electron'), [])).toEqual({ reason: 'it may not be run' });
});

test('what Dailies itself refuses is passed on with its words, and nothing else is tried', async () => {
  const refused = shell('echo "The data folder /x is in use by another Dailies." >&2', 'exit 65');
  const { end, stderr } = await outcome(launcher(refused));
  expect(end).toEqual({ ended: 1 });
  expect(stderr).toContain('The data folder /x is in use by another Dailies.');
});

test('plain exit codes are used without a launcher', () => {
  expect([refusalCode(1, {}), refusalCode(1, { DAILIES_LAUNCHED: '1' })]).toEqual([1, 65]);
});

test('once it is ready its words are passed on, and its end is the end', async () => {
  const { end, stdout, stderr } = await outcome(launcher(shell('echo early >&2', READY, 'echo late >&2', 'exit 3')));
  expect(end).toEqual({ ended: 3 });
  expect(stdout).toContain('"ready":true');
  expect(stderr).toBe('A note.\nearly\nlate\n');
});

test('it does not run as plain Node, whatever the environment says', async () => {
  const script = shell('echo "[$ELECTRON_RUN_AS_NODE][$DAILIES_LAUNCHED]"', READY);
  const { stdout } = await outcome(launcher(script, { ELECTRON_RUN_AS_NODE: '1' }));
  expect(stdout).toContain('[][1]');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s while it starts is passed on as SIGTERM, and is no reason to try something else',
  async (signal) => {
    const child = launcher(shell("trap 'echo TERM; exit 9' TERM", 'echo up', 'while :; do sleep 0.05; done'));
    const ended = outcome(child);
    await once(child.stdout as NodeJS.EventEmitter, 'data');
    child.kill(signal);
    const { end, stdout } = await ended;
    expect([end, stdout]).toEqual([{ ended: 9 }, 'up\nTERM\n']);
  },
);
