import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
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

/** A network whose authorities change as the test says. */
function network(proxy: string | undefined, authorities: string[] = []) {
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

/** Bug: behind an office's proxy with an authority of its own nothing could be reached, and a change needed a restart. */
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

/** Bug: the sandbox and a gateway on this machine were asked for through the office's proxy. */
test.each(['localhost', '127.0.0.1'])('%s is never asked for through a proxy', async (host) => {
  const { uri, asked } = await tunnel(1);
  const { send } = open(`https://${host}:${await service()}`, network(uri, [AUTHORITY]).port);
  expect(await send()).toBe('fine');
  expect(asked).toEqual([]);
});

/** Bug: a download that ran broke off when the machine changed its network. */
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
