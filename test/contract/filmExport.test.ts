import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Response } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { drawClip } from '../../src/main/sandbox/render/clip.ts';
import type { CallInput } from '../../src/shared/contract/contract.ts';
import type { Export } from '../../src/shared/film/filmExport.ts';
import { launchBrowser, openPage } from '../helpers/browser.ts';
import { probeFilm } from '../helpers/ffprobe.ts';
import { FILM, makeFilmFolder } from '../helpers/filmStudio.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { MovedClock } from '../helpers/movedClock.ts';
import { packetsOf } from '../helpers/packets.ts';

/** Film export in the running program: the media page encodes it under our content policy, the studio writes it. */

const SECONDS = 2;
let clips: Buffer[];
let browser: Browser | undefined;
let host: Host | undefined;

beforeAll(async () => {
  const spec = { width: 320, height: 180, seconds: SECONDS, audio: true, references: [] };
  const drawn = [1, 2, 3].map((seed) => drawClip({ ...spec, seed, prompt: `shot ${seed}` }));
  clips = (await Promise.all(drawn)).map(({ video }) => Buffer.from(video));
});
afterEach(async () => {
  await browser?.close();
  await host?.stop();
  browser = undefined;
  host = undefined;
});

async function startFilm(count = clips.length, env: Record<string, string> = {}): Promise<Host> {
  const shots = Array.from({ length: count }, (_, index) => ({ clip: clips[index % clips.length] as Buffer }));
  host = await startHost({ dataDir: makeFilmFolder(shots), env });
  return host;
}

async function exportFilm(of: Host, input: Partial<CallInput<'film.export'>> = {}): Promise<Export> {
  const { id } = await of.ask('film.export', { projectId: FILM, format: 'mp4', ...input });
  await expect.poll(async () => (await of.ask('exports.get', { id })).state).not.toBe('running');
  return of.ask('exports.get', { id });
}

async function served(of: Host, { id, files }: Export): Promise<{ bytes: Buffer; file: string }> {
  const name = files[0]?.name ?? '';
  const response = await of.request(`/exports/${id}/${encodeURIComponent(name)}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const file = path.join(of.dataDir, 'read-back.mp4');
  await writeFile(file, bytes);
  return { bytes, file };
}

test("without a page, the host's own browser joins the film packet by packet, and encodes it on request", async () => {
  const running = await startFilm();
  const joined = await exportFilm(running);
  expect(joined).toMatchObject({ state: 'done', progress: 100, mode: 'join', files: [{ mime: 'video/mp4' }] });
  const { bytes, file } = await served(running, joined);
  const hashes = (packets: { sha256: string }[]) => packets.map(({ sha256 }) => sha256);
  const film = await packetsOf(bytes);
  const sources = await Promise.all(clips.map((clip) => packetsOf(clip)));
  expect(hashes(film.video)).toEqual(sources.flatMap(({ video }) => hashes(video)));
  expect(hashes(film.audio)).toEqual(sources.flatMap(({ audio }) => hashes(audio)));
  expect((await probeFilm(file)).complaints).toBe('');
  const encoded = await exportFilm(running, { mode: 'encode' });
  expect(encoded).toMatchObject({ state: 'done', mode: 'encode' });
  const probed = await probeFilm((await served(running, encoded)).file);
  expect(probed.complaints).toBe('');
  expect(probed.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  expect(probed.streams[0]?.nb_read_frames).toBe(String(24 * SECONDS * clips.length));
});

test('an open page makes the film in its sandboxed frame', async () => {
  const running = await startFilm();
  browser = await launchBrowser();
  const page = await openPage(browser, 1024, 700);
  const claimed = page.waitForRequest((request) => request.url().endsWith('/rpc/media.claimFilm'));
  await page.goto(running.url);
  await claimed;
  const written = page.waitForRequest((request) => request.url().includes('/media?film='));
  const encoded = await exportFilm(running, { mode: 'encode' });
  await written;
  expect(encoded).toMatchObject({ state: 'done', mode: 'encode' });
  const probed = await probeFilm((await served(running, encoded)).file);
  expect(probed.complaints).toBe('');
  expect(probed.streams[0]?.nb_read_frames).toBe(String(24 * SECONDS * clips.length));
});

test('a page that is reloaded while it makes a film goes on with it', async () => {
  const clock = new MovedClock(Date.now());
  const running = await startFilm(20, clock.env);
  browser = await launchBrowser();
  const page = await openPage(browser, 1024, 700);
  // A reload discards the bodies of answers on their way.
  const hasTask = (answer: Response) =>
    answer.json().then(
      ({ data }) => data.task !== null,
      () => false,
    );
  const claims = () =>
    page.waitForResponse((answer) => answer.url().endsWith('/rpc/media.claimFilm') && hasTask(answer));
  await page.goto(running.url);
  const first = claims();
  const { id } = await running.ask('film.export', { projectId: FILM, format: 'mp4', mode: 'encode' });
  await first;
  await expect.poll(async () => (await running.ask('exports.get', { id })).progress).toBeGreaterThan(1);
  const again = claims();
  await page.reload();
  // With this clock the old page's claim never expires, so the page must have returned it.
  await clock.setBack(3_600_000);
  await again;
  await running.ask('exports.cancel', { id });
});

test('a film that is killed or canceled half-way is never marked done, and leaves nothing behind', async () => {
  let running = await startFilm(20);
  const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  const underWay = async () => {
    const { id, folder } = await running.ask('film.export', { projectId: FILM, format: 'mp4', mode: 'encode' });
    await expect.poll(async () => (await running.ask('exports.get', { id })).progress).toBeGreaterThan(1);
    expect(filesIn(folder).filter((name) => !name.endsWith('.part'))).toEqual([]);
    return { id, folder };
  };
  const canceled = await underWay();
  await running.ask('exports.cancel', { id: canceled.id });
  await expect.poll(async () => (await running.ask('exports.get', { id: canceled.id })).state).toBe('canceled');
  expect(filesIn(canceled.folder)).toEqual([]);
  const killed = await underWay();
  await running.kill('SIGKILL');
  expect(filesIn(killed.folder).filter((name) => !name.endsWith('.part'))).toEqual([]);
  running = await running.restart();
  host = running;
  await expect.poll(() => running.ask('exports.get', { id: killed.id })).toMatchObject({ state: 'failed', files: [] });
  expect(filesIn(killed.folder)).toEqual([]);
});

test('a page writes only the film that it has claimed', async () => {
  const running = await startFilm(1);
  const answer = await running.request('/media?film=guess&at=0', { method: 'PUT', body: 'x' });
  expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect((await fetch(`${running.origin}/media?film=guess&at=0`, { method: 'PUT', body: 'x' })).status).toBe(401);
});
