import { expect, test } from 'vitest';
import { clientOf, KEY } from '../../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { publicOnly } from '../http/origin.ts';
import { createTransport } from '../http/transport.ts';
import type { Gateway, MediaOutcome } from '../types.ts';

const serve = serversOfThisFile();

async function bytesOf(outcome: MediaOutcome): Promise<string> {
  if (outcome.type !== 'ok') return `${outcome.type}: ${outcome.error.message}`;
  const pieces: Uint8Array[] = [];
  for await (const piece of outcome.media.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
const fetchText = async (gateway: Gateway, uri: string, from?: number): Promise<string> =>
  bytesOf(await gateway.fetchMedia(uri, { from }));
const clip = (body = 'ftyp-clip') => reply(200, body, { 'content-type': 'video/mp4' });

test("the key is sent to the profile's origin only, and no more after a redirect has left it", async () => {
  const origin = await serve((request, socket) => {
    if (request.path === '/leave') socket.write(reply(302, '', { location: `${thirdParty.url}/back` }));
    else socket.write(clip(request.path));
  });
  const thirdParty = await serve((request, socket) =>
    socket.write(request.path === '/back' ? reply(302, '', { location: `${origin.url}/again` }) : clip('thirdParty')),
  );
  const { gateway } = clientOf(origin.url);
  expect(await fetchText(gateway, `${origin.url}/a.mp4`)).toBe('/a.mp4');
  expect(await fetchText(gateway, '/v1/videos/x/content')).toBe('/v1/videos/x/content');
  expect(await fetchText(gateway, `${thirdParty.url}/b.mp4`)).toBe('thirdParty');
  expect(await fetchText(gateway, `${origin.url}/leave`)).toBe('/again');
  expect(origin.requests.map((got) => got.headers.authorization)).toEqual([
    `Bearer ${KEY}`,
    `Bearer ${KEY}`,
    `Bearer ${KEY}`,
    undefined,
  ]);
  expect(thirdParty.requests.map((got) => got.headers.authorization)).toEqual([undefined, undefined]);
});

test.each([
  'http://127.0.0.1:9/a.mp4',
  'http://169.254.169.254/meta',
  'http://[::ffff:127.0.0.1]/a',
  'http://0x7f.1/a',
])('a service on a public address may not have its results at %s', async (uri) => {
  const outcome = await clientOf('http://203.0.113.9').gateway.fetchMedia(uri, {});
  expect(outcome).toMatchObject({ type: 'refused', error: { retryable: false } });
});

test('a name that leads to a private address is refused while connecting', async () => {
  const target = await serve((_request, socket) => socket.write(clip()));
  const transport = createTransport({ origin: 'https://api.example', after: () => () => undefined });
  transport.allow(() => true);
  const call = { method: 'GET', headers: {}, route: 'thirdParty', headerMs: 1_000 } as const;
  const sending = transport.send({ ...call, url: new URL(`http://localhost:${target.port}/a`) });
  // The name was public when it was recorded; its address at the time of the connection counts.
  transport.allow(publicOnly);
  expect(await sending).toMatchObject({ ok: false, failure: { sent: false, forbidden: true } });
  expect(target.requests).toHaveLength(0);
  await transport.close();
});

test.each([
  ['gs://bucket/a.mp4', 'stored', /not downloaded/],
  ['ftp://host/a', 'refused', /cannot be downloaded/],
  ['file:///etc/passwd', 'refused', /cannot be downloaded/],
  ['javascript:alert(1)', 'refused', /cannot be downloaded/],
  ['data:video/mp4;base64,', 'refused', /cannot be read/],
])('%s is %s, with a sentence', async (uri, type, sentence) => {
  const outcome = await clientOf('http://127.0.0.1:9').gateway.fetchMedia(uri, {});
  expect(outcome).toMatchObject({ type, error: { message: expect.stringMatching(sentence) } });
});

test('a service on this machine may have results on this machine, at any port, and not on the networks around it', async () => {
  const away = await serve((_request, socket) => socket.write(clip()));
  const origin = await serve((request, socket) =>
    socket.write(reply(302, '', { location: request.path === '/in' ? 'http://10.1.2.3/a' : `${away.url}/a` })),
  );
  const { gateway } = clientOf(origin.url);
  expect(await fetchText(gateway, `${origin.url}/away`)).toBe('ftyp-clip');
  expect(await gateway.fetchMedia(`${origin.url}/in`, {})).toMatchObject({ type: 'refused' });
  for (const host of ['169.254.169.254', '[64:ff9b::7f00:1]', '[fe80::1]', '100.64.0.1', '0.0.0.0', '224.0.0.1']) {
    expect(await gateway.fetchMedia(`http://${host}/a`, {}), host).toMatchObject({ type: 'refused' });
  }
});

test('a name that cannot be looked up now does not count as public for good', async () => {
  const { gateway } = clientOf(`http://${'x'.repeat(64)}.invalid`);
  expect(await gateway.fetchMedia('http://127.0.0.1:9/a', {})).toMatchObject({ type: 'unreachable' });
});

test('a redirect to another scheme, and a loop, end', async () => {
  const server = await serve((request, socket) =>
    socket.write(reply(302, '', { location: request.path === '/gs' ? 'gs://b/a' : '/round' })),
  );
  const { gateway } = clientOf(server.url);
  expect(await gateway.fetchMedia(`${server.url}/gs`, {})).toMatchObject({ type: 'stored' });
  expect(await gateway.fetchMedia(`${server.url}/round`, {})).toMatchObject({ type: 'noFile' });
  expect(server.requests.length).toBeLessThan(10);
});

test('bytes in the address itself', async () => {
  const { gateway } = clientOf('http://127.0.0.1:9');
  const outcome = await gateway.fetchMedia('data:video/mp4;base64,ZnR5cC1jbGlw', {});
  expect(outcome).toMatchObject({ type: 'ok', media: { mime: 'video/mp4', from: 0 } });
  expect(await bytesOf(outcome)).toBe('ftyp-clip');
  const long = Buffer.alloc(2_000_000, 'ftyp');
  const pieces = await gateway.fetchMedia(`data:video/mp4;base64,${long.toString('base64')}`, {});
  const lengths: number[] = [];
  for await (const piece of pieces.type === 'ok' ? pieces.media.body : []) lengths.push(piece.byteLength);
  expect(lengths.length).toBeGreaterThan(2);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(long.length);
});

test('a download resumes where it stopped, if the service supports it', async () => {
  const server = await serve((request, socket) => {
    if (request.path === '/whole') socket.write(clip());
    else if (request.path === '/short' && request.headers.range)
      socket.write(reply(416, '', { 'content-range': 'bytes */3' }));
    else if (request.path === '/short') socket.write(clip('abc'));
    else socket.write(reply(206, 'clip', { 'content-type': 'video/mp4', 'content-range': 'bytes 5-8/9' }));
  });
  const { gateway } = clientOf(server.url);
  const resumed = await gateway.fetchMedia(`${server.url}/part`, { from: 5 });
  expect(resumed).toMatchObject({ type: 'ok', media: { from: 5, bytes: 9 } });
  expect(await bytesOf(resumed)).toBe('clip');
  expect(server.requests[0]?.headers.range).toBe('bytes=5-');
  const whole = await gateway.fetchMedia(`${server.url}/whole`, { from: 5 });
  expect(whole).toMatchObject({ type: 'ok', media: { from: 0, bytes: 9 } });
  await bytesOf(whole);
  expect(await gateway.fetchMedia(`${server.url}/short`, { from: 5 })).toMatchObject({
    type: 'ok',
    media: { from: 0 },
  });
});

test('a download resumes only with the same content', async () => {
  const server = await serve((_request, socket) =>
    socket.write(reply(206, 'clip', { etag: '"v1"', 'last-modified': 'x', 'content-range': 'bytes 5-8/9' })),
  );
  const { gateway } = clientOf(server.url);
  const first = await gateway.fetchMedia(`${server.url}/a`, { from: 5, ifRange: '"v1"' });
  expect(first).toMatchObject({ type: 'ok', media: { validator: '"v1"' } });
  expect(server.requests[0]?.headers).toMatchObject({
    range: 'bytes=5-',
    'if-range': '"v1"',
    'accept-encoding': 'identity',
  });
  await bytesOf(first);
});

test('a weak entity tag does not allow resuming', async () => {
  const server = await serve((request, socket) =>
    socket.write(
      reply(200, 'clip', { etag: 'W/"v1"', ...(request.path === '/dated' ? { 'last-modified': 'Sat' } : {}) }),
    ),
  );
  const { gateway } = clientOf(server.url);
  const validatorOf = async (path: string) => {
    const outcome = await gateway.fetchMedia(server.url + path, {});
    await bytesOf(outcome);
    return outcome.type === 'ok' ? outcome.media.validator : outcome.type;
  };
  expect(await validatorOf('/a')).toBeUndefined();
  expect(await validatorOf('/dated')).toBe('Sat');
});

const denied = (message: string) =>
  reply(403, `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`);
const portal = reply(403, '<!doctype html><title>Blocked</title>Your session has expired', {
  'content-type': 'text/html',
});

test.each<[string, string, string, object]>([
  ['a refusal without a reason', '/a?X-Amz-Signature=1&X-Amz-Expires=9', denied('Access Denied'), { type: 'wrong' }],
  ['a page', '/a?Signature=1&Expires=9', portal, { type: 'wrong' }],
  ['a page for a place that it does not know', '/a?sig=1', portal.replace('403', '404'), { type: 'noFile' }],
  ['a storage that does not know it', '/a?sig=1', denied('No').replace('403', '404'), { type: 'missing' }],
  ['401', '/a?token=1', reply(401, ''), { type: 'wrong', error: { status: 401 } }],
  ['its end', '/a?X-Amz-Signature=1&X-Amz-Expires=9', denied('Request has expired'), { type: 'gone' }],
])('%s of another host at a signed address', async (_name, path, bytes, expected) => {
  const storage = await serve((_request, socket) => socket.end(bytes));
  const origin = await serve(() => undefined);
  expect(await clientOf(origin.url).gateway.fetchMedia(storage.url + path, {})).toMatchObject(expected);
});

test.each([
  ['a signed address that has ended', denied('Request has expired')],
  ['410', reply(410, '')],
  ['a note that it is over', reply(200, { message: 'link expired' })],
])('%s behind a redirect says nothing about the address that leads there', async (_name, bytes) => {
  const storage = await serve((_request, socket) => socket.end(bytes));
  const origin = await serve((_request, socket) =>
    socket.end(reply(302, '', { location: `${storage.url}/a?X-Amz-Signature=1` })),
  );
  const outcome = await clientOf(origin.url).gateway.fetchMedia(`${origin.url}/v1/videos/x/content`, {});
  expect(outcome).toMatchObject({ type: 'wrong', error: { retryable: true } });
});

test('a JSON answer that names the real address is followed', async () => {
  const server = await serve((request, socket) =>
    socket.write(request.path === '/v1/videos/x/content' ? reply(200, { url: `${server.url}/real.mp4` }) : clip()),
  );
  expect(await fetchText(clientOf(server.url).gateway, `${server.url}/v1/videos/x/content`)).toBe('ftyp-clip');
});

test('a clip that breaks off throws while it is read', async () => {
  const server = await serve((_request, socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 99\r\n\r\nftyp'),
  );
  const outcome = await clientOf(server.url).gateway.fetchMedia(`${server.url}/a`, {});
  await expect(bytesOf(outcome)).rejects.toThrow(/was lost/);
});

test('silence counts only while bytes are waited for', async () => {
  let socketOf: import('node:net').Socket | undefined;
  const server = await serve((_request, socket) => {
    socketOf = socket;
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 8\r\n\r\nftyp');
  });
  const { gateway, clock } = clientOf(server.url);
  const outcome = await gateway.fetchMedia(`${server.url}/a`, {});
  clock.advance(1_000_000);
  const text = bytesOf(outcome);
  socketOf?.write('clip');
  expect(await text).toBe('ftypclip');
});
