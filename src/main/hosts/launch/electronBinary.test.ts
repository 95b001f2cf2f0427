import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchElectron, findElectron } from './electronBinary.ts';

const packages = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules');
let root: string;
let server: Server | undefined;

/** A checkout whose electron package came without its binary. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dailies-electron-'));
  const folder = join(root, 'node_modules', 'electron');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'install.js', 'checksums.json'])
    cpSync(join(packages, 'electron', file), join(folder, file));
  symlinkSync(join(packages, '@electron'), join(root, 'node_modules', '@electron'));
  vi.stubEnv('electron_config_cache', join(root, 'cache'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server?.close();
  server?.closeAllConnections();
  rmSync(root, { recursive: true });
});

async function mirror(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test('a source that accepts the connection and sends nothing is abandoned within 5 s, and nothing is remembered', async () => {
  const asked = Promise.withResolvers<void>();
  await mirror(() => asked.resolve());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fetched = fetchElectron(root);
  await asked.promise;
  vi.advanceTimersByTime(5_000);
  expect(await fetched).toEqual({ ok: false, reason: 'its source cannot be reached' });
  expect(findElectron(root)).toBeUndefined();
  expect(readdirSync(root)).toEqual(['node_modules']);
});

test('a source that is not there is given up at once', async () => {
  await mirror(() => {});
  server?.close();
  // No timer comes: whatever waits for one waits for ever.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await fetchElectron(root)).toMatchObject({ ok: false });
});

test('a source without this version says so', async () => {
  await mirror((_, response) => response.writeHead(404).end());
  expect(await fetchElectron(root)).toEqual({ ok: false, reason: expect.stringContaining('404') });
});

test('what does not match the checksums that came with the package is not installed', async () => {
  await mirror((_, response) => response.writeHead(200).end('no archive'));
  expect(await fetchElectron(root)).toMatchObject({ ok: false });
  expect(findElectron(root)).toBeUndefined();
});
