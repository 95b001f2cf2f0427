import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { recordingLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { openLink } from '../../link/index.ts';
import { serveOutside } from './outside.ts';

/** The command line and the window's studio: over loopback, and only while the setting is on. */

const openStudio = studiosOfThisFile();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start() {
  const { studio, ask } = await openStudio();
  const dataDir = tempDir('desktop');
  const outside = serveOutside(studio, dataDir, recordingLog());
  closing.push(() => outside.close());
  const isThere = async () => (await openLink(dataDir)).ok;
  return { ask, dataDir, isThere, outside };
}

test('off by default; switched on, calls are answered and no page is; switched off, nobody answers', async () => {
  const { ask, dataDir, isThere } = await start();
  expect(await isThere()).toBe(false);
  await ask('settings.set', { commandLine: true });
  await expect.poll(isThere).toBe(true);
  const link = await openLink(dataDir);
  if (!link.ok) throw new Error(link.error.message);
  expect(await link.data.call('projects.list', {})).toMatchObject({ ok: true });
  const kept = JSON.parse(readFileSync(join(dataDir, 'desktop-host.json'), 'utf8')) as { port: number; token: string };
  if (process.platform !== 'win32') expect(statSync(join(dataDir, 'desktop-host.json')).mode & 0o077).toBe(0);
  const origin = `http://127.0.0.1:${kept.port}`;
  expect((await fetch(`${origin}/rpc/projects.list`, { method: 'POST', body: '{}' })).status).toBe(401);
  const foreign = { authorization: `Bearer ${kept.token}`, origin: 'http://evil.example' };
  expect((await fetch(`${origin}/rpc/projects.list`, { method: 'POST', body: '{}', headers: foreign })).status).toBe(
    403,
  );
  for (const path of ['/', `/?token=${kept.token}`, '/media/a', '/events', '/session'])
    expect([path, [401, 404].includes((await fetch(origin + path, { redirect: 'manual' })).status)]).toEqual([
      path,
      true,
    ]);
  await ask('settings.set', { commandLine: false });
  await expect.poll(isThere).toBe(false);
});

test('a switch toggled twice at once ends as it was toggled last, and its end closes it', async () => {
  const { ask, isThere, outside } = await start();
  await Promise.all([true, false, true].map((commandLine) => ask('settings.set', { commandLine })));
  await expect.poll(isThere).toBe(true);
  await outside.close();
  expect(await isThere()).toBe(false);
});
