import fs from 'node:fs';
import http from 'node:http';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  askedFrom,
  closeAfterEach,
  closeLater,
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
} from '../../../../test/helpers/downloadHarness.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { lastingPort, listenAt } from '../../../../test/helpers/lastingPort.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import { contentPath } from './content/contentStore.ts';

/** Downloads through full disks, restarts, outages, and a great many results at once. */

closeAfterEach();
const partsIn = ({ dataDir }: { dataDir: string }) => path.join(dataDir, 'library', 'parts');

test('a full disk is reported once, keeps the received bytes, and is waited out', async () => {
  let free = 1_000;
  const { server, harness, job, output, ends, notices } = await downloading(file(PICTURE, { etag: '"v"' }), {
    outputs: ['/a', '/b'],
    freeBytes: () => free,
  });
  await until(harness, () => output()?.fault === 'The disk is full.');
  await harness.clock.advance(120_000);
  expect([job().state, server.requests]).toEqual(['fetching', []]);
  expect(notices()).toEqual([expect.stringContaining('The disk is full')]);
  free = 1e12;
  expect((await ends()).state).toBe('succeeded');
  expect(notices().slice(1)).toEqual([expect.stringContaining('The disk has space again')]);
});

test('a result that is given for the key alone waits for it, says so, and is never given up for that', async () => {
  let [hasKey, isGiven] = [true, false];
  const refusal = reply(401, { error: { code: 'invalid_api_key', message: 'No key.' } });
  const { harness, job, output, ends } = await downloading(
    (_request, socket) => {
      // Forgotten between the poll and the download.
      hasKey = isGiven;
      socket.end(isGiven ? file(PICTURE) : refusal);
    },
    { hasKey: () => hasKey },
  );
  await until(harness, () => (output()?.fault ?? '') !== '');
  await harness.clock.advance(HOUR);
  expect([job().state, output()?.fault]).toEqual(['fetching', 'Waiting for the API key']);
  isGiven = true;
  expect((await ends()).state).toBe('succeeded');
});

test('a library that cannot be written is told once, holds back what is paid, and is waited out', async () => {
  let breakDisk = (): void => undefined;
  const { server, harness, output, ends, notices } = await downloading((_request, socket) => {
    breakDisk();
    socket.end(file(PICTURE));
  });
  const parts = partsIn(harness);
  breakDisk = () => {
    fs.rmSync(parts, { recursive: true });
    fs.writeFileSync(parts, 'no folder');
  };
  await until(harness, () => (output()?.fault ?? '') !== '');
  await harness.clock.advance(1_000);
  const { sent } = harness.script;
  const { id: next } = await harness.enqueue(aVideo);
  await harness.clock.advance(120_000);
  expect(output()?.fault).toBe('The file could not be saved on this computer (ENOTDIR).');
  expect(server.requests).toHaveLength(1);
  expect([harness.job(next).state, harness.script.sent]).toEqual(['queued', sent]);
  expect(notices()).toEqual([expect.stringContaining('cannot be written')]);
  breakDisk = () => undefined;
  fs.rmSync(parts);
  expect((await ends()).state).toBe('succeeded');
  expect(notices()[1]).toContain('The library is writable again');
});

test('a result that cannot be kept says so, and the others are downloaded', async () => {
  const waiting: (() => void)[] = [];
  const { harness, job, output, ends } = await downloading(
    (request, socket) => {
      const answer = () => void socket.end(file(PICTURE));
      if (request.path === '/a' && waiting.length === 0) waiting.push(answer);
      else answer();
    },
    { outputs: ['/a', '/b'] },
  );
  await until(harness, () => waiting.length === 1);
  const broken = path.join(partsIn(harness), `${output()?.id}.part.json.new`);
  fs.mkdirSync(broken);
  waiting[0]?.();
  await until(harness, () => (output()?.fault ?? '') !== '');
  expect(output()?.fault).toBe('The file could not be saved on this computer (EISDIR).');
  await until(harness, () => job().outputs[1]?.state === 'local');
  fs.rmdirSync(broken);
  expect((await ends()).state).toBe('succeeded');
});

test('a stored result stays as it is where the rest of its download cannot be removed', async () => {
  let block = (): void => undefined;
  const { server, harness, output, ends } = await downloading((_request, socket) => {
    block();
    socket.end(file(PICTURE));
  });
  const { transaction } = harness.store;
  block = () => {
    const part = path.join(partsIn(harness), `${output()?.id}.part`);
    harness.store.transaction = (work) => {
      const done = transaction(work);
      if (output()?.state === 'local') fs.mkdirSync(part, { recursive: true });
      return done;
    };
  };
  expect((await ends()).state).toBe('succeeded');
  await harness.clock.advance(60_000);
  expect(output()).toMatchObject({ state: 'local', sha256: sha256(PICTURE) });
  expect(output()?.fault).toBeUndefined();
  expect([partsOf(harness).length, server.requests.length]).toEqual([1, 1]);
});

