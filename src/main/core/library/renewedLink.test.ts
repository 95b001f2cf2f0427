import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import {
  closeAfterEach,
  ended,
  file,
  HOUR,
  made,
  outputOf,
  PICTURE,
  reply,
  serve,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../test/helpers/downloadHarness.ts';
import { acceptance, aVideo, error, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import type { PollOutcome } from '../gateway/index.ts';
import { sql } from '../store/index.ts';
import { contentPath } from './contentStore.ts';
import { MIN_FREE_BYTES } from './download.ts';
import { MAX_RENEWALS } from './renewedLink.ts';

/** A link ends, and the service still has the task that made the result: a poll of it costs nothing and names a new link. */

closeAfterEach();
const done = (...uris: string[]): PollOutcome => ({
  type: 'done',
  outputs: uris.map((uri) => ({ uri, role: 'output' })),
});
const unreachable: PollOutcome = { type: 'unreachable', error: error({ kind: 'network', retryable: true }) };
const paid = { chargedNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 };

/** Addresses under `/ended` have ended. */
const someEnded = () =>
  serve(({ path }, socket) => socket.end(path.startsWith('/ended') ? reply(410, '') : file(PICTURE)));

test('a result whose link has ended comes by the link that its task names now, and is ordered and paid once', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`, `${server.url}/b`);
  harness.script.poll.push(done(`${server.url}/a`, `${server.url}/b`));
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
  expect(harness.job(id).outputs.map(({ state, sha256, fault }) => ({ state, sha256, fault }))).toEqual(
    [0, 1].map(() => ({ state: 'local', sha256: sha256(PICTURE), fault: undefined })),
  );
  expect(server.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/ended']);
  expect(harness.script).toMatchObject({ sent: 1, polled: 2 });
});

test('a gateway that cannot be asked for a new link now is asked until it answers', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.script.poll.push(...Array.from({ length: 1_000 }, () => unreachable));
  await until(harness, () => harness.script.polled > 3);
  await harness.clock.advance(5 * 60_000);
  expect(harness.job(id).state).toBe('fetching');
  expect(outputOf(harness, id)?.fault).toMatch(/has ended.*asked/);
  harness.script.poll = [done(`${server.url}/a`)];
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
  expect(harness.script.sent).toBe(1);
});

test('a page in place of the task does not end the asking for a new link', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  const page: PollOutcome = {
    type: 'unreachable',
    error: error({ kind: 'invalid', wrongPlace: true, retryable: false }),
  };
  harness.script.poll.push(...Array.from({ length: 1_000 }, () => page));
  await until(harness, () => harness.script.polled > 3);
  expect(harness.job(id).state).toBe('fetching');
  harness.script.poll = [done(`${server.url}/a`)];
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
});

test('a page after the announced end of a link is reason enough to ask the task, and without another link it is asked again', async () => {
  const page = reply(200, '<!doctype html>Over', { 'content-type': 'text/html' });
  const server = await serve(({ path }, socket) => socket.end(path === '/ended' ? page : file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, { uri: `${server.url}/ended`, expiresAt: harness.clock.now() - HOUR });
  harness.script.poll.push({ type: 'missing' }, unreachable, done(`${server.url}/a`));
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
  expect(server.requests.map(({ path }) => path)).toEqual(['/ended', '/ended', '/ended', '/a']);
});

test('a gateway is asked until it answers long after the announced end of a link too', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, { uri: `${server.url}/ended`, expiresAt: harness.clock.now() + HOUR });
  harness.script.poll.push(...Array.from({ length: 1_000 }, () => unreachable));
  await until(harness, () => harness.script.polled > 1);
  harness.clock.set(harness.clock.now() + 72 * HOUR);
  await harness.clock.advance(5 * 60_000);
  expect(harness.job(id).state).toBe('fetching');
  harness.script.poll = [done(`${server.url}/a`)];
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
  expect(harness.script.sent).toBe(1);
});

test('a task that cannot be asked for by an exception is asked for again, within the time of its result', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const answers = vi.spyOn(harness.script.poll, 'shift').mockReturnValueOnce(done(`${server.url}/ended`));
  answers.mockImplementation(() => {
    throw new Error('a driver broke');
  });
  const id = await made(harness, `${server.url}/ended`);
  await until(harness, () => harness.script.polled > 3);
  expect(outputOf(harness, id)?.fault).toMatch(/has ended.*asked/);
  harness.clock.set(harness.clock.now() + 15 * 24 * HOUR);
  expect(await ended(harness, id)).toMatchObject({ state: 'failed', outputs: [{ state: 'expired' }], money: paid });
});

test.each<[string, (url: string) => PollOutcome]>([
  ['is not known any more', () => ({ type: 'missing' })],
  ['names the link that has ended', (url) => done(`${url}/ended`)],
  ['names another number of results', (url) => done(`${url}/a`, `${url}/b`)],
  ['has failed', () => ({ type: 'failed', error: error(), billed: 'no' })],
  ['cannot be asked for, as the service says', () => ({ type: 'unreachable', error: error({ kind: 'invalid' }) })],
])('a result whose link has ended and whose task %s is given up, and its charge stands', async (_what, outcome) => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.script.poll.push(outcome(server.url));
  expect(await ended(harness, id)).toMatchObject({ state: 'failed', outputs: [{ state: 'expired' }], money: paid });
  expect(harness.script).toMatchObject({ sent: 1, polled: 2 });
});

test('links that have all ended are asked for a few times', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.script.poll.push(...Array.from({ length: 1_000 }, (_, n) => done(`${server.url}/ended/${n}`)));
  expect(await ended(harness, id)).toMatchObject({ state: 'failed', money: paid });
  expect(server.requests.length).toBeLessThanOrEqual(4);
});

/** Its links work for an hour each, as long as the task is asked for the next one. */
async function hourlyLinks() {
  const disk = { free: MIN_FREE_BYTES + 10 };
  const linkNow = (): string => `/${Math.floor(harness.clock.now() / HOUR)}`;
  const server = await serve(({ path }, socket) => socket.end(path === linkNow() ? file(PICTURE) : reply(410, '')));
  const harness = startDownloadHarness(server, { freeBytes: () => disk.free });
  harness.script.submit = [acceptance(harness.clock)];
  vi.spyOn(harness.script.poll, 'shift').mockImplementation(() => done(server.url + linkNow()));
  const { id } = await harness.enqueue(aVideo);
  await until(harness, () => outputOf(harness, id)?.fault === 'The disk is full.');
  return { server, harness, id, disk };
}

test('links that end while the disk is full are asked for anew until there is room', async () => {
  const { server, harness, id, disk } = await hourlyLinks();
  for (let hour = 0; hour < 8; hour++) {
    harness.clock.set(harness.clock.now() + HOUR);
    await harness.clock.advance(5 * 60_000);
  }
  expect(new Set(server.requests.map(({ path }) => path)).size).toBeGreaterThan(MAX_RENEWALS + 2);
  disk.free = 1e12;
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
  expect(harness.script.sent).toBe(1);
});

test('a new link that cannot be written down is asked for again until it can', async () => {
  const { harness, id, disk } = await hourlyLinks();
  disk.free = 1e12;
  harness.clock.set(harness.clock.now() + HOUR);
  const asked = harness.script.polled + MAX_RENEWALS;
  const { transaction } = harness.store;
  harness.store.transaction = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await until(harness, () => harness.script.polled >= asked);
  harness.store.transaction = transaction;
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
});

test('the result of a canceled job comes by the link that its task names now, also after a restart', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.engine.commands.cancel(id);
  harness.script.poll.push(...Array.from({ length: 1_000 }, () => unreachable));
  await until(harness, () => harness.script.polled > 2);
  await harness.end();
  const next = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  next.script.poll = [done(`${server.url}/a`)];
  await until(next, () => outputOf(next, id)?.state === 'local');
  expect(next.job(id)).toMatchObject({ state: 'canceled', money: paid });
  await next.clock.advance(2 * HOUR);
  expect([next.script.polled, next.script.sent, harness.script.sent]).toEqual([1, 0, 1]);
});

test('what was given up comes by a new link when the user asks for it', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.script.poll.push({ type: 'missing' });
  const before = await ended(harness, id);
  harness.script.poll.push(done(`${server.url}/a`));
  expect((await harness.library.download(before.outputs[0]?.id ?? '')).ok).toBe(true);
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(harness.job(id).money).toEqual(before.money);
  expect(harness.script.sent).toBe(1);
});

test('what waits with its last link is asked for anew when the user asks for it', async () => {
  let isThere = true;
  const last = () => reply(isThere ? 404 : 410, '');
  const server = await serve(({ path }, socket) =>
    socket.end(path === '/new' ? file(PICTURE) : path === '/last' ? last() : reply(410, '')),
  );
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/ended`);
  harness.script.poll.push(...['/a', '/b', '/last', '/new'].map((path) => done(server.url + path)));
  await until(harness, () => (outputOf(harness, id)?.fault ?? '').includes('404'));
  isThere = false;
  expect((await harness.library.download(outputOf(harness, id)?.id ?? '')).ok).toBe(true);
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: paid });
});

test('a damaged file is fetched again by a new link', async () => {
  const server = await someEnded();
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  const asset = outputOf(harness, id);
  const place = contentPath(harness.dataDir, sha256(PICTURE), 'png');
  fs.writeFileSync(place, 'rotten');
  harness.store.transaction((db) =>
    db.run(sql('test.endedLink', 'UPDATE assets SET remote_uri = $uri'), { uri: `${server.url}/ended` }),
  );
  harness.script.poll.push(done(`${server.url}/b`));
  expect((await harness.library.download(asset?.id ?? '', true)).ok).toBe(true);
  await until(harness, () => fs.readFileSync(place).length === PICTURE.length);
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(outputOf(harness, id)?.fault).toBeUndefined();
});
