import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../../test/helpers/gateway/cases.ts';
import { clientOf, KEY } from '../../../../../test/helpers/gateway/client.ts';
import { type RawServer, reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';

/** Queries about the account and prices: only reads, never a paid request, never to another host. */

const serve = serversOfThisFile();

type Pages = Record<string, object | string | number>;

interface Recorded {
  name: string;
  pages: Pages;
  nano?: number;
  isSite?: boolean;
}

/** Answers these paths; a number is a status; every other path is 404. */
async function service(pages: Pages, missing = reply(404, { error: { message: 'Not found' } })): Promise<RawServer> {
  const server = await serve((request, socket) => {
    const page = pages[request.path.split('?')[0] ?? ''];
    if (page === undefined) socket.write(missing);
    else socket.write(typeof page === 'number' ? reply(page, { error: { message: 'no' } }) : reply(200, page));
  });
  return server;
}

const asked = (server: RawServer) => server.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

const billing = (limit: number, used: number): Pages => ({
  '/v1/dashboard/billing/subscription': { object: 'billing_subscription', hard_limit_usd: limit },
  '/v1/dashboard/billing/usage': { object: 'list', total_usage: used * 100 },
});

/** What one-api and new-api say of themselves at /api/status, whose data has many more fields. */
const site = (data: object) => ({
  success: true,
  message: '',
  data: { version: 'v1', quota_per_unit: 500_000, ...data },
});

describe('the balance', () => {
  // one-api and new-api, controller/billing.go and controller/misc.go: `*_usd` and `total_usage` are in what the site shows, which
  // /api/status says; a token without limit has 100,000,000 of it. A version of new-api has what remains in the place of what is used.
  it.each(linesOf<Recorded>('balances').map((line) => [line.name, line] as const))(
    '%s',
    async (_name, { pages, nano, isSite = false }) => {
      const server = await service(pages);
      const client = clientOf(server.url);
      expect(await client.gateway.balance()).toBe(nano);
      expect(server.requests.every(({ method, body }) => method === 'GET' && body === '')).toBe(true);
      if (!isSite) return;
      expect(client.memory.balancePath).toBe(nano === undefined ? undefined : '/v1/dashboard/billing/subscription');
      const about = server.requests.filter(({ path }) => path === '/api/status');
      expect(about.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
    },
  );

  it('follows what the site shows, and is not guessed while that cannot be asked', async () => {
    const pages: Pages = { ...billing(101, 1), '/api/status': site({ quota_display_type: 'USD' }) };
    const server = await service(pages);
    const { gateway } = clientOf(server.url);
    expect(await gateway.balance()).toBe(100e9);
    pages['/api/status'] = 503;
    const before = server.requests.length;
    expect(await gateway.balance()).toBeUndefined();
    expect(asked(server).slice(before)).toEqual(['GET /v1/dashboard/billing/subscription', 'GET /api/status']);
    pages['/api/status'] = site({ quota_display_type: 'CNY', usd_exchange_rate: 8 });
    expect(await gateway.balance()).toBe(12.5e9);
  });

  it('is not read elsewhere of a site whose usage is not there now', async () => {
    const server = await service({
      ...billing(101, 1),
      '/v1/dashboard/billing/usage': 503,
      '/api/status': site({ quota_display_type: 'USD' }),
      '/v1/credits': { data: { total_credits: 0, total_usage: 13.7 } },
    });
    expect(await clientOf(server.url).gateway.balance()).toBeUndefined();
  });

  it('is shown of a service that knows nobody without a key', async () => {
    const pages = billing(101, 1);
    const server = await serve((request, socket) => {
      const page = pages[request.path.split('?')[0] ?? ''];
      if (request.headers.authorization === undefined) socket.write(reply(401, {}));
      else socket.write(typeof page === 'object' ? reply(200, page) : reply(404, {}));
    });
    expect(await clientOf(server.url).gateway.balance()).toBe(100e9);
  });

  it.each<[object | number, number | undefined]>([
    [site({ quota_display_type: 'CNY', usd_exchange_rate: 8 }), 12.5e9],
    [404, undefined],
  ])('is what the root of the host says of the site, where the base URL refuses that', async (status, nano) => {
    const server = await service({ ...billing(101, 1), '/relay/api/status': 401, '/api/status': status });
    expect(await clientOf(`${server.url}/relay`).gateway.balance()).toBe(nano);
  });

  it('is asked for again where it was, after an outage of the usage', async () => {
    const pages: Pages = billing(101, 1);
    const server = await service(pages);
    const client = clientOf(server.url);
    expect(await client.gateway.balance()).toBe(100e9);
    pages['/v1/dashboard/billing/usage'] = 503;
    expect(await client.gateway.balance()).toBeUndefined();
    expect(client.memory.balancePath).toBe('/v1/dashboard/billing/subscription');
    pages['/v1/dashboard/billing/usage'] = { total_usage: 100 };
    expect(await client.gateway.balance()).toBe(100e9);
  });

  it('is queried only at the endpoint that answered from then on', async () => {
    const server = await service({ '/v1/credits': { data: { total_credits: 2, total_usage: 1 } } });
    const client = clientOf(server.url);
    await client.gateway.balance();
    const before = server.requests.length;
    expect(await client.gateway.balance()).toBe(1e9);
    expect(asked(server).slice(before)).toEqual(['GET /v1/credits']);
  });

  it('is looked for once if no endpoint has it, even if every address answers with a page', async () => {
    const server = await service({}, reply(200, '<!doctype html><title>App</title>', { 'content-type': 'text/html' }));
    const client = clientOf(server.url);
    expect(await client.gateway.balance()).toBeUndefined();
    const before = server.requests.length;
    expect(await client.gateway.balance()).toBeUndefined();
    expect(server.requests).toHaveLength(before);
  });

  it('is looked for again after a refusal or an outage', async () => {
    const server = await service({}, reply(503, { error: { message: 'later' } }));
    const client = clientOf(server.url);
    await client.gateway.balance();
    expect(client.memory.balancePath).toBeUndefined();
    const gone = clientOf('http://127.0.0.1:1');
    expect(await gone.gateway.balance()).toBeUndefined();
    expect(gone.memory.balancePath).toBeUndefined();
  });

  const half = '{"object":"billing_subscription","hard_limi';
  it.each([
    ['/v1/dashboard/billing/subscription', reply(200, half, { 'content-length': '200' })],
    ['/v1/dashboard/billing/subscription', reply(200, half)],
    ['/v1/dashboard/billing/usage', reply(200, half)],
    ['/v1/credits', reply(200, half, { 'content-length': '200' })],
  ])('is looked for again after an answer of %s that broke off (%#)', async (path, bytes) => {
    const pages: Pages = path === '/v1/credits' ? { [path]: { total_credits: 101, total_usage: 1 } } : billing(101, 1);
    let isWhole = false;
    const server = await serve((request, socket) => {
      const page = pages[request.path.split('?')[0] ?? ''];
      if (request.path.startsWith(path) && !isWhole) socket.end(bytes);
      else socket.write(typeof page === 'object' ? reply(200, page) : reply(404, {}));
    });
    const client = clientOf(server.url);
    expect(await client.gateway.balance()).toBeUndefined();
    expect(client.memory.balancePath).toBeUndefined();
    isWhole = true;
    expect(await client.gateway.balance()).toBe(100e9);
  });

  // What remains in the place of what is used (a version of new-api), grants of which no endpoint tells, or a debt (OpenRouter).
  it('is not known of credits of which none was bought', async () => {
    const pages: Pages = { '/v1/credits': { data: { total_credits: 0, total_usage: 0.31 } } };
    const server = await service(pages);
    const client = clientOf(server.url);
    expect(await client.gateway.balance()).toBeUndefined();
    expect(client.memory.balancePath).toBeUndefined();
    pages['/v1/credits'] = { data: { total_credits: 10, total_usage: 0.31 } };
    expect(await client.gateway.balance()).toBe(9.69e9);
    pages['/v1/credits'] = { data: { total_credits: 0, total_usage: 0 } };
    expect(await client.gateway.balance()).toBe(0);
  });

  it('is looked for again where such credits are those of a site that counts in units', async () => {
    const pages: Pages = {
      ...billing(101, 1),
      '/v1/credits': { data: { total_credits: 0, total_usage: 100 } },
      '/api/status': 503,
    };
    const server = await service(pages);
    const client = clientOf(server.url, {}, { apiKey: KEY }, { balancePath: '/v1/credits' });
    expect(await client.gateway.balance()).toBeUndefined();
    expect(client.memory.balancePath).toBe('/v1/credits');
    pages['/api/status'] = site({ quota_display_type: 'USD' });
    expect(await client.gateway.balance()).toBe(100e9);
    expect(client.memory.balancePath).toBe('/v1/dashboard/billing/subscription');
  });

  it('is queried under the base URL and at the root of its host; the key follows no redirect to another', async () => {
    const thirdParty = await service({ '/v1/credits': { data: { total_credits: 9, total_usage: 0 } } });
    const server = await serve((request, socket) => {
      if (request.path === '/v1/credits') socket.write(reply(200, { data: { total_credits: 2, total_usage: 1 } }));
      else socket.write(reply(302, '', { location: `${thirdParty.url}/v1/credits` }));
    });
    expect(await clientOf(`${server.url}/api`).gateway.balance()).toBe(1e9);
    expect(asked(server)).toContain('GET /api/v1/credits');
    expect(thirdParty.requests).toEqual([]);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('the price list', () => {
  const list = {
    data: [
      { id: 'language', pricing: { prompt: '0.00000027', completion: '0.00000108' } },
      { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
  };

  it('is found beside the models, with what was refused by name', async () => {
    const server = await service({ '/v1/models': list });
    expect(await clientOf(server.url).gateway.listPrices()).toEqual({
      type: 'listed',
      from: `${new URL(server.url).host}/v1/models`,
      prices: [{ model: 'language', kind: 'chat', readings: [{ unit: 'token', inputNano: 270, outputNano: 1_080 }] }],
      refused: [{ model: 'auto', why: 'Not a price: prompt -1' }],
    });
  });

  it.each([
    ['/api/pricing', [{ model_name: 'language', quota_type: 0, model_ratio: 0.135, completion_ratio: 4 }]],
    ['/api/ratio_config', { model_ratio: { language: 0.135 }, completion_ratio: { language: 4 } }],
  ])('is found at %s if the models have none', async (path, data) => {
    const server = await service({ '/v1/models': { data: [{ id: 'language' }] }, [path]: { data } });
    const listed = await clientOf(server.url).gateway.listPrices();
    expect(listed).toMatchObject({ type: 'listed', prices: [{ model: 'language' }] });
    expect(asked(server).at(-1)).toBe(`GET ${path}`);
  });

  it('may be missing, unreachable, or forbidden for this key', async () => {
    const server = await service({ '/v1/models': { data: [{ id: 'language' }] } });
    expect(await clientOf(server.url).gateway.listPrices()).toEqual({ type: 'none' });
    const denied = await service({}, reply(401, { error: { message: `bad key ${KEY}` } }));
    const refused = await clientOf(denied.url).gateway.listPrices();
    expect(refused).toMatchObject({ type: 'unreachable', error: { kind: 'auth' } });
    expect(JSON.stringify(refused)).not.toContain(KEY);
    expect(await clientOf('http://127.0.0.1:1').gateway.listPrices()).toMatchObject({ type: 'unreachable' });
  });
});
