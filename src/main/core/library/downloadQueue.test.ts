import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import {
  askedFrom,
  closeAfterEach,
  ended,
  file,
  filesOf,
  HOUR,
  LARGE,
  made,
  madeOf,
  outputOf,
  PICTURE,
  partsOf,
  reply,
  rest,
  serve,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../test/helpers/downloadHarness.ts';
import { aVideo, type EngineHarness, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { RemoteOutput } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

/** The possible answers of a result's address, and their effect on the result and its job. */

closeAfterEach();
const aVideoTwice = { ...aVideo, config: { durationSeconds: 4, sampleCount: 2 } } as typeof aVideo;
const extension = (jobId: string) =>
  ({ ...aVideo, config: { durationSeconds: 7 }, video: { jobId, output: 0 } }) as typeof aVideo;
const filtered = reply(422, { detail: [{ msg: 'No.', type: 'content_policy_violation' }] });
const chargedFor = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

test('links that expire first are downloaded first, over all jobs; a link without an expiry counts for a day', async () => {
  const held: Socket[] = [];
  const server = await serve((_request, socket) => held.push(socket));
  const harness = startDownloadHarness(server);
  const now = harness.clock.now();
  const at = (name: string, hours?: number): Partial<RemoteOutput> => ({
    uri: `${server.url}/${name}`,
    ...(hours === undefined ? {} : { expiresAt: now + hours * HOUR }),
  });
  const first = await made(harness, at('blocker-a', 0.1), at('blocker-b', 0.1), at('in-days', 72), at('unknown'));
  await until(harness, () => harness.job(first).state === 'fetching' && held.length === 2);
  const second = await made(harness, at('in-hours', 5), at('in-an-hour', 1));
  await until(harness, () => harness.job(second).state === 'fetching');
  for (let done = 0; done < 6; done++) {
    await until(harness, () => held.length > 0);
    held.shift()?.end(file(testPng(8, 8, done), { connection: 'close' }));
  }
  expect((await ended(harness, first)).state).toBe('succeeded');
  expect((await ended(harness, second)).state).toBe('succeeded');
  expect(server.requests.map((got) => got.path).slice(2)).toEqual(['/in-an-hour', '/in-hours', '/unknown', '/in-days']);
});

test('an asset that is not local shows how long it can still be downloaded', async () => {
  const server = await serve(() => undefined);
  const harness = startDownloadHarness(server);
  const id = await made(
    harness,
    { uri: `${server.url}/a`, expiresAt: harness.clock.now() + 5 * HOUR },
    `${server.url}/b`,
  );
  await until(harness, () => harness.job(id).state === 'fetching');
  const [told, assumed] = harness.job(id).outputs;
  expect(told).toMatchObject({ state: 'remote', expiresAt: expect.any(Number) });
  expect(told).not.toHaveProperty('expiryAssumed');
  expect(assumed).toMatchObject({
    state: 'remote',
    expiryAssumed: true,
    expiresAt: (assumed?.createdAt ?? 0) + 24 * HOUR,
  });
});

test('a download that failed is tried again soon, though the clock is set back', async () => {
  const server = await serve((_request, socket) => {
    if (server.requests.length < 2) return void socket.destroy();
    const head = `HTTP/1.1 200 X\r\ncontent-type: image/png\r\ncontent-length: ${PICTURE.length}\r\n\r\n`;
    socket.end(Buffer.concat([Buffer.from(head), PICTURE]));
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => server.requests.length === 1);
  await harness.clock.advance(1_000);
  harness.clock.set(harness.clock.now() - 24 * HOUR);
  expect((await ended(harness, id)).state).toBe('succeeded');
});

test('a download that breaks off goes on where it was, and the file is the very one', async () => {
  const server = await serve((request, socket) => {
    const from = askedFrom(request);
    const piece = LARGE.subarray(from, from + 20_000);
    const head = `HTTP/1.1 ${from > 0 ? 206 : 200} X\r\ncontent-type: image/png\r\netag: "v1"\r\ncontent-length: ${LARGE.length - from}\r\n`;
    const range = from > 0 ? `content-range: bytes ${from}-${LARGE.length - 1}/${LARGE.length}\r\n` : '';
    socket.end(Buffer.concat([Buffer.from(`${head}${range}\r\n`), piece]));
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(outputOf(harness, id)).toMatchObject({ state: 'local', bytes: LARGE.length, sha256: sha256(LARGE) });
  expect(server.requests.length).toBeGreaterThan(2);
  expect(server.requests[1]?.headers).toMatchObject({ range: 'bytes=15904-', 'if-range': '"v1"' });
  expect(partsOf(harness)).toEqual([]);
});

test.each([
  ['its entity tag says so', true],
  ['only its bytes say so', false],
])('a file that has changed in between is begun anew: %s', async (_how, tagged) => {
  const [before, after] = [0, 1].map((seed) => Buffer.concat([testPng(40, 40), Buffer.alloc(60_000, seed)]));
  if (!before || !after) throw new Error('two files');
  const server = await serve((request, socket, count) => {
    const from = askedFrom(request);
    const tag: Record<string, string> = tagged ? { etag: count === 1 ? '"v1"' : '"v2"' } : {};
    if (count === 1) return socket.end(file(before, tag).subarray(0, 30_000));
    if (from === 0) return socket.end(file(after, tag));
    socket.end(rest(after, from, tag));
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  expect(outputOf(harness, id)).toMatchObject({ state: 'local', sha256: sha256(after) });
});

test('a picture without its end marker does not count as complete', async () => {
  const server = await serve((_request, socket, count) => {
    const body = count < 3 ? PICTURE.subarray(0, PICTURE.length - 20) : PICTURE;
    socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n'), body]));
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  expect(outputOf(harness, id)).toMatchObject({ state: 'local', sha256: sha256(PICTURE) });
  expect(server.requests).toHaveLength(3);
  expect(filesOf(harness)).toEqual([`${sha256(PICTURE)}.png`]);
});

test.each<[string, string, string, number]>([
  ['with its code', filtered, 'moderation', 0],
  [
    'as a task that failed',
    reply(200, { status: 'FAILED', error: { message: 'No.', code: 'content_filter' } }),
    'moderation',
    0,
  ],
  ['in words of no moderator', reply(400, { error: { message: 'No face was found.' } }), 'invalid', 1_600_000_000],
])(
  'a result address that answers with a refusal %s is that refusal, and no charge',
  async (_how, answer, kind, uncertainNano) => {
    const server = await serve((_request, socket) => socket.end(answer));
    const harness = startDownloadHarness(server);
    const job = await ended(harness, await made(harness, `${server.url}/a`));
    expect(job).toMatchObject({
      state: 'failed',
      error: { kind, retryable: false, message: expect.stringMatching(/^No/) },
    });
    expect(job.money).toMatchObject({ chargedNano: 0, reservedNano: 0, uncertainNano });
    expect(chargedFor(harness)).toMatchObject({ settledNano: 0, reservedNano: 0, uncertainNano });
    expect(server.requests.length).toBeLessThanOrEqual(4);
  },
);

test.each<[string, string, number]>([
  ['filtered', filtered, 0],
  ['refused for another reason', reply(400, { error: { message: 'No face was found.' } }), VIDEO_NANO],
])('a clip that was %s beside one that came is charged to nobody', async (_how, answer, uncertainNano) => {
  const clip = await clipOf({ seconds: 4 });
  const server = await serve(({ path }, socket) =>
    socket.end(path === '/b' ? answer : file(clip, { 'content-type': 'video/mp4' })),
  );
  const harness = startDownloadHarness(server);
  const id = await madeOf(aVideoTwice, harness, `${server.url}/b`, `${server.url}/a`);
  const onOther = await harness.enqueue(extension(id), {
    dependsOn: [id],
  });
  const job = await ended(harness, id);
  expect(job).toMatchObject({
    state: 'succeeded',
    // Each keeps its place, by which others are built on it.
    outputs: [{ state: 'expired' }, { state: 'local', outputIndex: 1 }],
    differs: [{ what: 'count', ordered: '2 clips', made: '1 clip' }],
    money: { chargedNano: VIDEO_NANO, reservedNano: 0, uncertainNano },
  });
  expect(job.money.note).toMatch(/^1 of 2 results were not made: No.*charged as it was made/);
  expect(job).not.toHaveProperty('error');
  expect(chargedFor(harness)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano });
  // What builds on the other one is not sent with an address behind which there is nothing.
  expect((await ended(harness, onOther.id)).state).toBe('failed');
  expect(harness.script.sent).toBe(1);
});

test.each<[string, string, string, number]>([
  ['filtered', filtered, '/refused', 0],
  ['refused for another reason', reply(400, { error: { message: 'No face was found.' } }), '/refused', 2 * VIDEO_NANO],
  ['filtered beside one that came', filtered, '/a', 0],
])('a canceled job whose result was %s is not charged for it', async (_how, answer, other, uncertainNano) => {
  const clip = await clipOf({ seconds: 4 });
  const server = await serve(({ path }, socket) =>
    socket.end(path === '/a' ? file(clip, { 'content-type': 'video/mp4' }) : answer),
  );
  const harness = startDownloadHarness(server);
  const id = await madeOf(aVideoTwice, harness, `${server.url}/refused`, server.url + other);
  harness.engine.commands.cancel(id);
  expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { uncertainNano: 2 * VIDEO_NANO } });
  await until(harness, () => harness.job(id).money.note !== undefined);
  const job = harness.job(id);
  const chargedNano = other === '/a' ? VIDEO_NANO : 0;
  expect(job).toMatchObject({ state: 'canceled', money: { chargedNano, uncertainNano, reservedNano: 0 } });
  expect(job.money.note).toMatch(/No/);
  expect(chargedFor(harness)).toMatchObject({ settledNano: chargedNano, uncertainNano });
  // It is settled once: what is fetched once more changes no money.
  const [result] = job.outputs;
  if (result) harness.library.download(result.id);
  harness.coreEvents.emit('output.settled', id);
  await harness.clock.advance(60_000);
  expect(harness.job(id).money).toEqual(job.money);
});

test('a canceled job whose result was refused in the last moment is settled by the next start', async () => {
  const server = await serve((_, socket) => socket.end(filtered));
  const harness = startDownloadHarness(server);
  const id = await madeOf(aVideo, harness, `${server.url}/a`);
  harness.engine.commands.cancel(id);
  harness.coreEvents.removeAllListeners('output.settled');
  await until(harness, () => outputOf(harness, id)?.state === 'expired');
  expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: VIDEO_NANO } });
  await harness.end();
  const next = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  await until(next, () => next.job(id).money.note !== undefined);
  expect(next.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: 0, uncertainNano: 0 } });
});

test('results that were all refused are free only if all were filtered', async () => {
  const server = await serve(({ path }, socket) =>
    socket.end(path === '/a' ? filtered : reply(400, { error: { message: 'No face was found.' } })),
  );
  const harness = startDownloadHarness(server);
  const job = await ended(harness, await madeOf(aVideoTwice, harness, `${server.url}/a`, `${server.url}/b`));
  expect(job).toMatchObject({ state: 'failed', error: { kind: 'invalid' } });
  expect(job.money).toMatchObject({ chargedNano: 0, uncertainNano: 2 * VIDEO_NANO });
});

test.each<[string, string | Buffer]>([
  ['an empty balance', reply(402, { error: { code: 'insufficient_quota', message: 'Top up.' } })],
  ['a changed key', reply(403, { error: { code: 'access_denied', message: 'No access.' } })],
  ['a limit of rate', reply(400, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })],
  ['a limit of rate with a good status', reply(200, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })],
])('a download that is refused for %s is tried until it comes, and the charge stands', async (_what, refusal) => {
  let mended = false;
  const server = await serve((_request, socket) => socket.end(mended ? file(PICTURE) : refusal));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => server.requests.length >= 24);
  expect(harness.job(id)).toMatchObject({ state: 'fetching', money: { chargedNano: 1_600_000_000, uncertainNano: 0 } });
  mended = true;
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', money: { chargedNano: 1_600_000_000 } });
});

