import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clientOf, SEND } from '../../../../../test/helpers/gateway/client.ts';
import {
  chunk,
  type RawServer,
  reply,
  STREAM_END,
  STREAM_HEAD,
} from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import type { ChatOutcome } from '../types.ts';

/** Faults of a connection during an answer: the request is sent once, and is in doubt exactly if its fate is unknown. */

const serve = serversOfThisFile();

async function ask(server: RawServer, stream = true): Promise<ChatOutcome> {
  const { gateway } = clientOf(server.url);
  const outcome = await gateway.chat(
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream },
    SEND,
    () => undefined,
  );
  await gateway.close();
  return outcome;
}

const BODY = JSON.stringify({ id: 'c', choices: [{ message: { content: 'Grüße' }, finish_reason: 'stop' }] });
const LENGTH = `content-length: ${Buffer.byteLength(BODY)}\r\n`;
const OK = 'HTTP/1.1 200 OK\r\n';
const whole = (head: string) => (socket: Socket) => socket.end(`${head}\r\n${BODY}`);
const chunked =
  (...pieces: (string | Buffer)[]) =>
  (socket: Socket) =>
    socket.end(
      Buffer.concat([
        Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\n`),
        ...pieces.map((piece) => Buffer.from(piece)),
      ]),
    );
const packed = (coding: string, bytes: Buffer) => (socket: Socket) =>
  socket.end(
    Buffer.concat([Buffer.from(`${OK}content-encoding: ${coding}\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]),
  );
/** Writes the parts one after the other, each once the previous one was sent. */
const inParts =
  (...parts: string[]) =>
  (socket: Socket) => {
    const [part, ...rest] = parts;
    if (part === undefined) return;
    socket.write(part, () => setImmediate(() => inParts(...rest)(socket)));
  };

test.each<[string, (socket: Socket) => void]>([
  [
    '"100 Continue" before the answer',
    (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${OK}${LENGTH}\r\n${BODY}`),
  ],
  [
    '"100 Continue" twice, in splinters',
    inParts(
      'HTTP/1.1 10',
      '0 Continue\r\nx: y\r\n\r',
      '\nHTTP/1.1 100 Continue\r\n\r\nHT',
      `TP/1.1 200 OK\r\n${LENGTH}\r\n`,
      BODY,
    ),
  ],
  ['"102 Processing"', whole(`HTTP/1.1 102 Processing\r\n\r\n${OK}${LENGTH}`)],
  ['"103 Early Hints"', whole(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}${LENGTH}`)],
  ['no reason after the status', whole(`HTTP/1.1 200\r\n${LENGTH}`)],
  ['HTTP/1.0 and no length', whole('HTTP/1.0 200 OK\r\n')],
  ['a length that is too long', whole(`${OK}content-length: 9999\r\n`)],
  ['a line break behind the length', (socket) => socket.end(`${OK}${LENGTH}\r\n${BODY}\n`)],
  ['an offer to upgrade', whole(`${OK}upgrade: h2c\r\nconnection: upgrade, close\r\n${LENGTH}`)],
  ['a header of 30 kB', whole(`${OK}set-cookie: ${'a'.repeat(30_000)}\r\n${LENGTH}`)],
  [
    'a reset right behind it',
    (socket) => socket.write(`${OK}${LENGTH}\r\n${BODY}`, () => setImmediate(() => socket.resetAndDestroy())),
  ],
  ['chunks of one byte', chunked(...Array.from(Buffer.from(BODY), (byte) => chunk(Buffer.from([byte]))), STREAM_END)],
  ['no last chunk', chunked(chunk(BODY))],
  [
    'chunk extensions and trailers',
    chunked(`${Buffer.byteLength(BODY).toString(16)};a=b\r\n${BODY}\r\n0\r\nx-t: 1\r\n\r\n`),
  ],
  ['gzip', packed('gzip', gzipSync(BODY))],
  ['gzip without its end', packed('gzip', gzipSync(BODY).subarray(0, -8))],
  ['gzip in name only', packed('gzip', Buffer.from(BODY))],
  ['br', packed('br', brotliCompressSync(BODY))],
  ['br in name only', packed('br', Buffer.from(BODY))],
  ['deflate', packed('deflate', deflateSync(BODY))],
  ['deflate without its wrapper', packed('deflate', deflateRawSync(BODY))],
  ['zstd', packed('zstd', zstdCompressSync(BODY))],
  ['gzip, twice', packed('gzip, gzip', gzipSync(gzipSync(BODY)))],
  ['a coding nobody knows', packed('utf-8', Buffer.from(BODY))],
  ['identity', packed('identity', Buffer.from(BODY))],
])('an answer with %s is read', async (_name, answer) => {
  const server = await serve((_request, socket) => answer(socket));
  expect(await ask(server)).toMatchObject({ type: 'answered', complete: true, result: { text: 'Grüße' } });
  expect(server.requests).toHaveLength(1);
});

