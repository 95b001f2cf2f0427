import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { clientOf, KEY } from '../../../../../test/helpers/gateway/client.ts';
import { type ReceivedRequest, reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';

const serve = serversOfThisFile();

const MODELS = [{ id: 'm-1', kind: 'chat' }];
const outcomeOf = async (url: string, secrets = { apiKey: KEY } as { apiKey?: string }) => {
  const { steps } = await clientOf(url, { models: MODELS }, secrets).gateway.test();
  expect(new Set(steps.map((step) => step.name))).toEqual(
    new Set(['dns', 'connect', 'tls', 'key', 'protocol', 'model']),
  );
  expect(steps).toHaveLength(6);
  expect(JSON.stringify(steps)).not.toContain(KEY);
  return Object.fromEntries(steps.map((step) => [step.name, step]));
};
const keyed = (request: ReceivedRequest): boolean => request.headers.authorization === `Bearer ${KEY}`;
const list = reply(200, { object: 'list', data: [{ id: 'm-1' }, { id: 'm-2' }] });

test('a good profile passes every step, and nothing that could be billed is sent', async () => {
  const server = await serve((request, socket) =>
    socket.write(keyed(request) ? list : reply(401, { error: { message: 'no key' } })),
  );
  const steps = await outcomeOf(server.url);
  expect(Object.values(steps).every((step) => step.ok)).toBe(true);
  expect(steps.tls?.message).toMatch(/not used/i);
  expect(steps.key?.message).toBe('The key is accepted.');
  expect(server.requests.every((got) => !/completions|submit/.test(got.path))).toBe(true);
});

test('a refused key is named, and the later steps wait for it', async () => {
  const server = await serve((_request, socket) =>
    socket.write(reply(401, { error: { message: `Incorrect API key ${KEY}` } })),
  );
  const steps = await outcomeOf(server.url);
  expect(steps).toMatchObject({
    dns: { ok: true },
    connect: { ok: true },
    key: { ok: false, message: expect.stringMatching(/refused/) },
    protocol: { ok: false, message: 'Waits for the key.' },
    model: { ok: false },
  });
});

test('no key where one is wanted', async () => {
  const server = await serve((_request, socket) => socket.write(reply(401, {})));
  expect(await outcomeOf(server.url, {})).toMatchObject({
    key: { ok: false, message: expect.stringMatching(/none is stored/) },
  });
});

test('a service that asks for no key', async () => {
  const server = await serve((request, socket) => socket.write(request.path === '/v1/models' ? list : reply(200, '')));
  expect(await outcomeOf(server.url, {})).toMatchObject({
    key: { ok: true },
    protocol: { ok: true },
    model: { ok: true },
  });
});

test('a public list proves no key; the image look-up does', async () => {
  const server = await serve((request, socket) =>
    socket.write(request.path === '/v1/models' ? list : reply(403, { message: 'forbidden' })),
  );
  expect(await outcomeOf(server.url)).toMatchObject({
    key: { ok: false, message: expect.stringMatching(/X-API-Key, Authorization/) },
  });
});

test('a service without a list of models', async () => {
  const server = await serve((_request, socket) => socket.write(reply(404, { error: { message: 'not found' } })));
  expect(await outcomeOf(server.url)).toMatchObject({
    key: { ok: true },
    protocol: { ok: true },
    model: { ok: true, message: expect.stringMatching(/Not checked/) },
  });
});

test('a web page means a wrong base URL', async () => {
  const server = await serve((_request, socket) => socket.write(reply(200, '<html><title>Shop</title></html>')));
  expect(await outcomeOf(server.url)).toMatchObject({
    key: { ok: false },
    protocol: { ok: false, message: expect.stringMatching(/base URL/) },
    model: { ok: false },
  });
});

test('models the service does not list are named', async () => {
  const server = await serve((request, socket) =>
    socket.write(keyed(request) ? reply(200, { data: [{ id: 'other' }] }) : reply(401, {})),
  );
  expect(await outcomeOf(server.url)).toMatchObject({
    key: { ok: true },
    model: { ok: false, message: expect.stringMatching(/m-1/) },
  });
});

test('a name that does not exist, and a port where nothing answers', async () => {
  expect(await outcomeOf('http://no-such-host.invalid')).toMatchObject({
    dns: { ok: false },
    connect: { ok: false, message: 'Waits for the name to be found.' },
  });
  const port = await new Promise<number>((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  expect(await outcomeOf(`http://127.0.0.1:${port}`)).toMatchObject({
    dns: { ok: true },
    connect: { ok: false },
    key: { ok: false, message: 'Waits for a connection.' },
  });
});

test('a port that speaks no TLS', async () => {
  const server = await serve(
    () => undefined,
    (socket) => socket.end('hello\r\n\r\n'),
  );
  expect(await outcomeOf(server.url.replace('http:', 'https:'))).toMatchObject({
    connect: { ok: true },
    tls: { ok: false },
    key: { ok: false },
  });
});

test.each([500, 503, 418])(
  'a service with an error (status %i) is not reported to bill a test that submits nothing',
  async (status) => {
    const server = await serve((_request, socket) => socket.write(reply(status, { error: { message: 'boom' } })));
    const steps = await outcomeOf(server.url);
    expect(JSON.stringify(steps)).toContain('boom');
    expect(JSON.stringify(steps)).not.toMatch(/billed|order/);
  },
);
