// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/helpers/patience.ts';
import { bridgeTransport } from './bridge.ts';
import { httpTransport } from './http.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  window.localStorage.clear();
  window.location.hash = '';
});

async function hmac(key: string, text: string): Promise<string> {
  const bytes = (of: string) => new TextEncoder().encode(of);
  const made = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', made, bytes(text))));
  return btoa(signed).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
}
const KEY = 'the key of this origin';

/** What a host of this run says to a page's nonce; `knows`: the key that it proves. */
const handshake = async (init: RequestInit, run: string, knows = KEY) => {
  const { nonce } = JSON.parse(String(init.body)) as { nonce: string };
  return Response.json({ ok: true, data: { run, proofs: ['other', await hmac(knows, `host\n${nonce}\n${run}`)] } });
};

/** A host that proves itself, with `answer` to everything else; the page has its key. */
const answering = (
  answer: (path: string) => Response | Promise<Response>,
  host: { run: string; knows?: string } = { run: 'one' },
) => {
  window.localStorage.setItem('dailies.keys', JSON.stringify({ page: KEY }));
  const fetched = vi.fn(async (path: string, init: RequestInit) =>
    path === '/hello' ? handshake(init, host.run, host.knows) : answer(path),
  );
  vi.stubGlobal('fetch', fetched);
  const calls = () => fetched.mock.calls.filter(([path]) => path !== '/hello');
  return { fetched, calls };
};

