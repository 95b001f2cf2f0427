import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvents } from '../../../../test/helpers/events.ts';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import type { Studio } from '../../core/studio.ts';
import { newSecret } from './access.ts';
import { type BrowserServer, startServer } from './server.ts';

let emit: (event: StudioEvent) => void = () => {};
const notFound = { ok: false, error: { code: 'not_found', message: '' } } as const;
const studio: Studio = {
  call: async () => ({ ok: true, data: {} }),
  subscribe: (listener) => {
    emit = listener;
    return () => {};
  },
  media: {
    open: () => notFound,
    upload: async () => notFound,
    receiveBundle: async () => notFound,
    writeFilm: async () => notFound,
  },
  exports: { open: async () => notFound },
  stopSending: () => {},
  close: async () => {},
};

const FLOOD = 2_000;

const token = newSecret();
let server: BrowserServer;
const start = (more: { silenceMs?: number; headersMs?: number } = {}) =>
  startServer({
    port: 0,
    secrets: { token, originKey: newSecret() },
    studio,
    pages: { serve: async () => null },
    log: recordingLog(),
    now: () => 0,
    media: () => undefined,
    headersMs: 200,
    ...more,
  });
/** A call as its bytes, of a body of two. */
const request = (to: BrowserServer, path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${to.port}\r\nAuthorization: Bearer ${to.access.token}\r\nContent-Length: 2\r\n\r\n${body}`;
const connected = (to: BrowserServer) => connect(to.port, '127.0.0.1').on('error', () => {});
beforeEach(async () => {
  server = await start();
});
afterEach(() => server.close());

// Node checks its connections every half minute by default; then a shorter limit has no effect.
test.each(['', 'GET / HTTP/1.1\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX-Slow: `])(
  'headers that stop after %j are cut off by their limit',
  { timeout: 25_000 },
  async (sent) => {
    const socket = connected(server);
    await once(socket, 'connect');
    socket.write(sent);
    const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    if (answer instanceof Buffer) expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /);
    socket.destroy();
  },
);

test.each(['/rpc/app.info', '/hello', '/session'])('a body for %s that stops is cut off', async (path) => {
  const strict = await start({ silenceMs: 50 });
  const socket = connected(strict).resume();
  socket.write(request(strict, path, '{'));
  await once(socket, 'close');
  await strict.close();
});

/** Sends a body until the connection ends. */
async function flood(path: string, kind: string, chunk: Buffer): Promise<void> {
  const socket = connected(server).resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const write = (): void => {
    if (!socket.destroyed) socket.write(chunk, () => setImmediate(write));
  };
  socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${kind}\r\n\r\n`, write);
  await closed;
}

test.each(['/session', '/hello'])('a body for %s that is too long is refused and not read to its end', async (path) => {
  const body = Buffer.alloc(8_192, 'x');
  await flood(path, 'Content-Length: 9000000000', body);
  await flood(path, 'Transfer-Encoding: chunked', Buffer.concat([Buffer.from('2000\r\n'), body, Buffer.from('\r\n')]));
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body });
  expect(answer.status).toBe(413);
});

test('requests that one connection sends at once do not keep those of another waiting', async () => {
  const patient = await start({ headersMs: 60_000 });
  const answered: string[] = [];
  const { call } = studio;
  const all = Promise.withResolvers<void>();
  studio.call = async (name) => {
    await undefined;
    answered.push(name);
    if (answered.length === FLOOD + 1) all.resolve();
    return { ok: true, data: {} };
  };
  const [flooding, other] = [connected(patient).resume(), connected(patient).resume()];
  await Promise.all([once(flooding, 'connect'), once(other, 'connect')]);
  flooding.write(Array.from({ length: FLOOD }, (_, at) => request(patient, `/rpc/flood${at}`, '{}')).join(''));
  other.write(request(patient, '/rpc/other', '{}'));
  await all.promise;
  // Before, it came after all that one packet held.
  expect(answered.indexOf('other')).toBeLessThan(FLOOD / 10);
  for (const socket of [flooding, other]) socket.destroy();
  studio.call = call;
  await patient.close();
});

test('a reader of events that does not read is dropped, and the others hear everything', async () => {
  const authorization = `Bearer ${server.access.token}`;
  const slow = connected(server);
  slow.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${authorization}\r\n\r\n`);
  await once(slow, 'data');
  slow.pause();
  const closed = once(slow, 'close');
  const reader = readEvents(await fetch(`http://127.0.0.1:${server.port}/events`, { headers: { authorization } }));
  const notice = (at: number) => ({ type: 'notice', level: 'info', text: `${at} ${'long '.repeat(20_000)}` }) as const;
  // Together they are more than any buffer holds.
  for (let at = 0; at < 300; at++) {
    emit(notice(at));
    await reader.next('notice', ({ text }) => text.startsWith(`${at} `));
  }
  // Only now: its events have long exceeded its buffer.
  slow.resume();
  await closed;
  await reader.close();
});

