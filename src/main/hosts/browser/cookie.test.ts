import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordingLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { MediaFile } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { newSecret } from './access.ts';
import { startServer } from './server.ts';

const apps = vi.hoisted((): { routes: { path: string }[] }[] => []);
vi.mock('hono', async (original) => {
  const hono = await original<typeof import('hono')>();
  class Hono extends hono.Hono {
    constructor(...options: ConstructorParameters<typeof hono.Hono>) {
      super(...options);
      apps.push(this);
    }
  }
  return { ...hono, Hono };
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Pages stand behind the route of all other paths. */
const PAGES = ['/', '/index.html', '/media.html', '/other.html', '/assets/page.js', '/icon.svg'];

async function start() {
  const path = join(tempDir('cookie'), 'film.mp4');
  writeFileSync(path, 'film');
  const file: MediaFile = { path, mime: 'video/mp4', bytes: 4, sha256: 'f', name: 'film.mp4' };
  const open = () => ({ ok: true as const, data: file });
  const done = async () => ({ ok: true, data: {} }) as never;
  const media = { open, upload: done, receiveBundle: done, writeFilm: done };
  const studio: Studio = {
    call: done,
    subscribe: () => () => {},
    media,
    exports: { open: async () => open() },
    stopSending() {},
    close: done,
  };
  const server = await startServer({
    port: 0,
    secrets: { token: newSecret(), originKey: newSecret() },
    studio,
    pages: { serve: async (path) => (PAGES.includes(path) ? new Response('page') : null) },
    log: recordingLog(),
    now: () => 0,
    media: () => undefined,
  });
  onTestFinished(() => server.close());
  const { origin, access } = server;
  const entered = access.enter(access.token, 'app')?.cookie ?? '';
  const cookie = entered.slice(0, entered.indexOf(';'));
  /** What is answered with more than a refusal, of all methods at each of these paths. */
  const answered = async (paths: readonly string[], headers: Record<string, string>) => {
    const found: string[] = [];
    for (const path of paths) {
      for (const method of METHODS) {
        const { status } = await fetch(origin + path, { method, headers, redirect: 'manual' });
        if (status < 400) found.push(`${method} ${path}`);
      }
    }
    return found;
  };
  return { origin, cookie, answered };
}

/** Every path that the server has a route for, with something in the place of what varies. */
const routes = (): string[] => [
  ...new Set(apps.flatMap((app) => app.routes.map(({ path }) => path.replaceAll(/:\w+|\*/g, 'x')))),
];

const reads = (...paths: string[]) => paths.flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
const ANYBODY = reads('/assets/page.js', '/icon.svg');
const BY_COOKIE = reads('/media/x', '/exports/x/x', '/', '/index.html', '/media.html', '/other.html');

test('the cookie alone reads media, what was exported and the page, and does nothing', async () => {
  const { origin, cookie, answered } = await start();
  const paths = [...new Set([...routes(), ...PAGES])];
  for (const path of ['/rpc/x', '/events', '/media', '/media/x', '/exports/x/x', '/session', '/hello', '/x'])
    expect(paths).toContain(path);
  const expected = [...BY_COOKIE, ...ANYBODY].sort();
  expect((await answered(paths, {})).sort()).toEqual(ANYBODY.toSorted());
  const own: Record<string, string>[] = [{}, { origin }, { 'sec-fetch-site': 'same-origin' }];
  for (const more of own) expect((await answered(paths, { cookie, ...more })).sort()).toEqual(expected);
  // A page of another port has the same cookie sent along.
  expect(await answered(paths, { cookie, 'sec-fetch-site': 'same-site' })).toEqual([]);
});
