import { afterEach, describe, expect, it, vi } from 'vitest';
import { bridgeTransport } from './bridge.ts';
import { httpTransport } from './http.ts';

afterEach(() => vi.unstubAllGlobals());

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

  it('streams a file with its name and the task it answers', async () => {
    const fetched = answering(() => Response.json({ ok: true, data: {} }));
    await httpTransport().upload(new Blob(['x']), 'a b&c.png', 'task 1');
    expect(fetched.mock.calls[0]?.[0]).toBe('/media?name=a+b%26c.png&task=task+1');
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