test('a file that is here and could not be written down is not downloaded again, not even after a restart', async () => {
  const { server, harness, id, output } = await downloading(file(PICTURE));
  const { transaction } = harness.store;
  let refused = 0;
  harness.store.transaction = (work) => {
    if (server.requests.length === 0) return transaction(work);
    refused += 1;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await until(harness, () => refused > 0);
  expect(output()?.state).toBe('remote');
  await harness.end();
  const again = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  expect((await ended(again, id)).state).toBe('succeeded');
  expect(outputOf(again, id)).toMatchObject({ state: 'local', sha256: sha256(PICTURE) });
  expect(server.requests).toHaveLength(1);
  expect(partsOf(again)).toEqual([]);
});

test('a start keeps the part of what is still awaited, goes on with it, and sweeps the rest', async () => {
  let hold = true;
  const { server, harness, id } = await downloading((request, socket) => {
    if (hold) return void socket.write(file(LARGE, { etag: '"v1"' }).subarray(0, 40_000));
    socket.end(rest(LARGE, askedFrom(request), { etag: '"v1"' }));
  });
  await until(harness, () => server.requests.length === 1);
  await settle();
  await harness.end();
  for (const name of ['up_1.part', 'in_2.part', 'as_gone.part', 'as_gone.part.json'])
    fs.writeFileSync(path.join(partsIn(harness), name), 'x');
  hold = false;
  const again = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  await again.library.settled();
  expect(partsOf(again)).toEqual([expect.stringMatching(/\.part$/), expect.stringMatching(/\.part\.json$/)]);
  expect((await ended(again, id)).state).toBe('succeeded');
  expect(server.requests[1]?.headers.range).toMatch(/^bytes=[1-9]/);
  expect(outputOf(again, id)?.sha256).toBe(sha256(LARGE));
});

test('the same content is on the disk once', async () => {
  const { harness, ends } = await downloading(file(PICTURE), { outputs: ['/a', '/b', '/c'] });
  const hashes = (await ends()).outputs.map((output) => output.sha256);
  expect(hashes).toEqual(new Array(3).fill(sha256(PICTURE)));
  expect(filesOf(harness)).toEqual([`${sha256(PICTURE)}.png`]);
  expect(fs.existsSync(contentPath(harness.dataDir, sha256(PICTURE), 'png'))).toBe(true);
});

test('an unreachable host gets one attempt at a time and blocks no other host; when it is back, every result is downloaded', async () => {
  const living = await serve((_request, socket) => socket.end(file(PICTURE)));
  const dead = await serve(() => undefined, await lastingPort());
  const harness = startDownloadHarness(living);
  await dead.close();
  const now = harness.clock.now();
  const many = Array.from({ length: 40 }, (_, n) => ({ uri: `${dead.url}/${n}`, expiresAt: now + HOUR }));
  const stuck = await made(harness, ...many);
  await until(harness, () => (outputOf(harness, stuck)?.fault ?? '') !== '');
  const fine = await made(harness, { uri: `${living.url}/fine`, expiresAt: now + 50 * HOUR });
  expect((await ended(harness, fine)).state).toBe('succeeded');
  await harness.clock.advance(600_000);
  expect(harness.job(stuck).outputs.filter((output) => output.fault !== undefined).length).toBeLessThan(30);
  const got: string[] = [];
  const back = http.createServer((request, response) => {
    got.push(request.url ?? '');
    response.setHeader('connection', 'close');
    response.end(PICTURE);
  });
  await listenAt(back, dead.port);
  closeLater(() => new Promise((done) => back.close(() => done())));
  expect((await ended(harness, stuck)).state).toBe('succeeded');
  expect(got).toHaveLength(40);
});

test('many results are downloaded two at a time, as the profile says', async () => {
  const asking: Socket[] = [];
  const outputs = Array.from({ length: 20 }, (_, n) => `/${n}`);
  const { server, harness, ends } = await downloading((_request, socket) => void asking.push(socket), { outputs });
  for (let left = outputs.length; left > 0; left--) {
    const wanted = Math.min(2, left);
    await until(harness, () => asking.length >= wanted);
    expect(asking).toHaveLength(wanted);
    asking.shift()?.end(file(PICTURE, { connection: 'close' }));
  }
  expect((await ends()).state).toBe('succeeded');
  expect(server.requests).toHaveLength(outputs.length);
});

test('a host that sends bytes again counts as back before the first file is complete', async () => {
  const dead = await serve(() => undefined, await lastingPort());
  const harness = startDownloadHarness(dead);
  await dead.close();
  const id = await made(harness, `${dead.url}/a`, `${dead.url}/b`);
  await until(harness, () => (outputOf(harness, id)?.fault ?? '') !== '');
  // It sends the beginning of a file to both, and its end only then.
  const asked: Socket[] = [];
  const whole = file(LARGE, { connection: 'close' });
  const back = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(whole.subarray(0, 30_000));
      asked.push(socket);
    });
  });
  await listenAt(back, dead.port);
  closeLater(() => new Promise((done) => back.close(() => done())));
  await until(harness, () => asked.length === 2);
  for (const socket of asked) socket.end(whole.subarray(30_000));
  expect((await ended(harness, id)).state).toBe('succeeded');
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
    (socket, from) =>
      socket.end(
        from === 0 ? file(LARGE, { etag: '"v"' }).subarray(0, 30_000) : rest(LARGE, from + 1, { etag: '"v"' }),
      ),
  ],
])('a download that %s is asked for less and less', async (_what, answer) => {
  const { server, harness, job } = await downloading((request, socket) => answer(socket, askedFrom(request)));
  await until(harness, () => server.requests.length > 0);
  for (let turn = 0; turn < 20 * 60; turn++) await harness.clock.advance(500);
  expect(job().state).toBe('fetching');
  expect(server.requests.length).toBeGreaterThan(5);
  expect(server.requests.length).toBeLessThan(35);
});

test('refusals after pages are counted for themselves, and a page among them begins their count anew', async () => {
  const page = reply(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
  const no = reply(404, '');
  const answers = [page, page, page, no, no, no, page, no, file(PICTURE)];
  const { server, ends } = await downloading((_request, socket, count) => socket.end(answers[count - 1] ?? page));
  expect((await ends()).state).toBe('succeeded');
  expect(server.requests).toHaveLength(answers.length);
});
