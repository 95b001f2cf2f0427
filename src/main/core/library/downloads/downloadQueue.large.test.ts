import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../../test/helpers/clip.ts';
import {
  askedFrom,
  closeAfterEach,
  downloading,
  ended,
  file,
  filesOf,
  HOUR,
  LARGE,
  made,
  outputOf,
  PICTURE,
  partsOf,
  reply,
  rest,
  serve,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../../test/helpers/downloadHarness.ts';
import { aVideo, type EngineHarness, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { testPng } from '../../../../../test/helpers/png.ts';
import { totals } from '../../ledger/index.ts';

/** The possible answers of a result's address, and their effect on the result and its job. */

closeAfterEach();
const aVideoTwice = { ...aVideo, config: { durationSeconds: 4, sampleCount: 2 } } as typeof aVideo;
const extension = (jobId: string) =>
  ({ ...aVideo, config: { durationSeconds: 7 }, video: { jobId, output: 0 } }) as typeof aVideo;
const filtered = reply(422, { detail: [{ msg: 'No.', type: 'content_policy_violation' }] });
const refusedOtherwise = reply(400, { error: { message: 'No face was found.' } });
const page = reply(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
const chargedFor = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

test('links that expire first are downloaded first, over all jobs; a link without an expiry counts for a day', async () => {
  const held: Socket[] = [];
  const server = await serve((_request, socket) => held.push(socket));
  const harness = startDownloadHarness(server);
  const now = harness.clock.now();
  const at = (name: string, hours: number) => ({ uri: `${server.url}/${name}`, expiresAt: now + hours * HOUR });
  const urgent = [at('blocker-a', 0.1), at('blocker-b', 0.1)];
  const first = await made(harness, ...urgent, at('in-days', 72), `${server.url}/unknown`);
  await until(harness, () => harness.job(first).state === 'fetching' && held.length === 2);
  const second = await made(harness, at('in-hours', 5), at('in-an-hour', 1));
  await until(harness, () => harness.job(second).state === 'fetching');
  for (let done = 0; done < 6; done++) {
    await until(harness, () => held.length > 0);
    held.shift()?.end(file(testPng(8, 8, done), { connection: 'close' }));
  }
  for (const id of [first, second]) expect((await ended(harness, id)).state).toBe('succeeded');
  expect(server.requests.map((got) => got.path).slice(2)).toEqual(['/in-an-hour', '/in-hours', '/unknown', '/in-days']);
});

test('an asset that is not local shows how long it can still be downloaded', async () => {
  const outputs = [{ uri: '/a', expiresAt: Date.UTC(2026, 10, 21, 17) }, '/b'];
  const { job, until: untilIt } = await downloading(() => undefined, { outputs });
  await untilIt(() => job().state === 'fetching');
  const [told, assumed] = job().outputs;
  expect(told).toMatchObject({ state: 'remote', expiresAt: expect.any(Number) });
  expect(told).not.toHaveProperty('expiryAssumed');
  const expiresAt = (assumed?.createdAt ?? 0) + 24 * HOUR;
  expect(assumed).toMatchObject({ state: 'remote', expiryAssumed: true, expiresAt });
});

test('a download that failed is tried again soon, though the clock is set back', async () => {
  const { server, harness, ends } = await downloading((_request, socket, count) => {
    if (count < 2) socket.destroy();
    else socket.end(file(PICTURE));
  });
  await until(harness, () => server.requests.length === 1);
  await harness.clock.advance(1_000);
  harness.clock.set(harness.clock.now() - 24 * HOUR);
  expect((await ends()).state).toBe('succeeded');
});

test('a download that breaks off goes on where it was, and the file is the very one', async () => {
  const { server, harness, ends, output } = await downloading((request, socket) => {
    const from = askedFrom(request);
    const whole = from > 0 ? rest(LARGE, from, { etag: '"v1"' }) : file(LARGE, { etag: '"v1"' });
    socket.end(whole.subarray(0, whole.indexOf('\r\n\r\n') + 4 + 20_000));
  });
  expect((await ends()).state).toBe('succeeded');
  expect(output()).toMatchObject({ state: 'local', bytes: LARGE.length, sha256: sha256(LARGE) });
  expect(server.requests.length).toBeGreaterThan(2);
  expect(server.requests[1]?.headers).toMatchObject({ range: 'bytes=15904-', 'if-range': '"v1"' });
  expect(partsOf(harness)).toEqual([]);
});

test.each(['its entity tag says so', 'only its bytes say so'])(
  'a file that has changed in between is begun anew: %s',
  async (how) => {
    const [before, after] = [Buffer.concat([testPng(40, 40), Buffer.alloc(60_000)]), LARGE];
    const { ends, output } = await downloading((request, socket, count) => {
      const from = askedFrom(request);
      const tag: Record<string, string> = how.includes('tag') ? { etag: count === 1 ? '"v1"' : '"v2"' } : {};
      if (count === 1) return socket.end(file(before, tag).subarray(0, 30_000));
      return socket.end(from === 0 ? file(after, tag) : rest(after, from, tag));
    });
    await ends();
    expect(output()).toMatchObject({ state: 'local', sha256: sha256(after) });
  },
);

test.each<[string, string | Buffer, string, number]>([
  ['with its code', filtered, 'moderation', 0],
  [
    'as a task that failed',
    reply(200, { status: 'FAILED', error: { message: 'No.', code: 'content_filter' } }),
    'moderation',
    0,
  ],
  ['in words of no moderator', refusedOtherwise, 'invalid', VIDEO_NANO],
])(
  'a result address that answers with a refusal %s is that refusal, and no charge',
  async (_how, answer, kind, doubt) => {
    const { server, harness, ends } = await downloading(answer);
    const job = await ends();
    const error = { kind, retryable: false, message: expect.stringMatching(/^No/) };
    expect(job).toMatchObject({ state: 'failed', error });
    expect(job.money).toMatchObject({ chargedNano: 0, reservedNano: 0, uncertainNano: doubt });
    expect(chargedFor(harness)).toMatchObject({ settledNano: 0, reservedNano: 0, uncertainNano: doubt });
    expect(server.requests.length).toBeLessThanOrEqual(4);
  },
);

test.each<[string, string, number]>([
  ['filtered', filtered, 0],
  ['refused for another reason', refusedOtherwise, VIDEO_NANO],
])('a clip that was %s beside one that came is charged to nobody', async (_how, answer, uncertainNano) => {
  const clip = file(await clipOf({ seconds: 4 }), { 'content-type': 'video/mp4' });
  const { harness, id, ends } = await downloading(({ path }, socket) => socket.end(path === '/b' ? answer : clip), {
    request: aVideoTwice,
    outputs: ['/b', '/a'],
  });
  const onOther = await harness.enqueue(extension(id), { dependsOn: [id] });
  const job = await ends();
  expect(job).toMatchObject({
    state: 'succeeded',
    // Each keeps its place, by which others are built on it.
    outputs: [{ state: 'expired' }, { state: 'local', outputIndex: 1 }],
    differs: [{ what: 'count', ordered: '2 clips', made: '1 clip' }],
    money: { chargedNano: VIDEO_NANO, reservedNano: 0, uncertainNano },
  });
  expect(job.money.note).toMatch(
    /^1 of 2 results were not made: No.*(The result is charged|The finished part is charged)/,
  );
  expect(job).not.toHaveProperty('error');
  expect(chargedFor(harness)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano });
  // What builds on the other one is not sent with an address behind which there is nothing.
  expect((await ended(harness, onOther.id)).state).toBe('failed');
  expect(harness.script.sent).toBe(1);
});

test.each<[string, string, string, number]>([
  ['filtered', filtered, '/refused', 0],
  ['refused for another reason', refusedOtherwise, '/refused', 2 * VIDEO_NANO],
  ['filtered beside one that came', filtered, '/a', 0],
])('a canceled job whose result was %s is not charged for it', async (_how, answer, other, uncertainNano) => {
  const clip = file(await clipOf({ seconds: 4 }), { 'content-type': 'video/mp4' });
  const { harness, id, job } = await downloading(({ path }, socket) => socket.end(path === '/a' ? clip : answer), {
    request: aVideoTwice,
    outputs: ['/refused', other],
  });
  harness.engine.commands.cancel(id);
  expect(job()).toMatchObject({ state: 'canceled', money: { uncertainNano: 2 * VIDEO_NANO } });
  await until(harness, () => job().money.note !== undefined);
  const { money, outputs } = job();
  const chargedNano = other === '/a' ? VIDEO_NANO : 0;
  expect(money).toMatchObject({ chargedNano, uncertainNano, reservedNano: 0, note: expect.stringContaining('No') });
  expect(chargedFor(harness)).toMatchObject({ settledNano: chargedNano, uncertainNano });
  // It is settled once: what is fetched once more changes no money.
  harness.library.download(outputs[0]?.id ?? '');
  harness.coreEvents.emit('output.settled', id);
  await harness.clock.advance(60_000);
  expect(job()).toMatchObject({ state: 'canceled', money });
});

test('a canceled job whose result was refused in the last moment is settled by the next start', async () => {
  const { server, harness, id, job, output } = await downloading(filtered);
  harness.engine.commands.cancel(id);
  harness.coreEvents.removeAllListeners('output.settled');
  await until(harness, () => output()?.state === 'expired');
  expect(job()).toMatchObject({ state: 'canceled', money: { chargedNano: VIDEO_NANO } });
  await harness.end();
  const next = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  await until(next, () => next.job(id).money.note !== undefined);
  expect(next.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: 0, uncertainNano: 0 } });
});

