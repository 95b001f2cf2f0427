import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, startHost } from '../helpers/host.ts';
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

describe('who may ask', () => {
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

  test('another Host is 403: a foreign name that was pointed at this machine opens nothing', async () => {
    expect(await statusFor('dailies.example')).toBe(403);
    expect(await statusFor(new URL(host.origin).host)).toBe(200);
  });

  test('our own origin is let through', async () => {
    expect((await host.request('/rpc/app.info', { method: 'POST', headers: { origin: host.origin } })).status).toBe(
      200,
    );
  });
});

/** `fetch` sets Host itself, so the request is written by hand. */
function statusFor(name: string): Promise<number> {
  const { port } = new URL(host.origin);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.once('data', (data) => {
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(data.toString())?.[1]));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.write(
      `POST /rpc/app.info HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${host.token}\r\nContent-Length: 0\r\n\r\n`,
    );
  });
}

describe('pages', () => {
  test('the first address gives a cookie and leaves without the token', async () => {
    const first = await fetch(host.url, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const page = await fetch(host.origin, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('without a token there is no page, and a sentence says what to do', async () => {
    for (const path of ['/', '/media.html', '/?token=wrong']) {
      const response = await fetch(host.origin + path, { redirect: 'manual' });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('Open Dailies with the address');
    }
  });

  test('a page may run only what comes with it', async () => {
    const { headers } = await host.request('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test('built pages hold nothing that this policy forbids', async () => {
    for (const path of ['/', '/media.html']) {
      const html = await (await host.request(path)).text();
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
    }
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/assets/../../main/browser.js', '/nothing'])(
    '%s is no page',
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

  test.each(['{', 'null x', '\u0000'])('the body %j is refused as a result', async (body) => {
    expect(await (await post(body)).json()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  test('a body above 2 MB is 413, and the next call on the connection is answered', async () => {
    const response = await post('x'.repeat(2 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect((await post('{}')).status).toBe(200);
  });

  test('only POST calls', async () => {
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

  test('a reader that does not read is dropped, and the others hear everything', async () => {
    const { port, host: name } = new URL(host.origin);
    const slow = createConnection(Number(port), '127.0.0.1');
    slow.write(`GET /events HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${host.token}\r\n\r\n`);
    await new Promise((resolve) => slow.once('data', resolve));
    slow.pause();
    const closed = new Promise((resolve) => slow.once('close', resolve));
    slow.on('error', () => {});
    const events = await host.events();
    const prompt = 'a long prompt '.repeat(500);
    await host.ask('queue.pause');
    // Each job is told to both readers; together they are more than any buffer holds.
    for (let round = 0; round < 15; round += 1) {
      const requests = Array.from({ length: 200 }, (_, at) => ({
        kind: 'imagine' as const,
        prompt: `${at} ${prompt}`,
      }));
      await host.ask('jobs.enqueue', { requests });
    }
    const changed = () => new Set(events.seen.flatMap((event) => (event.type === 'job.changed' ? [event.job.id] : [])));
    await events.next('job.changed', () => changed().size === 3_000);
    expect(changed().size).toBe(3_000);
    // Only now: what it was told has long been more than was kept for it.
    slow.resume();
    await closed;
    await events.close();
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
    const { total } = await host.ask('library.list');
    const picture = testPng(200, 200);
    const { port, host: name } = new URL(host.origin);
    const socket = createConnection(Number(port), '127.0.0.1');
    const head = `PUT /media?name=cut.png HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${host.token}\r\nContent-Length: ${picture.length}\r\n\r\n`;
    socket.write(head);
    await new Promise((resolve) => socket.write(picture.subarray(0, picture.length - 10), resolve));
    socket.destroy();
    await host.ask('app.info');
    expect((await host.ask('library.list')).total).toBe(total);
  });
});
