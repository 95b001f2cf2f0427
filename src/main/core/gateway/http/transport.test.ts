import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { behindProxy, clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { chunk, reply, STREAM_HEAD } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { decodeBody } from './body.ts';
import { createTransport, type HttpRequest } from './transport.ts';

const serve = serversOfThisFile();

const imagine = { prompt: 'a hill', mode: 'fast' } as const;

/** A port without a listener. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

test('a request that never connected is a definite no', async () => {
  const refused = await clientOf(`http://127.0.0.1:${await freePort()}`).gateway.submitImagine(imagine, SEND);
  expect(refused).toMatchObject({
    type: 'refused',
    billed: 'no',
    error: { kind: 'network', accepted: 'no', retryable: true },
  });
  const unnamed = await clientOf('http://no-such-host.invalid').gateway.submitImagine(imagine, SEND);
  expect(unnamed).toMatchObject({ type: 'refused', error: { kind: 'network', accepted: 'no' } });
  const plain = await serve(
    (_request, socket) => socket.end('no TLS here'),
    (socket) => socket.end('no TLS here\r\n\r\n'),
  );
  const noTls = await clientOf(plain.url.replace('http:', 'https:')).gateway.submitImagine(imagine, SEND);
  expect(noTls).toMatchObject({ type: 'refused', error: { kind: 'network', accepted: 'no' } });
});

test('each paid request has a connection of its own, so that no stale one can swallow it', async () => {
  let connections = 0;
  const server = await serve(
    (_request, socket) => socket.write(reply(200, { jobId: 'abc-1' })),
    () => {
      connections += 1;
    },
  );
  const { gateway } = clientOf(server.url);
  for (let count = 0; count < 3; count += 1) await gateway.submitImagine(imagine, SEND);
  expect(connections).toBe(3);
});

test('a request without an answer ends by our own clock as unknown; a stopped one too', async () => {
  let arrived = (): void => undefined;
  const server = await serve(() => arrived());
  const { gateway, clock } = clientOf(server.url);
  const waitForOrder = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve;
    });
  let received = waitForOrder();
  const slow = gateway.submitImagine(imagine, SEND);
  await received;
  clock.advance(300_000);
  expect(await slow).toMatchObject({ type: 'unknown', error: { kind: 'timeout', accepted: 'unknown' } });

  received = waitForOrder();
  const stop = new AbortController();
  const stopped = gateway.submitImagine(imagine, { ...SEND, signal: stop.signal });
  await received;
  stop.abort();
  expect(await stopped).toMatchObject({ type: 'unknown', error: { kind: 'network' } });
  const never = await gateway.submitImagine(imagine, { ...SEND, signal: AbortSignal.abort() });
  expect(never).toMatchObject({ type: 'refused', error: { accepted: 'no' } });
  expect(server.requests).toHaveLength(2);
});

test("a proxy is used for public addresses, and its failures are distinguished from the service's", async () => {
  const proxy = await serve((request, socket) => {
    if (request.method === 'CONNECT') socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else socket.end(reply(200, { jobId: 'via-1' }));
  });
  const through = (url: string) =>
    clientOf(url, {}, { apiKey: 'sk-1234' }, {}, { network: behindProxy(proxy.url) }).gateway.submitImagine(
      imagine,
      SEND,
    );
  expect(await through('http://gateway.example')).toMatchObject({ type: 'accepted', task: { id: 'via-1' } });
  expect(proxy.requests[0]?.path).toBe('http://gateway.example/image/submit/imagine');
  expect(await through('https://gateway.example')).toMatchObject({
    type: 'refused',
    error: { accepted: 'no', kind: 'network' },
  });
  expect(proxy.requests[1]).toMatchObject({ method: 'CONNECT', path: 'gateway.example:443' });
  const near = await serve((_request, socket) => socket.end(reply(200, { jobId: 'near-1' })));
  expect(await through(near.url)).toMatchObject({ type: 'accepted', task: { id: 'near-1' } });
  expect(proxy.requests).toHaveLength(2);
});

test('closing aborts running requests, as unknown', async () => {
  let arrived = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await serve(() => arrived());
  const { gateway } = clientOf(server.url);
  const running = gateway.submitImagine(imagine, SEND);
  await received;
  await gateway.close();
  expect(await running).toMatchObject({ type: 'unknown' });
});

test('a key that no header can carry is a definite no, and is not repeated', async () => {
  const server = await serve((_request, socket) => socket.end(reply(200, { jobId: 'x-1' })));
  const outcome = await clientOf(server.url, {}, { apiKey: 'sk-line\nbreak' }).gateway.submitImagine(imagine, SEND);
  expect(outcome).toMatchObject({
    type: 'refused',
    error: { accepted: 'no', message: expect.stringMatching(/characters/) },
  });
  expect(JSON.stringify(outcome)).not.toContain('sk-line');
  expect(server.requests).toHaveLength(0);
});

test('a request that is not for the own origin leaves only when it says nothing secret', async () => {
  const elsewhere = await serve((_request, socket) => socket.write(reply(200, {})));
  const transport = createTransport({ origin: 'http://127.0.0.1:9', after: () => () => undefined });
  transport.allow(() => true);
  const url = new URL(elsewhere.url);
  const open = { method: 'GET', url, headers: { accept: '*/*', 'User-Agent': 'Dailies' }, headerMs: 1_000 } as const;
  const calls: HttpRequest[] = [
    { ...open, route: 'free' },
    { ...open, route: 'paid' },
    { ...open, route: 'thirdParty', headers: { 'X-API-Key': KEY } },
    { ...open, route: 'thirdParty', headers: { authorization: `Bearer ${KEY}` } },
    { ...open, route: 'thirdParty', headers: { cookie: 'a=b' } },
    { ...open, route: 'thirdParty', method: 'POST', body: '{}' },
  ];
  for (const call of calls)
    expect(await transport.send(call)).toMatchObject({ ok: false, failure: { sent: false, forbidden: true } });
  expect(elsewhere.requests).toHaveLength(0);
  const sent = await transport.send({ ...open, route: 'thirdParty' });
  if (sent.ok) sent.response.discard();
  expect(elsewhere.requests).toHaveLength(1);
  await transport.close();
});