const page = reply(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });

test.each<[string, string | Buffer, RegExp]>([
  ['a page', page, /gives a web page instead of a file/],
  ['a message', reply(200, { error: 'internal' }), /gives a message instead of a file/],
  ['nothing', reply(200, '', { 'content-type': 'image/png' }), /gives nothing instead of a file/],
  ['a file of another kind', file(Buffer.from('%PDF-1.7 and much more of it')), /no picture, video or sound/],
  ['a picture that is always cut', file(PICTURE.subarray(0, -20)), /it is cut off/],
  ['an address that it does not know', reply(404, 'no'), /does not know it/],
  ['a refusal', reply(400, 'no'), /no\b/],
  [
    'far too many bytes',
    `${'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9000000000\r\n\r\n'}x`,
    /larger than 4096 MB/,
  ],
])(
  'an address that gives %s is asked a few times, then the job ends with the reason, and the money stands',
  async (_what, bytes, why) => {
    const server = await serve((_request, socket) => socket.end(bytes));
    const harness = startDownloadHarness(server);
    const id = await made(harness, `${server.url}/a`);
    const job = await ended(harness, id);
    expect(job).toMatchObject({ state: 'failed', error: { message: expect.stringMatching(why), retryable: false } });
    expect(job.outputs[0]).toMatchObject({ state: 'expired', fault: expect.stringMatching(why) });
    expect(server.requests.length).toBeGreaterThanOrEqual(4);
    expect(server.requests.length).toBeLessThanOrEqual(16);
    expect(chargedFor(harness)).toMatchObject({ settledNano: 1_600_000_000, reservedNano: 0 });
    expect(partsOf(harness)).toEqual([]);
    expect(filesOf(harness)).toEqual([]);
  },
);

