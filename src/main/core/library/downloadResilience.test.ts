import fs from 'node:fs';
import http from 'node:http';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  askedFrom,
  closeAfterEach,
  closeLater,
  ended,
  file,
  filesOf,
  HOUR,
  LARGE,
  made,
  outputOf,
  PICTURE,
  partsOf,
  type RawServer,
  reply,
  rest,
  serve,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../test/helpers/downloadHarness.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { lastingPort, listenAt } from '../../../../test/helpers/lastingPort.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import { contentPath } from './contentStore.ts';

/** Downloads through full disks, restarts, outages, and a great many results at once. */

closeAfterEach();

test('a full disk is reported once, keeps the received bytes, and is waited out', async () => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE, { etag: '"v"' })));
  let free = 1_000;
  const harness = startDownloadHarness(server, { freeBytes: () => free });
  const id = await made(harness, `${server.url}/a`, `${server.url}/b`);
  await until(harness, () => outputOf(harness, id)?.fault === 'The disk is full.');
  await harness.clock.advance(120_000);
  expect(harness.job(id).state).toBe('fetching');
  expect(server.requests).toHaveLength(0);
  const notices = () => harness.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  expect(notices()).toEqual([expect.stringContaining('The disk is full')]);
  free = 1e12;
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(notices()).toHaveLength(2);
  expect(notices()[1]).toContain('There is room again');
});

test('a result that is given for the key alone waits for it, says so, and is never given up for that', async () => {
  let hasKey = true;
  const refusal = reply(401, { error: { code: 'invalid_api_key', message: 'No key.' } });
  let isGiven = false;
  const server = await serve((_request, socket) => {
    // Forgotten between the poll and the download.
    hasKey = isGiven;
    socket.end(isGiven ? file(PICTURE) : refusal);
  });
  const harness = startDownloadHarness(server, { hasKey: () => hasKey });
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => (outputOf(harness, id)?.fault ?? '') !== '');
  await harness.clock.advance(HOUR);
  expect(harness.job(id).state).toBe('fetching');
  expect(outputOf(harness, id)?.fault).toBe('Waiting for the API key');
  isGiven = true;
  expect((await ended(harness, id)).state).toBe('succeeded');
});

test('a library that cannot be written is told once, holds back what is paid, and is waited out', async () => {
  let breakDisk = (): void => undefined;
  const server = await serve((_request, socket) => {
    breakDisk();
    socket.end(file(PICTURE));
  });
  const harness = startDownloadHarness(server);
  const parts = path.join(harness.dataDir, 'library', 'parts');
  breakDisk = () => {
    fs.rmSync(parts, { recursive: true });
    fs.writeFileSync(parts, 'no folder');
  };
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => (outputOf(harness, id)?.fault ?? '') !== '');
  await harness.clock.advance(1_000);
  const { sent } = harness.script;
  const { id: next } = await harness.enqueue(aVideo);
  await harness.clock.advance(120_000);
  expect(outputOf(harness, id)?.fault).toBe('It could not be stored on this machine (ENOTDIR).');
  expect(server.requests).toHaveLength(1);
  expect([harness.job(next).state, harness.script.sent]).toEqual(['queued', sent]);
  const notices = () => harness.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  expect(notices()).toEqual([expect.stringContaining('Nothing can be written into the library folder')]);
  breakDisk = () => undefined;
  fs.rmSync(parts);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(notices()[1]).toContain('The library can be written again');
});

