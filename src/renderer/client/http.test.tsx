import { afterEach, describe, expect, it, vi } from 'vitest';
import { bridgeTransport } from './bridge.ts';
import { httpTransport } from './http.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  window.localStorage.clear();
  window.location.hash = '';
});

const answering = (answer: () => Response | Promise<Response>) => {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => answer());
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

describe('the loopback transport', () => {
  it('posts the input itself and hands the result object through', async () => {
    const fetched = answering(() => Response.json({ ok: true, data: { paused: true } }));
    expect(await httpTransport().call('queue.pause', {})).toEqual({ ok: true, data: { paused: true } });
    expect(fetched.mock.calls[0]?.[0]).toBe('/rpc/queue.pause');
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{}' });
  });

  it('turns a dead studio, a lost sign-in and a page of HTML into results, never exceptions', async () => {
    answering(() => Promise.reject(new TypeError('failed to fetch')));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    answering(() => new Response('no', { status: 401 }));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    answering(() => new Response('<html>', { status: 502 }));
    expect(await httpTransport().call('app.info', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('takes the ticket out of the address, exchanges it before the first call, and sends its key as a header from then on', async () => {
    window.location.hash = '#ticket=once';
    const fetched = answering(() => Response.json({ ok: true, data: { page: 'kept', media: 'other' } }));
    const transport = httpTransport();
    expect(window.location.href).not.toContain('ticket');
    await transport.call('app.info', {});
    await httpTransport().call('app.info', {});
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/session', '/rpc/app.info', '/rpc/app.info']);
    expect(fetched.mock.calls[0]?.[1].body).toBe('{"ticket":"once"}');
    for (const [, init] of fetched.mock.calls.slice(1)) {
      expect(init.headers).toMatchObject({ authorization: 'Bearer kept' });
    }
  });

  it('keeps the key that it has where a ticket is not valid any more, and calls all the same', async () => {
    window.localStorage.setItem('dailies.keys', '{"page":"kept"}');
    window.location.hash = '#ticket=used';
    const fetched = answering(() => Response.json({ ok: false, error: {} }, { status: 401 }));
    const answer = await httpTransport().call('app.info', {});
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('signed in') } });
    expect(fetched.mock.calls[1]?.[1].headers).toMatchObject({ authorization: 'Bearer kept' });
  });

  it('opens events with a ticket of its own each time, and says lost, signed out and up as they come', async () => {
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
      () => new Response('{}', { status: 401 }),
      () => Response.json({ ok: true, data: { ticket: 'a' } }),
      () => Response.json({ ok: true, data: { ticket: 'b' } }),
    ];
    answering(() => answers[asked++]?.() ?? Promise.reject(new Error('asked too often')));
    const links: string[] = [];
    const stop = httpTransport().subscribe(
      () => {},
      (link) => links.push(link),
    );
    await vi.advanceTimersByTimeAsync(2_500);
    sources[0]?.onopen?.();
    sources[0]?.onerror?.();
    await vi.advanceTimersByTimeAsync(1_500);
    sources[1]?.onopen?.();
    stop();
    vi.useRealTimers();
    expect(sources.map(({ url }) => url)).toEqual(['/events?ticket=a', '/events?ticket=b']);
    expect(links).toEqual(['lost', 'signedOut', 'up', 'lost', 'up']);
  });

  it('streams a file with its name and what it is for', async () => {
    const fetched = answering(() => Response.json({ ok: true, data: {} }));
    await httpTransport().upload(new Blob(['x']), 'a b&c.png', { task: 'task 1' });
    expect(fetched.mock.calls[0]?.[0]).toBe('/media?name=a+b%26c.png&task=task+1');
    await httpTransport().upload(new Blob(['x']), 'masked ball.png', { role: 'source' });
    expect(fetched.mock.calls[1]?.[0]).toBe('/media?name=masked+ball.png&role=source');
    expect(httpTransport().mediaUrl('a/b')).toBe('/media/a%2Fb');
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