test('a clip that cannot be read here is kept as it came when its address gives nothing else', async () => {
  const strange = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom0000isommp42'), Buffer.alloc(5_000, 'x')]);
  const server = await serve((_request, socket) => socket.end(file(strange, { 'content-type': 'video/mp4' })));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(outputOf(harness, id)).toMatchObject({ state: 'local', mime: 'video/mp4', sha256: sha256(strange), width: 0 });
  expect(server.requests).toHaveLength(3);
});

test('what was given up is fetched when the user asks for it', async () => {
  let mended = false;
  const server = await serve((_request, socket) => socket.end(mended ? file(PICTURE) : page));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  mended = true;
  const asked = await harness.library.download(outputOf(harness, id)?.id ?? '');
  expect(asked).toMatchObject({ ok: true, data: { state: 'remote' } });
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(outputOf(harness, id)).toMatchObject({ sha256: sha256(PICTURE) });
  expect(outputOf(harness, id)).not.toHaveProperty('fault');
  expect(harness.job(id).state).toBe('failed');
});

test('a result that is not ready is requested again for as long as it takes', async () => {
  const server = await serve((_request, socket, count) =>
    socket.end(count <= 12 ? reply(200, { status: 'processing' }) : file(PICTURE)),
  );
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(server.requests).toHaveLength(13);
});