test('a result that cannot be kept says so, and the others are downloaded', async () => {
  const waiting: (() => void)[] = [];
  const server = await serve((request, socket) => {
    const answer = () => void socket.end(file(PICTURE));
    if (request.path === '/a' && server.requests.length < 3) waiting.push(answer);
    else answer();
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`, `${server.url}/b`);
  await until(harness, () => waiting.length === 1);
  const broken = path.join(harness.dataDir, 'library', 'parts', `${outputOf(harness, id)?.id}.part.json.new`);
  fs.mkdirSync(broken);
  waiting[0]?.();
  await until(harness, () => (outputOf(harness, id)?.fault ?? '') !== '');
  expect(outputOf(harness, id)?.fault).toBe('It could not be stored on this machine (EISDIR).');
  await until(harness, () => harness.job(id).outputs[1]?.state === 'local');
  fs.rmdirSync(broken);
  expect((await ended(harness, id)).state).toBe('succeeded');
});

test('a stored result stays as it is where the rest of its download cannot be removed', async () => {
  let block = (): void => undefined;
  const server = await serve((_request, socket) => {
    block();
    socket.end(file(PICTURE));
  });
  const harness = startDownloadHarness(server);
  const { transaction } = harness.store;
  block = () => {
    const part = path.join(harness.dataDir, 'library', 'parts', `${outputOf(harness, id)?.id}.part`);
    harness.store.transaction = (work) => {
      const done = transaction(work);
      if (outputOf(harness, id)?.state === 'local') fs.mkdirSync(part, { recursive: true });
      return done;
    };
  };
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  await harness.clock.advance(60_000);
  expect(outputOf(harness, id)).toMatchObject({ state: 'local', sha256: sha256(PICTURE) });
  expect(outputOf(harness, id)?.fault).toBeUndefined();
  expect(partsOf(harness)).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});

test('a file that is here and could not be written down is not downloaded again, not even after a restart', async () => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  const { transaction } = harness.store;
  let refused = 0;
  harness.store.transaction = (work) => {
    if (server.requests.length === 0) return transaction(work);
    refused += 1;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await until(harness, () => refused > 0);
  expect(outputOf(harness, id)?.state).toBe('remote');
  await harness.end();
  const again = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  expect((await ended(again, id)).state).toBe('succeeded');
  expect(outputOf(again, id)).toMatchObject({ state: 'local', sha256: sha256(PICTURE) });
  expect(server.requests).toHaveLength(1);
  expect(partsOf(again)).toEqual([]);
});

test('a start keeps the part of what is still awaited, goes on with it, and sweeps the rest', async () => {
  let hold = true;
  const server = await serve((request, socket) => {
    if (hold) return void socket.write(file(LARGE, { etag: '"v1"' }).subarray(0, 40_000));
    socket.end(rest(LARGE, askedFrom(request), { etag: '"v1"' }));
  });
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => server.requests.length === 1);
  await settle();
  await harness.end();
  const parts = path.join(harness.dataDir, 'library', 'parts');
  for (const name of ['up_1.part', 'in_2.part', 'as_gone.part', 'as_gone.part.json'])
    fs.writeFileSync(path.join(parts, name), 'x');
  hold = false;
  const again = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  await again.library.settled();
  expect(partsOf(again)).toEqual([expect.stringMatching(/\.part$/), expect.stringMatching(/\.part\.json$/)]);
  expect((await ended(again, id)).state).toBe('succeeded');
  expect(server.requests[1]?.headers.range).toMatch(/^bytes=[1-9]/);
  expect(outputOf(again, id)?.sha256).toBe(sha256(LARGE));
});

test('the same content is on the disk once', async () => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`, `${server.url}/b`, `${server.url}/c`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(harness.job(id).outputs.map((output) => output.sha256)).toEqual(new Array(3).fill(sha256(PICTURE)));
  expect(filesOf(harness)).toEqual([`${sha256(PICTURE)}.png`]);
  expect(fs.existsSync(contentPath(harness.dataDir, sha256(PICTURE), 'png'))).toBe(true);
});

test('an unreachable host gets one attempt at a time and blocks no other host; when it is back, every result is downloaded', async () => {
  const living = await serve((_request, socket) => socket.end(file(PICTURE)));
  const dead = await serve((_request, socket) => socket.end(file(PICTURE)), await lastingPort());
  const harness = startDownloadHarness(living);
  await dead.close();
  const now = harness.clock.now();
  const stuck = await made(
    harness,
    ...Array.from({ length: 40 }, (_, n) => ({ uri: `${dead.url}/${n}`, expiresAt: now + HOUR })),
  );
  await until(harness, () => (outputOf(harness, stuck)?.fault ?? '') !== '');
  const fine = await made(harness, { uri: `${living.url}/fine`, expiresAt: now + 50 * HOUR });
  expect((await ended(harness, fine)).state).toBe('succeeded');
  await harness.clock.advance(600_000);
  const tried = harness.job(stuck).outputs.filter((output) => output.fault !== undefined).length;
  expect(tried).toBeLessThan(30);
  const back = await backAt(dead);
  await until(harness, () => back.got.length === 40);
  expect((await ended(harness, stuck)).state).toBe('succeeded');
  expect(back.got).toHaveLength(40);
});

/** The same address, served again. */
async function backAt({ port }: RawServer): Promise<{ got: string[] }> {
  const got: string[] = [];
  const server = http.createServer((request, response) => {
    got.push(request.url ?? '');
    response.setHeader('connection', 'close');
    response.end(PICTURE);
  });
  await listenAt(server, port);
  closeLater(() => new Promise((done) => server.close(() => done())));
  return { got };
}

test('a hundred results are downloaded two at a time, as the profile says', async () => {
  const asking: Socket[] = [];
  const server = await serve((_request, socket) => void asking.push(socket));
  const harness = startDownloadHarness(server);
  const id = await made(harness, ...Array.from({ length: 100 }, (_, n) => `${server.url}/${n}`));
  for (let left = 100; left > 0; left--) {
    const wanted = Math.min(2, left);
    await until(harness, () => asking.length >= wanted);
    expect(asking).toHaveLength(wanted);
    asking.shift()?.end(file(PICTURE, { connection: 'close' }));
  }
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(server.requests).toHaveLength(100);
});

test('a host that sends bytes again counts as back before the first file is complete', async () => {
  const dead = await serve(() => undefined, await lastingPort());
  const harness = startDownloadHarness(dead);
  await dead.close();
  const id = await made(harness, `${dead.url}/a`, `${dead.url}/b`);
  await until(harness, () => (outputOf(harness, id)?.fault ?? '') !== '');
  const back = await rawServerAt(dead.port);
  await until(harness, () => back.asked.length === 2);
  for (const socket of back.asked) socket.end(back.tail);
  expect((await ended(harness, id)).state).toBe('succeeded');
});

/** Sends the beginning of a file to every client, and leaves its end to the test. */
async function rawServerAt(port: number): Promise<{ asked: Socket[]; tail: Buffer }> {
  const asked: Socket[] = [];
  const whole = file(LARGE, { connection: 'close' });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(whole.subarray(0, 30_000));
      asked.push(socket);
    });
  });
  await listenAt(server, port);
  closeLater(() => new Promise((done) => server.close(() => done())));
  return { asked, tail: whole.subarray(30_000) };
}