test('results that were all refused are free only if all were filtered', async () => {
  const { ends } = await downloading(({ path }, socket) => socket.end(path === '/a' ? filtered : refusedOtherwise), {
    request: aVideoTwice,
    outputs: ['/a', '/b'],
  });
  const money = { chargedNano: 0, uncertainNano: 2 * VIDEO_NANO };
  expect(await ends()).toMatchObject({ state: 'failed', error: { kind: 'invalid' }, money });
});

test.each<[string, string]>([
  ['an empty balance', reply(402, { error: { code: 'insufficient_quota', message: 'Top up.' } })],
  ['a changed key', reply(403, { error: { code: 'access_denied', message: 'No access.' } })],
  ['a limit of rate', reply(400, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })],
  ['a limit of rate with a good status', reply(200, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })],
])('a download that is refused for %s is tried until it comes, and the charge stands', async (_what, refusal) => {
  let mended = false;
  const {
    server,
    job,
    ends,
    until: untilIt,
  } = await downloading((_request, socket) => socket.end(mended ? file(PICTURE) : refusal));
  await untilIt(() => server.requests.length >= 24);
  expect(job()).toMatchObject({ state: 'fetching', money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } });
  mended = true;
  expect(await ends()).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
});

test.each<[string, string | Buffer, RegExp]>([
  ['a page', page, /returns a web page, not a file/],
  ['a message', reply(200, { error: 'internal' }), /returns a message, not a file/],
  ['nothing', reply(200, '', { 'content-type': 'image/png' }), /returns nothing, not a file/],
  ['a file of another kind', file(Buffer.from('%PDF-1.7 and much more of it')), /no picture, video or sound/],
  ['a picture that is always cut', file(PICTURE.subarray(0, -20)), /is cut off/],
  ['an address that it does not know', reply(404, 'no'), /was not found/],
  ['a refusal', reply(400, 'no'), /no\b/],
  [
    'far too many bytes',
    'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9000000000\r\n\r\nx',
    /4096 MB/,
  ],
])(
  'an address that gives %s is asked a few times, then the job ends with the reason, and the money stands',
  async (_what, bytes, why) => {
    const { server, harness, ends } = await downloading(bytes);
    expect(await ends()).toMatchObject({
      state: 'failed',
      error: { message: expect.stringMatching(why), retryable: false },
      outputs: [{ state: 'expired', fault: expect.stringMatching(why) }],
    });
    expect(server.requests.length).toBeGreaterThanOrEqual(4);
    expect(server.requests.length).toBeLessThanOrEqual(16);
    expect(chargedFor(harness)).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0 });
    expect([partsOf(harness), filesOf(harness)]).toEqual([[], []]);
  },
);