test('an early 404 is retried, and an expired link is not', async () => {
  const server = await serve((request, socket, count) => {
    if (request.path === '/ended') socket.end(reply(410, ''));
    else socket.end(count < 3 ? reply(404, '') : file(PICTURE));
  });
  const harness = startDownloadHarness(server);
  const late = await made(harness, `${server.url}/late`);
  expect((await ended(harness, late)).state).toBe('succeeded');
  const over = await made(harness, `${server.url}/ended`);
  expect((await ended(harness, over)).state).toBe('failed');
  expect(server.requests.filter((got) => got.path === '/ended')).toHaveLength(1);
});

test.each(['http://169.254.169.254/latest', 'http://10.0.0.1/a', 'file:///etc/passwd', 'ftp://127.0.0.1/a'])(
  'a redirect to %s ends the download, and nothing is connected to',
  async (location) => {
    const server = await serve((_request, socket) => socket.end(reply(302, '', { location })));
    const harness = startDownloadHarness(server);
    const id = await made(harness, `${server.url}/a`);
    expect(await ended(harness, id)).toMatchObject({ state: 'failed', outputs: [{ state: 'expired' }] });
    expect(server.requests).toHaveLength(1);
  },
);

test('what lies in object storage stays there, and its job has succeeded', async () => {
  const harness = startDownloadHarness(await serve(() => undefined));
  const id = await made(harness, 'gs://bucket/clip.mp4');
  expect(await ended(harness, id)).toMatchObject({ state: 'succeeded', outputs: [{ state: 'remote' }] });
});
