import { stat } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import {
  brotliCompress,
  brotliDecompress,
  deflate,
  gunzip,
  gzip,
  inflate,
  zstdCompress,
  zstdDecompress,
} from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { settle, TestClock } from './testPorts.ts';

/** A chain of disk calls, each started when the previous one has ended. */
async function diskWork(calls: number, done: () => void): Promise<void> {
  for (let n = 0; n < calls; n++) await stat(import.meta.filename);
  done();
}

async function serving(take: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    take(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, server };
}

function client(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a long chain of disk work is waited for', async () => {
  let done = false;
  void diskWork(300, () => {
    done = true;
  });
  await settle();
  expect(done).toBe(true);
});

test('the clock waits for disk work, before it advances and between two timers', async () => {
  const clock = new TestClock();
  const start = clock.now();
  const ended: number[] = [];
  const work = () => diskWork(100, () => ended.push(clock.now() - start));
  void work();
  clock.after(10, () => void work());
  clock.after(20, () => void work());
  await clock.advance(1_000);
  expect(ended).toEqual([0, 10, 20]);
});

test('work deferred to the end of a turn is waited for, repeatedly', async () => {
  let left = 50;
  const again = (): void => {
    left -= 1;
    if (left > 0) setImmediate(again);
  };
  again();
  await settle();
  expect(left).toBe(0);
});

test.each([
  [1, 30_000_000],
  [40, 100_000],
])('a request and its answer over a socket are waited for: %i × %i bytes', async (pieces, size) => {
  const { port } = await serving((socket) => {
    let said = 0;
    const say = (): void => {
      said += 1;
      socket.write(Buffer.alloc(size), () => void (said < pieces && setImmediate(say)));
    };
    socket.once('data', say);
  });
  const socket = client(port);
  socket.write('?');
  let heard = 0;
  socket.on('data', (bytes) => {
    heard += bytes.length;
  });
  await settle();
  expect(heard).toBe(pieces * size);
});

test('pending connections are waited for until accepted, or refused without a listener', async () => {
  let taken = 0;
  const { port, server } = await serving((socket) => {
    taken += 1;
    socket.resume();
  });
  for (let n = 0; n < 60; n++) client(port);
  await settle();
  expect(taken).toBe(60);
  server.close();
  const refused = client(port);
  await settle();
  expect(refused.closed).toBe(true);
});

test('a silent server or a reader that has stopped is not waited for', async () => {
  let asked = 0;
  const { port } = await serving((socket) => {
    asked += 1;
    // It is sent more than the buffers hold, and stops reading.
    socket.pause();
  });
  client(port).write('are you there?');
  client(port).write(Buffer.alloc(20_000_000));
  await settle();
  expect(asked).toBe(2);
});

test.each([
  ['deflate', deflate, inflate],
  ['gzip', gzip, gunzip],
  ['brotli', brotliCompress, brotliDecompress],
  ['zstd', zstdCompress, zstdDecompress],
] as const)('%s is waited for, compressing and decompressing', async (_, pack, unpack) => {
  let size = 0;
  pack(Buffer.alloc(20_000_000, 'dailies'), (_error, packed) => {
    unpack(packed, (_fault, bytes) => {
      size = bytes.length;
    });
  });
  await settle();
  expect(size).toBe(20_000_000);
});

test('the answer of a worker thread is waited for, unless the worker has ended', async () => {
  const source = (then: string) => `parentPort.on('message', (n) => {
    for (let at = Date.now(); Date.now() - at < 50; ) {}
    ${then}
  })`;
  const [worker, leaver] = ['parentPort.postMessage(n);', 'process.exit();'].map(
    (then) => new Worker(`const { parentPort } = require('node:worker_threads'); ${source(then)}`, { eval: true }),
  );
  onTestFinished(async () => void (await worker?.terminate()));
  const heard: number[] = [];
  worker?.on('message', (n: number) => heard.push(n));
  for (const n of [1, 2, 3]) worker?.postMessage(n);
  leaver?.postMessage(1);
  await settle();
  expect(heard).toEqual([1, 2, 3]);
  leaver?.postMessage(2);
  await settle();
});