test('an answer that is packed again and again is not unpacked', async () => {
  const server = await serve((_request, socket) =>
    socket.write(reply(200, { jobId: 'job-1' }, { 'content-encoding': Array(2_000).fill('gzip').join(', ') })),
  );
  expect(await clientOf(server.url).gateway.submitImagine(imagine, SEND)).toMatchObject({
    type: 'unknown',
    error: { message: expect.stringMatching(/packed/) },
  });
});

test.each([['gzip'], ['deflate'], ['br'], ['zstd']])('what %s unpacks to ends at a bound', async (coding) => {
  const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }[coding];
  const bomb = pack?.(Buffer.alloc(10_000_000)) ?? Buffer.alloc(0);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield bomb;
  }
  let length = 0;
  const unpack = async (most: number): Promise<void> => {
    length = 0;
    for await (const piece of decodeBody(body(), coding, 'h', most)) length += piece.length;
  };
  await expect(unpack(1_000_000)).rejects.toThrow(/no end/);
  expect(length).toBeLessThanOrEqual(1_000_000);
  await unpack(10_000_000);
  expect(length).toBe(10_000_000);
});

test('an endless chat is stopped, keeps its text and is marked as truncated', async () => {
  const delta = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(500_000) } }] })}\n\n`;
  const server = await serve((_request, socket) => {
    socket.write(STREAM_HEAD);
    const more = (): void => {
      if (!socket.destroyed) socket.write(chunk(delta), () => setImmediate(more));
    };
    more();
  });
  let shown = 0;
  const outcome = await clientOf(server.url).gateway.chat(
    { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true },
    SEND,
    ({ text }) => {
      shown += text.length;
    },
  );
  expect(outcome).toMatchObject({
    type: 'answered',
    complete: false,
    error: { accepted: 'yes', message: expect.stringMatching(/cut off/) },
  });
  expect(outcome.type === 'answered' && outcome.result.text.length).toBe(shown);
  expect(shown).toBe(4_000_000);
});