test('an asset shows the verdict on its job', async () => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  const listed = () => harness.library.list({ limit: 10 }).assets.map(({ verdict }) => verdict);
  expect(listed()).toEqual([undefined]);
  harness.engine.commands.setVerdict(id, 'keep');
  expect(listed()).toEqual(['keep']);
  expect(harness.job(id).outputs[0]).toMatchObject({ verdict: 'keep' });
  harness.engine.commands.setVerdict(id, null);
  expect(listed()).toEqual([undefined]);
});

test.each<[string, (socket: Socket, from: number) => unknown]>([
  [
    'cannot be gone on with and is always cut',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n7530\r\n');
      socket.end(LARGE.subarray(0, 0x7530));
    },
  ],
  [
    'goes on elsewhere than asked',
    (socket, from) => {
      if (from === 0) return socket.end(file(LARGE, { etag: '"v"' }).subarray(0, 30_000));
      return socket.end(rest(LARGE, from + 1, { etag: '"v"' }));
    },
  ],
])('a download that %s is asked for less and less', async (_what, answer) => {
  const server = await serve((request, socket) => answer(socket, askedFrom(request)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await until(harness, () => server.requests.length > 0);
  for (let turn = 0; turn < 20 * 60; turn++) await harness.clock.advance(500);
  expect(harness.job(id).state).toBe('fetching');
  expect(server.requests.length).toBeGreaterThan(5);
  expect(server.requests.length).toBeLessThan(35);
});

test.each([202, 409, 423, 425])(
  'a result whose place says %i with a page is requested until it is there',
  async (status) => {
    const server = await serve((_request, socket, count) =>
      socket.end(count <= 12 ? reply(status, '<html>Later</html>') : file(PICTURE)),
    );
    const harness = startDownloadHarness(server);
    const id = await made(harness, `${server.url}/v1/videos/x/content`);
    expect((await ended(harness, id)).state).toBe('succeeded');
    expect(server.requests).toHaveLength(13);
  },
);

test('refusals after pages are counted for themselves, and a page among them begins their count anew', async () => {
  const page = reply(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
  const answers = [
    page,
    page,
    page,
    reply(404, ''),
    reply(404, ''),
    reply(404, ''),
    page,
    reply(404, ''),
    file(PICTURE),
  ];
  const server = await serve((_request, socket, count) => socket.end(answers[count - 1] ?? page));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(server.requests).toHaveLength(answers.length);
});