test('a clip that cannot be read here is kept as it came when its address gives nothing else', async () => {
  const strange = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom0000isommp42'), Buffer.alloc(5_000, 'x')]);
  const { server, ends, output } = await downloading(file(strange, { 'content-type': 'video/mp4' }));
  expect((await ends()).state).toBe('succeeded');
  expect(output()).toMatchObject({ state: 'local', mime: 'video/mp4', sha256: sha256(strange), width: 0 });
  expect(server.requests).toHaveLength(3);
});

test('what was given up is fetched when the user asks for it', async () => {
  let mended = false;
  const { harness, id, job, ends, output } = await downloading((_request, socket) =>
    socket.end(mended ? file(PICTURE) : page),
  );
  await ends();
  mended = true;
  const asked = await harness.library.download(output()?.id ?? '');
  expect(asked).toMatchObject({ ok: true, data: { state: 'remote' } });
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(output()).toMatchObject({ sha256: sha256(PICTURE) });
  expect(output()).not.toHaveProperty('fault');
  expect(job().state).toBe('failed');
});

test.each<[string, string]>([
  ['says that it is not ready', reply(200, { status: 'processing' })],
  ...[202, 409, 423, 425].map((status): [string, string] => [`answers ${status}`, reply(status, '<html>Later</html>')]),
])('a result whose place %s is requested again for as long as it takes', async (_what, later) => {
  const { server, ends } = await downloading((_request, socket, count) =>
    socket.end(count <= 12 ? later : file(PICTURE)),
  );
  expect((await ends()).state).toBe('succeeded');
  expect(server.requests).toHaveLength(13);
});

test.each(['http://169.254.169.254/latest', 'file:///etc/passwd'])(
  'a redirect to %s ends the download, and nothing is connected to',
  async (location) => {
    const { server, ends } = await downloading(reply(302, '', { location }));
    expect(await ends()).toMatchObject({ state: 'failed', outputs: [{ state: 'expired' }] });
    expect(server.requests).toHaveLength(1);
  },
);

test('what lies in object storage stays there, and its job has succeeded', async () => {
  const { ends } = await downloading(() => undefined, { outputs: ['gs://bucket/clip.mp4'] });
  expect(await ends()).toMatchObject({ state: 'succeeded', outputs: [{ state: 'remote' }] });
});
