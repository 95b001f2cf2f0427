import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import type { Network } from '../../ports.ts';
import { createTransport, type HttpRequest } from './transport.ts';

/** Services behind proxies, and behind an authority that only this system knows. */

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8');
const AUTHORITY = fixture('authority.pem');

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const service = (answer: RequestListener = (_, response) => void response.end('fine')) =>
  listening(createSecureServer({ key: fixture('server.key'), cert: fixture('server.pem') }, answer));

/** A proxy that leads every name to this port, and remembers what it was asked for. */
async function tunnel(port: number) {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => {});
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
  });
  return { uri: `http://127.0.0.1:${await listening(proxy)}`, asked };
}

/** A SOCKS 5 proxy (RFC 1928, 1929) that leads every name to this port. */
async function socksProxy(port: number, { password, refusal = 0 }: { password?: string; refusal?: number } = {}) {
  const asked: string[] = [];
  const proxy = createTcpServer((socket) => {
    const steps = [
      () => socket.write(Buffer.from([5, password === undefined ? 0 : 2])),
      ...(password === undefined
        ? []
        : [(bytes: Buffer) => socket.write(Buffer.from([1, bytes.toString('latin1').endsWith(password) ? 0 : 1]))]),
      (bytes: Buffer) => {
        const length = bytes[4] ?? 0;
        asked.push(`${bytes.subarray(5, 5 + length).toString()}:${bytes.readUInt16BE(5 + length)}`);
        const answer = Buffer.from([5, refusal, 0, 1, 127, 0, 0, 1, 0, 0]);
        if (refusal !== 0) return void socket.end(answer);
        const there = connect(port, '127.0.0.1', () => {
          socket.write(answer);
          there.pipe(socket).pipe(there);
        });
        there.on('error', () => socket.destroy());
      },
    ];
    const next = (bytes: Buffer) => {
      steps.shift()?.(bytes);
      if (steps.length === 0) socket.off('data', next);
    };
    socket.on('data', next);
  });
  return { host: `127.0.0.1:${await listening(proxy)}`, asked };
}

/** A network whose authorities change as the test says. */
function network(proxy: Awaited<ReturnType<Network['proxyFor']>>, authorities: string[] = []) {
  const listeners = new Set<() => void>();
  const port: Network = {
    proxyFor: async () => proxy,
    authorities: () => authorities,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const change = (next: string[]) => {
    authorities = next;
    for (const listener of listeners) listener();
  };
  return { port, change, listeners };
}

function open(origin: string, port: Network) {
  const transport = createTransport({ origin, after: () => () => undefined, network: port });
  ends.push(() => void transport.close());
  const send = async (route: HttpRequest['route'] = 'free') => {
    const result = await transport.send({
      method: 'GET',
      url: new URL(`${origin}/x`),
      headers: {},
      route,
      headerMs: 9_999,
    });
    if (!result.ok) return result.failure;
    const parts: Uint8Array[] = [];
    for await (const part of result.response.body) parts.push(part);
    return Buffer.concat(parts).toString();
  };
  return { transport, send };
}

test('a service behind a proxy is reached once the system trusts its authority, without a restart', async () => {
  const { uri, asked } = await tunnel(await service());
  const { port, change } = network(uri);
  const { send, transport } = open('https://gateway.test', port);
  expect(await send('paid')).toMatchObject({
    sent: false,
    message: expect.stringContaining('No secure connection to gateway.test'),
  });
  change([AUTHORITY]);
  expect(await send('paid')).toBe('fine');
  expect(await transport.proxyOf(new URL('https://gateway.test'))).toBe(uri);
  expect(asked).toEqual(['gateway.test:443', 'gateway.test:443']);
  change([]);
  expect(await send()).toMatchObject({ sent: false });
});

test('a paid request has a connection of its own through a proxy too', async () => {
  const { uri, asked } = await tunnel(await service());
  const { send } = open('https://gateway.test', network(uri, [AUTHORITY]).port);
  expect(await send('free')).toBe('fine');
  const before = asked.length;
  for (const route of ['paid', 'paid'] as const) expect(await send(route)).toBe('fine');
  expect(asked).toHaveLength(before + 2);
});

test.each(['localhost', '127.0.0.1'])('%s is never asked for through a proxy', async (host) => {
  const { uri, asked } = await tunnel(1);
  const { send } = open(`https://${host}:${await service()}`, network(uri, [AUTHORITY]).port);
  expect(await send()).toBe('fine');
  expect(asked).toEqual([]);
});

test('what runs when the authorities change ends on its connection', async () => {
  let finish = () => {};
  const port = await service((_, response) => {
    response.write('be');
    finish = () => void response.end('gun');
  });
  const { port: own, change, listeners } = network(undefined, [AUTHORITY]);
  const { transport, send } = open(`https://localhost:${port}`, own);
  const running = send();
  await expect.poll(() => finish.toString()).toContain('gun');
  change([]);
  expect(
    await transport.send({
      method: 'GET',
      url: new URL(`https://localhost:${port}/`),
      headers: {},
      route: 'free',
      headerMs: 9_999,
    }),
  ).toMatchObject({ ok: false });
  finish();
  expect(await running).toBe('begun');
  await transport.retire();
  expect(listeners.size).toBe(0);
});

const CONTINUED = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine';
const continuing = (socket: Socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.end(CONTINUED));
};
const secureRaw = (listener: (socket: Socket) => void) =>
  listening(createTlsServer({ key: fixture('server.key'), cert: fixture('server.pem') }, listener));