describe('the loopback transport', () => {
  it('posts the input itself and hands the result object through', async () => {
    const { calls } = answering(() => Response.json({ ok: true, data: { paused: true } }));
    expect(await httpTransport().call('queue.pause', {})).toEqual({ ok: true, data: { paused: true } });
    expect(calls()[0]?.[0]).toBe('/rpc/queue.pause');
    expect(calls()[0]?.[1]).toMatchObject({ method: 'POST', body: '{}' });
  });

  it.each([
    [
      'storyboard.save',
      (prompt: string) => ({ projectId: 'p', revision: 1, shots: [{ id: 's', prompt }] }),
      'shots.0.prompt',
      '100,000',
    ],
    ['chat.send', (text: string) => ({ conversationId: 'c', text }), 'text', '500,000'],
    ['jobs.enqueue', (prompt: string) => ({ requests: [{ kind: 'imagine', prompt }] }), 'requests.0.prompt', '100,000'],
  ])('names the field of %s that is too long, and sends nothing', async (name, inputOf, field, most) => {
    const { fetched } = answering(() => Response.json({ ok: true, data: {} }));
    const message = `${field}: must have at most ${most} characters`;
    const refusal = { ok: false, error: { code: 'invalid_input', message, data: { field } } };
    expect(await httpTransport().call(name, inputOf('x'.repeat(2_100_000)))).toMatchObject(refusal);
    expect(fetched).not.toHaveBeenCalled();
    expect(await httpTransport().call(name, inputOf('x'))).toMatchObject({ ok: true });
  });

  it('turns a dead studio, a lost sign-in and a page of HTML into results, never exceptions', async () => {
    answering(() => Promise.reject(new TypeError('failed to fetch')));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    answering(() => new Response('no', { status: 401 }));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    answering(() => new Response('<html>', { status: 502 }));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('has the host prove itself once, and sends what is good for its run alone', async () => {
    const { fetched, calls } = answering(() => Response.json({ ok: true, data: {} }));
    const transport = httpTransport();
    await transport.call('app.info', {});
    await transport.call('queue.status', {});
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/hello', '/rpc/app.info', '/rpc/queue.status']);
    for (const [, { headers }] of calls()) {
      expect(headers).toMatchObject({ authorization: `Bearer ${await hmac(KEY, 'page\none')}` });
    }
    expect(JSON.stringify(fetched.mock.calls)).not.toContain(KEY);
  });

  it.each([
    ['proves another key', () => handshake],
    ['answers anything', () => () => Response.json({ ok: true, data: {} })],
    ['answers no JSON', () => () => new Response('<html>')],
    ['has no such place', () => () => new Response('no', { status: 404 })],
    ['sends the nonce back', () => (init: RequestInit) => new Response(String(init.body))],
  ])('tells nothing to one that %s', async (_, hello) => {
    window.localStorage.setItem('dailies.keys', JSON.stringify({ page: KEY }));
    const fetched = vi.fn(async (_path: string, init: RequestInit) => hello()(init, 'one', 'another key'));
    vi.stubGlobal('fetch', fetched);
    const answer = await httpTransport().call('profiles.setKey', { id: 'p', apiKey: 'sk-typed' });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('signed in') } });
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/hello']);
    expect(JSON.stringify(fetched.mock.calls)).not.toMatch(/sk-typed|the key of/);
  });

  it('opens a session with a host that was started anew, and asks it again; one that refuses all the same is asked no third time', async () => {
    const host = { run: 'one' };
    let refusals = 1;
    const { fetched, calls } = answering(
      () => (refusals-- > 0 ? new Response('', { status: 401 }) : Response.json({ ok: true, data: {} })),
      host,
    );
    const transport = httpTransport();
    host.run = 'two';
    expect(await transport.call('app.info', {})).toMatchObject({ ok: true });
    expect(calls().at(-1)?.[1].headers).toMatchObject({ authorization: `Bearer ${await hmac(KEY, 'page\ntwo')}` });
    refusals = 100;
    expect(await transport.call('app.info', {})).toMatchObject({ ok: false });
    expect(fetched.mock.calls.map(([path]) => path).slice(4)).toHaveLength(3);
  });

  it.each(['profiles.setKey', 'profiles.save'])(
    'opens a new session before %s, which carries what nobody else may hear',
    async (name) => {
      const { fetched } = answering(() => Response.json({ ok: true, data: {} }));
      const transport = httpTransport();
      await transport.call('app.info', {});
      await transport.call(name, {});
      expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/hello', '/rpc/app.info', '/hello', `/rpc/${name}`]);
    },
  );

  it('takes the ticket out of the address and exchanges it before the first call', async () => {
    window.location.hash = '#ticket=once';
    const { fetched } = answering(() => Response.json({ ok: true, data: { page: KEY } }));
    window.localStorage.clear();
    const transport = httpTransport();
    expect(window.location.href).not.toContain('ticket');
    await transport.call('app.info', {});
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/session', '/hello', '/rpc/app.info']);
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1].body))).toEqual({
      ticket: 'once',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('takes a ticket that stands beside a place, and leaves the place', async () => {
    const { pathname } = window.location;
    window.history.replaceState(null, '', `${pathname}?ticket=once#/queue?job=j`);
    const { fetched } = answering(() => Response.json({ ok: true, data: { page: KEY } }));
    window.localStorage.clear();
    const transport = httpTransport();
    expect([window.location.search, window.location.hash]).toEqual(['', '#/queue?job=j']);
    await transport.call('app.info', {});
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1].body))).toMatchObject({ ticket: 'once' });
    window.history.replaceState(null, '', pathname);
  });

  it.each(['', '#ticket=once'])(
    'asks again with the same ticket where it was loaded anew before the answer came, and no more after it (%j)',
    async (hash) => {
      window.location.hash = '#ticket=once';
      let answer = (): Promise<Response> => new Promise(() => {});
      const { fetched } = answering((path) =>
        path === '/session' ? answer() : Promise.resolve(Response.json({ ok: true, data: {} })),
      );
      window.localStorage.clear();
      httpTransport();
      window.location.hash = hash;
      answer = async () => Response.json({ ok: true, data: { page: KEY } });
      expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: true });
      expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: true });
      const asked = fetched.mock.calls.flatMap(([path, init]) => (path === '/session' ? [init.body] : []));
      expect(asked).toHaveLength(2);
      expect(asked[1]).toBe(asked[0]);
      expect(JSON.stringify(window.sessionStorage)).not.toContain('once');
    },
  );

  it('keeps the key that it has where a ticket is not valid any more, and calls all the same', async () => {
    window.location.hash = '#ticket=used';
    const refused = Response.json({ ok: false, error: {} }, { status: 401 });
    const { calls } = answering((path) => (path === '/session' ? refused : Response.json({ ok: true, data: {} })));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: true });
    expect(calls()[1]?.[1].headers).toMatchObject({ authorization: `Bearer ${await hmac(KEY, 'page\none')}` });
  });

  it('opens events with a ticket of its own each time, says lost, signed out and up as they come, also after a call that does not get through, and opens a new session after each loss', async () => {
    vi.useFakeTimers();
    const sources: { url: string; onopen?: () => void; onerror?: () => void; close(): void }[] = [];
    class Source {
      url: string;
      constructor(url: string) {
        this.url = url;
        sources.push(this);
      }
      close() {}
    }
    vi.stubGlobal('EventSource', Source);
    let asked = 0;
    const answers = [
      () => Promise.reject(new TypeError('refused')),
      () => new Response('{}', { status: 403 }),
      () => Response.json({ ok: true, data: { ticket: 'a' } }),
      () => Response.json({ ok: true, data: { ticket: 'b' } }),
      () => Promise.reject(new TypeError('refused')),
      () => Response.json({ ok: true, data: { ticket: 'c' } }),
    ];
    const { fetched } = answering(() => answers[asked++]?.() ?? Promise.reject(new Error('asked too often')));
    const links: string[] = [];
    const transport = httpTransport();
    transport.subscribe(
      () => {},
      (link) => links.push(link),
    );
    // The proof is made outside the page's thread, which no clock of the test moves.
    const until = (done: () => boolean) =>
      vi.waitUntil(
        async () => {
          await vi.advanceTimersByTimeAsync(100);
          return done();
        },
        { timeout: PATIENCE_MS },
      );
    await until(() => sources.length === 1);
    sources[0]?.onopen?.();
    sources[0]?.onerror?.();
    await until(() => sources.length === 2);
    sources[1]?.onopen?.();
    expect(await transport.call('app.info', {})).toMatchObject({ ok: false });
    await until(() => sources.length === 3);
    sources[2]?.onopen?.();
    vi.useRealTimers();
    expect(sources.map(({ url }) => url)).toEqual(['/events?ticket=a', '/events?ticket=b', '/events?ticket=c']);
    expect(links).toEqual(['lost', 'signedOut', 'up', 'lost', 'up', 'lost', 'up']);
    expect(fetched.mock.calls.filter(([path]) => path === '/hello')).toHaveLength(5);
  });

  it('streams a file with its name and what it is for', async () => {
    const { calls } = answering(() => Response.json({ ok: true, data: {} }));
    await httpTransport().upload(new Blob(['x']), 'a b&c.png', { task: 'task 1' });
    expect(calls()[0]?.[0]).toBe('/media?name=a+b%26c.png&task=task+1');
    await httpTransport().upload(new Blob(['x']), 'masked ball.png', { role: 'source' });
    expect(calls()[1]?.[0]).toBe('/media?name=masked+ball.png&role=source');
    expect(httpTransport().mediaUrl('a/b')).toBe('/media/a%2Fb?shown');
  });
});

describe("the preload's bridge", () => {
  it('is a result too when the process behind it is gone', async () => {
    const bridge = { call: () => Promise.reject(new Error('gone')), subscribe: () => () => {} };
    expect(await bridgeTransport(bridge).call('app.info', {})).toMatchObject({
      ok: false,
      error: { code: 'unreachable' },
    });
  });
});
