import { existsSync, readdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, startHost } from '../helpers/host.ts';
import { enter, greet } from '../helpers/pageSession.ts';
import { testPng } from '../helpers/png.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.stop());

const wrong = { authorization: 'Bearer wrong' };
const GUARDED = [
  ['POST', '/rpc/app.info'],
  ['GET', '/events'],
  ['GET', '/media/x'],
  ['PUT', '/media?name=x.png'],
] as const;

describe('access', () => {
  test.each(GUARDED)('%s %s without the token is 401', async (method, path) => {
    for (const headers of [{}, wrong, { authorization: host.token }, { cookie: `dailies=${host.token}` }]) {
      const response = await fetch(host.origin + path, { method, headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ ok: false, error: { data: { field: 'token' } } });
    }
  });

  test.each(GUARDED)('%s %s from another origin is 403, with the right token too', async (method, path) => {
    for (const origin of [
      'http://evil.example',
      'null',
      'https://127.0.0.1',
      `http://127.0.0.1:${Number(new URL(host.origin).port) + 1}`,
    ]) {
      expect((await host.request(path, { method, headers: { origin } })).status).toBe(403);
    }
    expect((await host.request(path, { method, headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
  });

  test('another Host is 403, such as a foreign name that resolves to this machine', async () => {
    expect(await statusFor('dailies.example')).toBe(403);
    expect(await statusFor(new URL(host.origin).host)).toBe(200);
  });
});

/** `fetch` sets Host itself, so the request is written by hand. */
async function statusFor(name: string): Promise<number> {
  const head = `POST /rpc/app.info HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${host.token}\r\nContent-Length: 0`;
  return (await raw(head)).status;
}

/** `fetch` normalizes addresses before it sends them. */
const rawGet = (target: string) => raw(`GET ${target} HTTP/1.1\r\nHost: ${new URL(host.origin).host}`);

function raw(head: string): Promise<{ status: number; location: string | undefined }> {
  const { port } = new URL(host.origin);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.once('data', (data) => {
      const text = data.toString();
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);
      resolve({ status, location: /^location: (.*)\r$/im.exec(text)?.[1] });
      socket.destroy();
    });
    socket.once('error', reject);
    socket.write(`${head}\r\n\r\n`);
  });
}

/** A newly opened page, with its session secret. */
async function opened(path = '/'): Promise<{ cookie: string; key: string; secret: string }> {
  const { cookie, key } = await enter(host, path);
  const { isKnown, secret } = await greet(host, key);
  expect(isKnown).toBe(true);
  return { cookie, key, secret };
}

describe('a page', () => {
  test.each(GUARDED.filter(([, path]) => path !== '/media/x'))(
    '%s %s is not opened by the cookie',
    async (method, path) => {
      const { cookie } = await opened();
      for (const more of [{}, { origin: host.origin }, { 'sec-fetch-site': 'same-origin' }]) {
        const response = await fetch(host.origin + path, { method, headers: { cookie, ...more } });
        expect(response.status).toBe(401);
      }
    },
  );

  test('reads media with the cookie, and calls with the key of its origin', async () => {
    const { cookie, key, secret } = await opened();
    const body = testPng(8, 8) as Uint8Array<ArrayBuffer>;
    const authorization = `Bearer ${secret}`;
    const own = { authorization, cookie, origin: host.origin };
    const uploaded = await fetch(`${host.origin}/media?name=p.png`, { method: 'PUT', headers: own, body });
    const { data } = (await uploaded.json()) as { data: { id: string; bytes: number } };
    const media = await fetch(`${host.origin}/media/${data.id}`, { headers: { cookie } });
    expect([media.status, (await media.arrayBuffer()).byteLength]).toEqual([200, data.bytes]);
    const call = (headers: Record<string, string>) => fetch(`${host.origin}/rpc/app.info`, { method: 'POST', headers });
    expect((await call(own)).status).toBe(200);
    expect((await call({ ...own, authorization: `Bearer ${key}` })).status).toBe(401);
    // A program that stole both, without the page's key.
    expect((await call({ authorization, cookie })).status).toBe(401);
  });

  test('opens the stream of events with a ticket that works once', async () => {
    const { secret } = await opened();
    const headers = { authorization: `Bearer ${secret}`, 'sec-fetch-site': 'same-origin' };
    const asked = await fetch(`${host.origin}/events`, { method: 'POST', headers });
    const { data } = (await asked.json()) as { data: { ticket: string } };
    const open = () => fetch(`${host.origin}/events?ticket=${data.ticket}`);
    const stream = await open();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await stream.body?.cancel();
    expect((await open()).status).toBe(401);
  });

  test('signs in with a ticket once, and another origin not at all', async () => {
    const session = (ticket: unknown, headers: Record<string, string> = {}) =>
      fetch(`${host.origin}/session`, { method: 'POST', headers, body: JSON.stringify({ ticket }) });
    for (const ticket of [host.token, '', null, {}, 'x'.repeat(43)]) expect((await session(ticket)).status).toBe(401);
    const first = await fetch(host.url, { redirect: 'manual' });
    const ticket = /#ticket=(.*)$/.exec(first.headers.get('location') ?? '')?.[1];
    expect((await session(ticket, { origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await session(ticket)).status).toBe(200);
    expect((await session(ticket)).status).toBe(401);
  });
});

describe('the media page', () => {
  test('claims, finishes, reads and uploads what a task needs; everything else is refused', async () => {
    const { secret, cookie } = await opened('/media.html');
    const headers = { authorization: `Bearer ${secret}`, cookie, origin: host.origin };
    const status = async (method: string, path: string) =>
      (await fetch(host.origin + path, { method, headers })).status;
    expect(await status('POST', '/rpc/media.claim')).toBe(200);
    expect(await status('POST', '/rpc/media.finish')).toBe(200);
    expect(await status('GET', '/media/none')).toBe(404);
    for (const name of [
      'app.info',
      'profiles.list',
      'profiles.setKey',
      'jobs.enqueue',
      'library.get',
      'no.such.call',
    ]) {
      expect(await status('POST', `/rpc/${name}`)).toBe(403);
    }
    expect(await status('PUT', '/media?name=x.png')).toBe(403);
  });

  test('gets events of its work only', async () => {
    const { secret } = await opened('/media.html');
    const headers = { authorization: `Bearer ${secret}`, origin: host.origin };
    const reader = (await fetch(`${host.origin}/events`, { headers })).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    await host.ask('projects.create', { name: 'Not for its ears' });
    await host.ask('settings.set', { theme: 'light' });
    await host.request('/media?name=work.png', {
      method: 'PUT',
      body: testPng(640, 360, 7) as Uint8Array<ArrayBuffer>,
    });
    let text = '';
    while (!text.includes('data: ')) text += (await reader?.read())?.value ?? '';
    expect(/data: (.*)/.exec(text)?.[1]).toContain('media.work');
    await reader?.cancel();
  });
});

describe('pages', () => {
  test('the first address gives a cookie for media and a ticket that works once, and drops the token', async () => {
    const first = await fetch(host.url, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\.\/#ticket=[\w-]{43}$/),
    ]);
    expect(first.headers.get('location')).not.toContain(host.token);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const page = await fetch(host.origin, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  // Each of these once redirected to another host with the visitor's cookie set, or nearly did.
  test.each([
    '/.//evil.example',
    '//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/.//evil.example/index.html',
    '/\\evil.example',
    '/.\\/evil.example',
    '/index.html//evil.example',
    '/http://evil.example/',
  ])('%s with a token redirects nowhere', async (path) => {
    const { status, location } = await rawGet(`${path}?token=${host.token}`);
    expect(location === undefined || /^\/(media\.html)?#ticket=/.test(location)).toBe(true);
    if (location === undefined) expect([400, 401, 404]).toContain(status);
  });

  test('without a token there is no page, and a sentence says what to do', async () => {
    for (const path of ['/', '/media.html', '/?token=wrong']) {
      const response = await fetch(host.origin + path, { redirect: 'manual' });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('no valid token');
    }
  });

  test('a page may run only its own scripts', async () => {
    const { headers } = await host.request('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/assets/../../main/browser.js', '/nothing'])(
    '%s is not a page',
    async (path) => {
      expect((await host.request(path)).status).toBe(404);
    },
  );
});

describe('calls', () => {
  const post = (body: string | undefined) =>
    host.request('/rpc/app.info', { method: 'POST', ...(body === undefined ? {} : { body }) });

  test.each([undefined, '', '{}'])('a call without input takes the body %j', async (body) => {
    expect(await (await post(body)).json()).toMatchObject({ ok: true, data: { host: 'browser' } });
  });

  test.each(['{', 'null x', '\u0000'])('the body %j gets a result with an error', async (body) => {
    expect(await (await post(body)).json()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  test.each(['x', '夜', '😀'])('a body of %s has at most 2,000,000 characters', async (letter) => {
    const whole = letter.repeat(2_000_000 / letter.length);
    expect(await (await post(whole)).json()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect((await post(`${whole}x`)).status).toBe(413);
  });

  test('a body that is too long is 413, and the next call on the connection is answered', async () => {
    const response = await post('x'.repeat(2_000_001));
    expect(response.status).toBe(413);
    const message = 'The body must have at most 2,000,000 characters; send bytes with PUT /media.';
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'too_large', message } });
    expect((await post('{}')).status).toBe(200);
  });

  test('calls need POST', async () => {
    expect((await host.request('/rpc/queue.pause')).status).toBe(404);
  });
});

describe('events', () => {
  test('each is one server-sent event with its type in the data; the stream ends with its reader', async () => {
    const response = await host.request('/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await host.ask('queue.pause');
    let text = '';
    while (!text.includes('queue.changed')) text += (await reader?.read())?.value ?? '';
    expect(text).toMatch(/(^|\n)data: \{"type":"queue.changed"[^\n]+\}\n\n/);
    await reader?.cancel();
    await host.ask('queue.resume');
  });
});

describe('uploads', () => {
  test('a large body that is refused at once still gets its answer', async () => {
    const body = Buffer.alloc(30_000_000);
    const response = await host.request('/media?name=zeros.bin', { method: 'PUT', body });
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'unsupported_media' } });
  });

  test('an upload that is cut off leaves no asset', async () => {
    const { total } = await host.ask('library.list', { roles: ['source'] });
    const picture = Buffer.concat([testPng(200, 200), Buffer.alloc(3 * 1024 ** 2)]);
    const { port, host: name } = new URL(host.origin);
    const socket = createConnection(Number(port), '127.0.0.1');
    const head = `PUT /media?name=cut.png HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${host.token}\r\nContent-Length: ${picture.length}\r\n\r\n`;
    socket.write(head);
    socket.write(picture.subarray(0, -10));
    // Parts are written a megabyte at a time; no other part here is this large.
    const parts = join(host.dataDir, 'library', 'parts');
    const sizeOf = (name: string) => statSync(join(parts, name), { throwIfNoEntry: false })?.size ?? 0;
    const isUnderWay = () => existsSync(parts) && readdirSync(parts).some((name) => sizeOf(name) >= 1024 ** 2);
    await expect.poll(isUnderWay).toBe(true);
    socket.destroy();
    await expect.poll(isUnderWay).toBe(false);
    expect((await host.ask('library.list', { roles: ['source'] })).total).toBe(total);
  });
});
