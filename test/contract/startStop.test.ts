import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Host, root, startHost } from '../helpers/host.ts';
import { enter, greet } from '../helpers/pageSession.ts';
import { testPng } from '../helpers/png.ts';

/** How the program starts and ends on each host. */

let dataDir: string;
const hosts: Host[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dailies-'));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill('SIGKILL')));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const host = await startHost({ dataDir, ...options });
  hosts.push(host);
  return host;
}

/** Runs a start that ends by itself. */
function run(flags: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(root, 'src', 'main', 'start.mjs'), ...flags]);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    said.stdout += data;
  });
  child.stderr.on('data', (data) => {
    said.stderr += data;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

test('the ready line has address, token and process id; SIGTERM shuts it down in order', async () => {
  const host = await start();
  expect(host.url).toBe(`${host.origin}/?token=${host.token}`);
  expect(host.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const events = await host.events();
  process.kill(host.pid, 'SIGTERM');
  await events.ended;
  // A shutdown that takes too long is cut off with another code.
  expect(await host.kill('SIGTERM')).toBe(0);
});

test('uses --port, and reports an occupied port in one line', async () => {
  const first = await start();
  const { port } = new URL(first.origin);
  const other = mkdtempSync(join(tmpdir(), 'dailies-'));
  const second = await run(['--host', 'browser', '--no-open', '--data-dir', other, '--port', port]);
  rmSync(other, { recursive: true });
  expect([second.code, second.stdout, second.stderr]).toEqual([
    1,
    '',
    `Dailies could not start: port ${port} is in use.\n`,
  ]);
  await first.kill('SIGTERM');
  expect((await start({ flags: ['--port', port] })).origin).toBe(first.origin);
});

test.each([
  [['--prot', '1'], /^--prot: there is no such flag[.] Usage: .+\n$/],
  [['--port', 'x'], /^--port must be a whole number from 0 to 65535[.]\n$/],
  [['--sandbox-speed', '-1'], /^--sandbox-speed must be .+\n$/],
])('the flags %j are refused in one sentence, with code 2', async (flags, sentence) => {
  const { code, stdout, stderr } = await run(flags);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(sentence);
});

describe('a data folder', () => {
  test('in use is refused with one line, and the first goes on', async () => {
    const host = await start();
    const second = await run(['--host', 'browser', '--no-open', '--data-dir', dataDir]);
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(/^The data folder .+ is in use by another Dailies[.]\n$/);
    expect(await host.rpc('app.info')).toMatchObject({ ok: true });
  });

  test('opens again after SIGKILL, with the written data', async () => {
    const host = await start();
    const { id } = await host.ask('projects.create', { name: 'Kept' });
    await host.kill('SIGKILL');
    const again = await start();
    expect((await again.ask('projects.list')).projects.map((project) => project.id)).toContain(id);
  });
});

test('the active profile survives a restart; a key in memory does not', async () => {
  const host = await start();
  await host.ask('profiles.save', { id: 'mine', name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
  await host.ask('profiles.setKey', { id: 'mine', apiKey: 'sk-in-memory-only' });
  await host.ask('profiles.activate', { id: 'mine' });
  await host.kill('SIGTERM');
  const again = await start();
  const { profiles, activeId } = await again.ask('profiles.list');
  expect([activeId, profiles.find(({ id }) => id === 'mine')?.key]).toEqual(['mine', null]);
});

test('the app window gets a ticket that works once, never the token, and ends with the host', async () => {
  const told = join(dataDir, 'told');
  const browser = join(dataDir, 'browser');
  // A fake browser that records its command line and keeps running.
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf '%s\\n' "$@" "$$" > '${told}.part' && mv '${told}.part' '${told}'\nexec sleep 600\n`,
    { mode: 0o755 },
  );
  const host = await start({ open: true, env: { CHROME_PATH: browser, DISPLAY: ':99' } });
  await expect.poll(() => existsSync(told)).toBe(true);
  const words = readFileSync(told, 'utf8').trim().split('\n');
  const address = words.find((word) => word.startsWith('--app='))?.slice('--app='.length) ?? '';
  expect(address).toContain(`${host.origin}/?token=`);
  expect(words.join(' ')).not.toContain(host.token);
  const statuses = [];
  for (const _ of [1, 2]) statuses.push((await fetch(address, { redirect: 'manual' })).status);
  expect(statuses).toEqual([303, 401]);
  await host.kill('SIGTERM');
  await expect.poll(() => isAlive(Number(words.at(-1)))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('port and token stay the same over restarts, in order or not, in a file for its owner only', async () => {
  const host = await start();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await hosts.at(-1)?.kill(signal);
    const again = await start();
    expect([again.origin, again.token]).toEqual([host.origin, host.token]);
  }
  expect(statSync(join(dataDir, 'browser-host.json')).mode & 0o777).toBe(0o600);
});

test("--renew-token revokes the old token and every page's access for good", async () => {
  const host = await start();
  const { cookie, key } = await enter(host);
  const picture = testPng(8, 8) as Uint8Array<ArrayBuffer>;
  const uploaded = await host.request('/media?name=p.png', { method: 'PUT', body: picture });
  const { data } = (await uploaded.json()) as { data: { id: string } };
  /** The answers to everything issued before: the token, the cookie, and the key of a page. */
  const statuses = async (of: Host): Promise<number[]> => {
    const { isKnown, secret } = await greet(of, key);
    const asPage = { authorization: `Bearer ${secret}`, cookie, origin: of.origin };
    const call = async (headers: Record<string, string>) =>
      (await of.request('/rpc/app.info', { method: 'POST', headers })).status;
    const media = await fetch(`${of.origin}/media/${data.id}`, { headers: { cookie } });
    return [
      isKnown ? 200 : 401,
      await call({ authorization: `Bearer ${host.token}` }),
      await call(asPage),
      media.status,
    ];
  };
  expect(await statuses(host)).toEqual([200, 200, 200, 200]);
  await host.kill('SIGTERM');
  const renewed = await start({ flags: ['--renew-token'] });
  expect([renewed.origin, renewed.token === host.token]).toEqual([host.origin, false]);
  expect(await statuses(renewed)).toEqual([401, 401, 401, 401]);
  expect(await renewed.rpc('app.info')).toMatchObject({ ok: true });
  await renewed.kill('SIGTERM');
  const next = await start();
  expect([next.origin, next.token]).toEqual([host.origin, renewed.token]);
  expect(await statuses(next)).toEqual([401, 401, 401, 401]);
});

test('no other user can read files of this run, nor files that an earlier run left readable', async () => {
  writeFileSync(join(dataDir, 'settings.json'), '{}', { mode: 0o644 });
  mkdirSync(join(dataDir, 'backups'), { mode: 0o755 });
  const host = await start();
  await host.request('/media?name=p.png', { method: 'PUT', body: testPng(8, 8) as Uint8Array<ArrayBuffer> });
  await host.ask('profiles.save', { baseUrl: 'http://127.0.0.1:9' });
  expect(openToOthers(dataDir)).toEqual([]);
});

/** Files in a data folder that other users can read, except those of the media browser. Files that disappear meanwhile do not count. */
function openToOthers(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .filter(({ name }) => name !== 'media-browser')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const mode = unlessGone(() => lstatSync(path).mode) ?? 0;
      return [...((mode & 0o077) === 0 ? [] : [path]), ...(entry.isDirectory() ? openToOthers(path) : [])];
    });
}

function unlessGone<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
}

test('if another program has taken the port, the ready line has another one, and the token stays', async () => {
  const host = await start();
  await host.kill('SIGTERM');
  const other = createServer().listen(Number(new URL(host.origin).port), '127.0.0.1');
  await once(other, 'listening');
  const again = await start();
  expect(again.origin).not.toBe(host.origin);
  expect(again.token).toBe(host.token);
  expect(await again.rpc('app.info')).toMatchObject({ ok: true });
  other.close();
});

test('the built-in sandbox keeps its address over a restart', async () => {
  const sandboxOf = async (host: Host) =>
    (await host.ask('profiles.list')).profiles.find(({ builtin }) => builtin)?.baseUrl;
  const host = await start();
  const before = await sandboxOf(host);
  expect(before).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await host.kill('SIGKILL');
  expect(await sandboxOf(await start())).toBe(before);
});