const plainRaw = (listener: (socket: Socket) => void) => listening(createTcpServer(listener));

test.each([
  ['a tunnel', 'https://gateway.test', async () => (await tunnel(await secureRaw(continuing))).uri],
  [
    'a proxy that passes plain requests on',
    'http://gateway.test',
    async () => `http://127.0.0.1:${await plainRaw(continuing)}`,
  ],
  ['SOCKS', 'https://gateway.test', async () => `socks5://${(await socksProxy(await secureRaw(continuing))).host}`],
  [
    'SOCKS, plain',
    'http://gateway.test',
    async () => `socks5://${(await socksProxy(await plainRaw(continuing))).host}`,
  ],
])('"100 Continue" unasked does not end a paid request through %s', async (_, origin, proxyTo) => {
  const { send } = open(origin, network(await proxyTo(), [AUTHORITY]).port);
  expect(await send('paid')).toBe('fine');
});

test('a SOCKS proxy is gone through: by name, with its password, and a paid request on a connection of its own', async () => {
  const { host, asked } = await socksProxy(await service(), { password: 's3cret' });
  const { send } = open('https://gateway.test', network(`socks5://me:s3cret@${host}`, [AUTHORITY]).port);
  for (let n = 0; n < 5; n++) expect(await send('free')).toBe('fine');
  const before = asked.length;
  expect(before).toBeLessThan(5);
  for (const route of ['paid', 'paid'] as const) expect(await send(route)).toBe('fine');
  expect(asked.slice(before)).toEqual(['gateway.test:443', 'gateway.test:443']);
});

test.each([
  ['refuses the password', 'socks5://me:wrong@', { password: 's3cret' }],
  ['does not reach the service', 'socks5://', { refusal: 5 }],
])('a SOCKS proxy that %s: nothing was sent', async (_, scheme, how) => {
  const { host } = await socksProxy(await service(), how);
  const { send } = open('https://gateway.test', network(`${scheme}${host}`, [AUTHORITY]).port);
  expect(await send('paid')).toMatchObject({ sent: false, message: expect.stringContaining('proxy') });
});

test('a proxy that cannot be used is one sentence, and nothing is sent', async () => {
  const { send } = open('https://gateway.test', network({ unusable: 'It speaks SOCKS 4.' }).port);
  for (const route of ['paid', 'free'] as const)
    expect(await send(route)).toMatchObject({ sent: false, message: 'It speaks SOCKS 4.' });
  const failing = { ...network(undefined).port, proxyFor: () => Promise.reject(new Error('no answer')) };
  expect(await open('https://gateway.test', failing).send('paid')).toMatchObject({ sent: false });
});

test('a proxy that asks for a password says so, and the service has not got the request', async () => {
  const closed = `http://127.0.0.1:${await listening(createServer((_, response) => void response.writeHead(407).end()))}`;
  const closedTunnel = createServer().on('connect', (_, socket) => void socket.end('HTTP/1.1 407 No\r\n\r\n'));
  for (const [origin, proxy] of [
    ['http://gateway.test', closed],
    ['https://gateway.test', `http://127.0.0.1:${await listening(closedTunnel)}`],
  ] as const)
    expect(await open(origin, network(proxy, [AUTHORITY]).port).send('paid')).toMatchObject({
      sent: false,
      message: expect.stringContaining('password'),
    });
});

test.each(['http', 'socks5'])('an order that is stopped while it connects was never sent: %s', async (kind) => {
  let requests = 0;
  const secure = await service((_, response) => {
    requests += 1;
    response.end('fine');
  });
  let opened = 0;
  let letIn = () => {};
  const gate = createTcpServer((socket) => {
    opened += 1;
    socket.pause();
    const on = () => {
      const there = connect(secure, '127.0.0.1', () => socket.pipe(there).pipe(socket));
      there.on('error', () => socket.destroy());
    };
    if (opened === 1) letIn = on;
    else on();
  });
  const port = await listening(gate);
  const proxies: Record<string, () => Promise<string>> = {
    http: async () => (await tunnel(port)).uri,
    socks5: async () => `socks5://${(await socksProxy(port)).host}`,
  };
  const origin = 'https://gateway.test';
  const { transport } = open(origin, network(await proxies[kind]?.(), [AUTHORITY]).port);
  const send = (signal?: AbortSignal) =>
    transport.send({
      method: 'POST',
      url: new URL('https://gateway.test/x'),
      headers: {},
      route: 'paid',
      headerMs: 9_999,
      signal,
    });
  const stop = new AbortController();
  const first = send(stop.signal);
  await expect.poll(() => opened).toBe(1);
  stop.abort();
  letIn();
  expect(await first).toMatchObject({ ok: false, failure: { sent: false, stopped: true } });
  expect((await send()).ok).toBe(true);
  expect(requests).toBe(1);
});