test('a call whose body has come may take as long as it likes', async () => {
  const answering = Promise.withResolvers<void>();
  const slow = await start({ silenceMs: 50 });
  studio.call = async () => {
    await answering.promise;
    return { ok: true, data: {} };
  };
  const [socket, idle] = [connected(slow), connected(slow).resume()];
  socket.write(request(slow, '/rpc/app.info', '{}'));
  // Cut off after 200 ms, so that more than the silence has passed for the call as well.
  await once(idle, 'close');
  answering.resolve();
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  socket.destroy();
  studio.call = async () => ({ ok: true, data: {} });
  await slow.close();
});

test('a body may take longer than the headers', async () => {
  const socket = connected(server);
  socket.write(request(server, '/rpc/app.info', '{'));
  const idle = connected(server).resume();
  // Cut off after its time, so that time has passed for the body as well.
  await once(idle, 'close');
  socket.write('}');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  socket.destroy();
});

test('only a page leaves a bundle, whatever task the media page names', async () => {
  const received: string[] = [];
  const { receiveBundle } = studio.media;
  studio.media.receiveBundle = async ({ name, body }) => {
    received.push(name);
    body.resume();
    return notFound;
  };
  const { access } = server;
  const entered = access.enter(access.ticket('enter', 'mediaWorker'), 'media');
  const keys = access.signIn(entered?.ticket ?? '') as { media: string };
  const run = access.proveHost(newSecret())?.run ?? '';
  const ofMediaPage = createHmac('sha256', keys.media).update(`page\n${run}`).digest('base64url');
  const put = async (key: string, fields: string): Promise<number> => {
    const origin = `http://127.0.0.1:${server.port}`;
    const headers = { authorization: `Bearer ${key}`, origin };
    return (await fetch(`${origin}/media?${fields}`, { method: 'PUT', body: 'PK', headers })).status;
  };
  for (const fields of ['name=a&task=t&role=bundle', 'name=a&role=bundle', 'name=a&role=bundle&role=frame&task=t'])
    expect(await put(ofMediaPage, fields)).toBe(403);
  expect(received).toEqual([]);
  expect(await put(access.token, 'name=a&role=bundle')).toBe(200);
  expect(received).toEqual(['a']);
  studio.media.receiveBundle = receiveBundle;
});

test('no answer lets a page pass its address on', async () => {
  const paths = ['/', '/?token=wrong', '/nothing', '/media/a', '/exports/a/b', '/events', '/rpc/app.info', '/hello'];
  for (const path of paths) {
    const { status, headers } = await fetch(server.origin + path, { redirect: 'manual' });
    expect([path, status, headers.get('referrer-policy')]).toEqual([path, status, 'no-referrer']);
  }
  const foreign = await fetch(`${server.origin}/`, { headers: { origin: 'https://evil.example' } });
  expect(foreign.headers.get('referrer-policy')).toBe('no-referrer');
});

test('the redirect of a browser leaves the place in the address to the page, that of a program names the ticket alone', async () => {
  const entered = (mode: string) =>
    new Promise<string | undefined>((resolve, reject) =>
      get(`${server.origin}/?token=${token}`, { headers: { 'sec-fetch-mode': mode } }, (response) => {
        response.resume();
        expect([response.statusCode, response.headers['referrer-policy']]).toEqual([303, 'no-referrer']);
        resolve(response.headers.location);
      }).on('error', reject),
    );
  expect(await entered('navigate')).toMatch(/^\.\/\?ticket=[\w-]{43}$/);
  expect(await entered('cors')).toMatch(/^\.\/#ticket=[\w-]{43}$/);
});