test.each<[string, (socket: Socket) => void]>([
  ['a length that is too short', whole(`${OK}content-length: 20\r\n`)],
  ['chunks that are none', whole(`${OK}transfer-encoding: chunked\r\n`)],
  ['lines that end in LF alone', (socket) => socket.end(`HTTP/1.1 200 OK\ncontent-length: 3\n\n{}\n`)],
  ['a header without a colon', whole(`${OK}no colon\r\n${LENGTH}`)],
  ['gzip that is damaged', packed('gzip', gzipSync(BODY).fill(7, 12, 20))],
])('an answer with %s leaves the order in doubt', async (_name, answer) => {
  const server = await serve((_request, socket) => answer(socket));
  expect(await ask(server)).toMatchObject({ type: 'unknown', error: { accepted: 'unknown' } });
  expect(server.requests).toHaveLength(1);
});

test('a refusal that arrives while the request is still being written is read', async () => {
  const refusal = reply(401, { error: { message: 'Incorrect API key' } }, { connection: 'close' });
  const server = await serve(
    () => undefined,
    (socket) => socket.once('data', () => socket.pause().write(refusal, () => socket.end())),
  );
  const { gateway } = clientOf(server.url);
  const order = { model: 'm', messages: [{ role: 'user' as const, content: 'x'.repeat(8_000_000) }], stream: true };
  expect(await gateway.chat(order, SEND, () => undefined)).toMatchObject({ type: 'refused', error: { kind: 'auth' } });
});

const event = (json: object): string => `data: ${JSON.stringify(json)}\n\n`;
const piece = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const STREAM = Buffer.concat([
  Buffer.from(STREAM_HEAD),
  chunk(`: hm\n\n${piece('Grü')}`),
  chunk(piece('ße 🎬')),
  chunk(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })),
  chunk('data: [DONE]\n\n'),
  Buffer.from(STREAM_END),
]);
const FINISHED_AT = STREAM.indexOf('"stop"}]}\n\n') + '"stop"}]}\n\n'.length;

test.each(['closed', 'reset'])(
  'a stream that is %s at any byte is whole, cut or in doubt, and never a no',
  async (how) => {
    let at = 0;
    const server = await serve((_request, socket) => {
      const end = () => (how === 'closed' ? socket.end() : setImmediate(() => socket.resetAndDestroy()));
      if (at === 0) end();
      else socket.write(STREAM.subarray(0, at), end);
    });
    for (at = 0; at <= STREAM.length; at += at > 60 && at < FINISHED_AT - 20 ? 7 : 1) {
      const before = server.requests.length;
      const outcome = await ask(server);
      expect(server.requests.length - before).toBe(1);
      expect(outcome.type).not.toBe('refused');
      if (outcome.type !== 'answered') continue;
      expect('Grüße 🎬'.startsWith(outcome.result.text)).toBe(true);
      if (outcome.complete) expect(outcome.result.text).toBe('Grüße 🎬');
      else expect(outcome.error).toMatchObject({ accepted: 'yes' });
      if (how === 'closed' && at >= FINISHED_AT) expect(outcome.complete).toBe(true);
    }
  },
);

test('a stream that stalls at any byte ends by our own clock', async () => {
  for (const at of [0, 5, 40, STREAM_HEAD.length, STREAM_HEAD.length + 20, FINISHED_AT - 30, FINISHED_AT + 4]) {
    let quiet = (): void => undefined;
    const stalled = new Promise<void>((resolve) => {
      quiet = resolve;
    });
    const server = await serve((_request, socket) =>
      at === 0 ? quiet() : socket.write(STREAM.subarray(0, at), quiet),
    );
    const { gateway, clock } = clientOf(server.url);
    let over = false;
    const asking = gateway
      .chat({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true }, SEND, () => undefined)
      .finally(() => {
        over = true;
      });
    await stalled;
    let passed = 0;
    while (!over) {
      await settle();
      clock.advance(1_000);
      passed += 1;
    }
    const outcome = await asking;
    expect(passed).toBeGreaterThan(0);
    if (at > FINISHED_AT) expect(outcome).toMatchObject({ type: 'answered', complete: true });
    else expect(outcome.error).toMatchObject({ kind: 'timeout' });
    await gateway.close();
  }
});

test('connections that the service closes after an answer lose no request and no poll', async () => {
  let answers = 0;
  const server = await serve((request, socket) => {
    answers += 1;
    const quietly = answers % 2 === 0;
    socket.write(reply(200, request.path.includes('submit') ? { jobId: 'a-1' } : { status: 'IN_PROGRESS' }), () =>
      quietly ? socket.end() : socket.resetAndDestroy(),
    );
  });
  const { gateway } = clientOf(server.url);
  for (let round = 0; round < 40; round += 1) {
    expect(await gateway.poll({ id: 'a-1', kind: 'image', acceptedAt: 0 })).toMatchObject({ type: 'running' });
    expect(await gateway.submitImagine({ prompt: 'x', mode: 'fast' }, SEND)).toMatchObject({ type: 'accepted' });
  }
  expect(server.requests).toHaveLength(80);
});

test('a hundred polls at once share eight connections', async () => {
  let connections = 0;
  const server = await serve(
    (_request, socket) => socket.write(reply(200, { status: 'IN_PROGRESS' })),
    () => {
      connections += 1;
    },
  );
  const { gateway } = clientOf(server.url);
  const looks = Array.from({ length: 100 }, (_, at) => gateway.poll({ id: `t-${at}`, kind: 'image', acceptedAt: 0 }));
  expect(await Promise.all(looks)).toHaveLength(100);
  expect(connections).toBeLessThanOrEqual(8);
  expect(server.requests).toHaveLength(100);
});
