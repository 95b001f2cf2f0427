import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import {
  closeAfterEach,
  ended,
  file,
  made,
  PICTURE,
  reply,
  serve,
  startDownloadHarness,
  until,
} from '../../../test/helpers/downloadHarness.ts';
import { PATIENCE_MS } from '../../../test/helpers/patience.ts';
import { testPng } from '../../../test/helpers/png.ts';
import { settle, tempDir } from '../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { startInNode, startProcessesBy } from './workers/index.ts';

/** User-named files and folders on a disk that never answers, or that do not exist: nothing waits for them. */

const disk = vi.hoisted(() => ({
  silent: undefined as string | undefined,
  asked: () => {},
  held: [] as (() => void)[],
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const silenced = Object.entries(real).map(([name, call]) => {
    const answer = (...given: unknown[]) => {
      const real = () => (call as () => unknown)(...(given as []));
      if (disk.silent === undefined || !String(given[0]).startsWith(disk.silent)) return real();
      disk.asked();
      return new Promise((done) => disk.held.push(() => done(real())));
    };
    return [name, typeof call === 'function' ? answer : call];
  });
  const { default: _, ...all } = Object.fromEntries(silenced);
  return { ...all, default: all };
});

const openStudio = studiosOfThisFile();
/** It answers again, also to what was asked meanwhile. */
function answers(): void {
  disk.silent = undefined;
  for (const go of disk.held.splice(0)) go();
}
afterEach(() => {
  answers();
  vi.restoreAllMocks();
  startProcessesBy(startInNode);
  vi.useRealTimers();
});

const ON_THE_MAIN_THREAD = [
  ...(['statSync', 'lstatSync', 'existsSync', 'realpathSync', 'readdirSync', 'readFileSync', 'openSync'] as const),
  ...(['mkdirSync', 'writeFileSync', 'renameSync', 'rmSync', 'rmdirSync', 'symlinkSync'] as const),
];

const NAMING = [
  ['library.move', (place: string) => ({ folder: place })],
  ['library.locate', (place: string) => ({ folder: place })],
  ['library.importFolder', (place: string) => ({ path: place })],
  ['library.import', (place: string) => ({ path: `${place}/a.png` })],
  ['backups.saveCopy', (place: string) => ({ id: 'x', folder: place })],
  ['library.export', (place: string) => ({ ids: ['as_1'], folder: place })],
  ['bundle.read', (place: string) => ({ path: `${place}/a.dailies` })],
  ['bundle.open', (place: string) => ({ path: `${place}/a.dailies` })],
] as const;

async function moved({ ask }: Pick<TestStudio, 'ask'>, folder: string): Promise<void> {
  const { id } = await ask('library.move', { folder });
  const ended = async () => expect(await ask('exports.get', { id })).toMatchObject({ state: 'done' });
  await vi.waitFor(ended, { timeout: PATIENCE_MS, interval: 5 });
}

test.each(NAMING)('%s of a disk that does not answer is refused, and the studio goes on', async (name, input) => {
  const studio = await openStudio();
  const killed = vi.fn();
  const silent = { send: () => undefined, setBusy: () => undefined, end: () => undefined, kill: killed };
  startProcessesBy(() => silent);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = studio.call(name, input(tempDir('share')));
  expect(await studio.call('projects.list', {})).toMatchObject({ ok: true });
  await vi.advanceTimersByTimeAsync(10_000);
  const refused = await answer;
  expect(refused).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect(refused.ok ? '' : refused.error.message).toContain('its disk does not answer');
  expect(killed).toHaveBeenCalled();
});

test.skipIf(!fs.existsSync('/proc/self'))('a folder in which nothing can be made is refused', async () => {
  const { call } = await openStudio();
  expect(await call('library.move', { folder: '/proc' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', data: { field: 'folder' } },
  });
});

test.skipIf(!fs.existsSync('/proc/kmsg'))('a file that is no bytes on a disk is not read', async () => {
  const { call, ask } = await openStudio();
  for (let at = 0; at < 8; at += 1)
    expect(await call('library.import', { path: '/proc/kmsg' })).toMatchObject({
      ok: false,
      error: { message: 'The file is empty.' },
    });
  const picture = path.join(tempDir('pictures'), 'a.png');
  fs.writeFileSync(picture, testPng(8, 8));
  expect(await ask('library.import', { path: picture })).toMatchObject({ state: 'local' });
});

test.skipIf(process.platform === 'win32')('a pipe in the place of a file is not waited for', async () => {
  const pipe = path.join(tempDir('pipes'), 'a.png');
  execFileSync('mkfifo', [pipe]);
  const { call } = await openStudio();
  expect(await call('library.import', { path: pipe })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test.each([
  ['library.move', (place: string) => ({ folder: place })],
  ['library.locate', (place: string) => ({ folder: place })],
  ['library.importFolder', (place: string) => ({ path: place })],
  ['library.export', (place: string, id: string) => ({ ids: [id], folder: place })],
] as const)('a disk that falls silent ends %s at its limit, and the next one goes on', async (name, input) => {
  const { call, ask } = await openStudio();
  const [place, other] = [tempDir('share'), tempDir('other')];
  const picture = path.join(other, 'a.png');
  fs.writeFileSync(picture, testPng(8, 8));
  const { id } = await ask('library.import', { path: picture });
  if (name === 'library.locate') await moved({ ask }, tempDir('first'));
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  disk.silent = place;
  const asked = new Promise<void>((done) => {
    disk.asked = done;
  });
  const answer = call(name, input(place, id));
  await Promise.race([asked, answer]);
  limit.abort();
  expect(await answer).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', data: { field: expect.any(String) } },
  });
  timeout.mockRestore();
  expect(await ask('library.importFolder', { path: other })).toMatchObject({ known: 1 });
  await moved({ ask }, other);
});

test('no call on the main thread waits for the folder that the library moves to, or lies in', async () => {
  const { ask, studio } = await openStudio();
  const place = tempDir('share');
  const touched: string[] = [];
  for (const name of ON_THE_MAIN_THREAD) {
    const real = fs[name] as (...given: unknown[]) => unknown;
    vi.spyOn(fs, name).mockImplementation(((...given: unknown[]) => {
      if (String(given[0]).startsWith(place)) touched.push(name);
      return real(...given);
    }) as never);
  }
  await moved({ ask }, place);
  const body = Readable.from([testPng(8, 8)]);
  const asset = await studio.media.upload({ name: 'a.png', body });
  const ids = asset.ok ? [asset.data.id] : [];
  expect(await ask('library.gone', { ids })).toEqual({ ids: [] });
  await ask('library.space');
  await ask('library.bin', { ids });
  expect(await ask('library.emptyBin', {})).toMatchObject({ files: 1 });
  await moved({ ask }, tempDir('other'));
  expect(touched).toEqual([]);
});

/** Until the limit of every look has passed. */
async function limitPasses(): Promise<void> {
  await settle();
  await vi.advanceTimersByTimeAsync(20_000);
  await settle();
}

test('while the library does not answer one call waits for it, all else is answered, and it is there again once it answers', async () => {
  const { ask, studio } = await openStudio();
  const place = tempDir('share');
  await moved({ ask }, place);
  const upload = () => studio.media.upload({ name: 'a.png', body: Readable.from([testPng(8, 8)]) });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  disk.silent = place;
  const uploads = Array.from({ length: 6 }, upload);
  expect(await studio.call('jobs.list', {})).toMatchObject({ ok: true });
  await limitPasses();
  for (const refused of await Promise.all(uploads))
    expect(refused).toMatchObject({
      error: { code: 'store_unavailable', message: expect.stringContaining('does not answer') },
    });
  expect((await ask('library.folder')).fault).toContain('does not answer');
  expect(await studio.call('library.verify', {})).toMatchObject({ error: { code: 'store_unavailable' } });
  expect(disk.held).toHaveLength(1);
  vi.useRealTimers();
  answers();
  const isThere = async () => expect((await ask('library.folder')).fault).toBeUndefined();
  await vi.waitFor(isThere, { timeout: PATIENCE_MS, interval: 5 });
  expect(await upload()).toMatchObject({ ok: true });
});

closeAfterEach();
test('work that makes files, and downloads, wait for a library that does not answer, and go on by themselves', async () => {
  const [dataDir, home] = [tempDir('data'), tempDir('share')];
  fs.mkdirSync(path.join(home, 'library'));
  fs.writeFileSync(path.join(home, 'library', 'dailies-library.json'), '{"id":"lib_1"}');
  fs.writeFileSync(path.join(dataDir, 'library.json'), JSON.stringify({ home, id: 'lib_1' }));
  let isBusy = true;
  const server = await serve((_, socket) => socket.end(isBusy ? reply(503, '') : file(PICTURE)));
  const harness = startDownloadHarness(server, { dataDir });
  const first = await made(harness, `${server.url}/a`);
  await until(harness, () => server.requests.length === 1);
  await settle();
  isBusy = false;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  disk.silent = home;
  await harness.clock.advance(2_000);
  const second = await made(harness, `${server.url}/b`);
  for (let round = 0; round < 3; round += 1) {
    await limitPasses();
    await harness.clock.advance(120_000);
  }
  expect([harness.script.sent, server.requests.length, disk.held.length]).toEqual([1, 1, 1]);
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'notice', text: expect.stringContaining('does not answer') }),
  );
  vi.useRealTimers();
  answers();
  for (const id of [first, second]) expect((await ended(harness, id)).outputs).toMatchObject([{ state: 'local' }]);
});
