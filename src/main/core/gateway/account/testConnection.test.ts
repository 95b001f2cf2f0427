import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { type Certificate, selfSigned } from '../../../../../test/helpers/gateway/certificate.ts';
import { clientOf, KEY } from '../../../../../test/helpers/gateway/client.ts';
import {
  type RawServer,
  type ReceivedRequest,
  rawServer,
  reply,
} from '../../../../../test/helpers/gateway/rawServer.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import type { Secrets } from '../types.ts';

/** A service that fails at exactly one part, for each part: the report must name that one. */

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const MODELS = [{ id: 'm-1', kind: 'chat' }];
type Steps = ConnectionTest['steps'];
async function stepsOf(url: string, secrets: Secrets = { apiKey: KEY }): Promise<Steps> {
  const { steps } = await clientOf(url, { models: MODELS }, secrets).gateway.test();
  expect(steps.map(({ name }) => name).sort()).toEqual(['connect', 'dns', 'key', 'model', 'protocol', 'tls']);
  expect(JSON.stringify(steps)).not.toContain(KEY);
  return steps;
}
const byName = (steps: Steps) => Object.fromEntries(steps.map((step) => [step.name, step]));
const firstFailure = (steps: Steps) => steps.find((step) => !step.ok);
/** The steps after the failed one wait for it. */
const others = (steps: Steps) =>
  steps.filter((step) => step.ok || step.message !== 'Not checked').map(({ name, ok }) => [name, ok]);

async function serve(answer: (request: ReceivedRequest) => string): Promise<RawServer> {
  const server = await rawServer((request, socket) => socket.end(answer(request)));
  closing.push(() => server.close());
  return server;
}

async function serveSecurely({ cert, key }: Certificate, name = '127.0.0.1'): Promise<string> {
  const list = reply(200, { data: [{ id: 'm-1' }] }, { connection: 'close' });
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(list));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(() => new Promise((done) => server.close(done)));
  return `https://${name}:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['that nobody vouches for', () => selfSigned(['127.0.0.1'], 30), /not trusted/],
  ['that has expired', () => trusted(selfSigned(['127.0.0.1'], -2)), /expired/],
  ['for another name', () => trusted(selfSigned(['other.example'], 30)), /another name/],
])('a certificate %s fails at tls', async (_name, make, message) => {
  const steps = await stepsOf(await serveSecurely(make()));
  expect(firstFailure(steps)).toMatchObject({ name: 'tls', message: expect.stringMatching(message) });
  expect(others(steps)).toEqual([
    ['dns', true],
    ['connect', true],
    ['tls', false],
  ]);
});

test('a certificate that this machine trusts passes, by name and by address', async () => {
  const certificate = trusted(selfSigned(['127.0.0.1', 'localhost'], 30));
  for (const name of ['127.0.0.1', 'localhost']) {
    const steps = await stepsOf(await serveSecurely(certificate, name));
    expect(steps.every((step) => step.ok)).toBe(true);
    expect(steps.find((step) => step.name === 'tls')?.message).toBe('Passed');
  }
});

/** Makes this process trust a certificate until the test ends. */
function trusted(certificate: Certificate): Certificate {
  const before = getCACertificates('default');
  closing.push(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, certificate.cert]);
  return certificate;
}

test.each<[string, (request: ReceivedRequest) => string, string, RegExp]>([
  [
    'a web page',
    () => reply(200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }),
    'protocol',
    /base URL/,
  ],
  ['a web page under 404', () => reply(404, '<html><title>404 Not Found</title></html>'), 'protocol', /base URL/],
  [
    'a redirect to a page for signing in',
    () => reply(302, '', { location: 'https://login.example/' }),
    'protocol',
    /login\.example.*base URL/,
  ],
  ['a redirect to itself', ({ path }) => reply(301, '', { location: `${path}/` }), 'protocol', /base URL/],
  ['404 for everything', () => reply(404, 'not found'), 'protocol', /base URL/],
  ['JSON of another kind', () => reply(200, { hello: 'world' }), 'protocol', /base URL/],
  ['words', () => reply(200, 'It works!'), 'protocol', /base URL/],
  ['401', () => reply(401, { error: { message: 'Incorrect API key' } }), 'key', /refused/],
  ['401 with a page', () => reply(401, '<html><h1>401 Authorization Required</h1></html>'), 'key', /refused/],
  [
    '403 for an empty account',
    () => reply(403, { error: { message: 'insufficient quota', code: 'insufficient_user_quota' } }),
    'key',
    /insufficient quota/,
  ],
  ['500', () => reply(500, { error: { message: 'boom' } }), 'key', /cannot be checked: boom/],
  ['another model', () => reply(200, { data: [{ id: 'm-2' }] }), 'model', /m-1/],
])('a service that answers %s', async (_name, answer, part, message) => {
  const server = await serve(answer);
  const steps = await stepsOf(server.url);
  expect(firstFailure(steps)).toMatchObject({
    name: part,
    message: expect.stringMatching(message),
  });
  expect(server.requests.every(({ path }) => !/completions|submit/.test(path))).toBe(true);
});

const LIST = reply(200, { object: 'list', data: [{ id: 'm-1' }, { id: 'm-2' }] });
const keyed = ({ headers }: ReceivedRequest): boolean => headers.authorization === `Bearer ${KEY}`;

test('a good profile passes every step, and nothing that could be billed is sent', async () => {
  const server = await serve((request) => (keyed(request) ? LIST : reply(401, { error: { message: 'no key' } })));
  const steps = await stepsOf(server.url);
  expect(steps.every(({ ok }) => ok)).toBe(true);
  expect(byName(steps)).toMatchObject({ tls: { message: expect.stringMatching(/not used/i) } });
  expect(server.requests.every(({ path }) => !/completions|submit/.test(path))).toBe(true);
});

const ok = { ok: true };
test.each<[string, (request: ReceivedRequest) => string, Secrets, object]>([
  [
    'a refused key',
    () => reply(401, { error: { message: `Incorrect API key ${KEY}` } }),
    { apiKey: KEY },
    { dns: ok, connect: ok, key: { ok: false }, protocol: { ok: false, message: 'Not checked' } },
  ],
  ['no key where one is wanted', () => reply(401, {}), {}, { key: { message: expect.stringMatching(/needs a key/) } }],
  [
    'no key where none is wanted',
    ({ path }) => (path === '/v1/models' ? LIST : reply(200, '')),
    {},
    { key: ok, protocol: ok, model: ok },
  ],
  [
    'a public list, which proves no key',
    ({ path }) => (path === '/v1/models' ? LIST : reply(403, { message: 'forbidden' })),
    { apiKey: KEY },
    { key: { ok: false, message: expect.stringMatching(/X-API-Key, Authorization/) } },
  ],
  [
    'no list of models',
    () => reply(404, { error: { message: 'not found' } }),
    { apiKey: KEY },
    { key: ok, protocol: ok, model: { ok: true, message: expect.stringMatching(/no list of models/) } },
  ],
])('%s', async (_name, answer, secrets, expected) => {
  expect(byName(await stepsOf((await serve(answer)).url, secrets))).toMatchObject(expected);
});

test('a name that does not exist, a port where nothing answers, and one that speaks no TLS', async () => {
  expect(byName(await stepsOf('http://no-such-host.invalid'))).toMatchObject({
    dns: { ok: false },
    connect: { ok: false, message: 'Not checked' },
  });
  const free = createServer();
  await new Promise<void>((ready) => free.listen(0, '127.0.0.1', ready));
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  expect(byName(await stepsOf(`http://127.0.0.1:${port}`))).toMatchObject({
    dns: ok,
    connect: { ok: false },
    key: { ok: false, message: 'Not checked' },
  });
  const plain = await rawServer(
    () => undefined,
    (socket) => socket.end('hello\r\n\r\n'),
  );
  closing.push(() => plain.close());
  expect(byName(await stepsOf(plain.url.replace('http:', 'https:')))).toMatchObject({
    connect: ok,
    tls: { ok: false },
    key: { ok: false },
  });
});

test.each([500, 503, 418])('a test submits nothing, so that an error (status %i) speaks of no bill', async (status) => {
  const server = await serve(() => reply(status, { error: { message: 'boom' } }));
  const steps = JSON.stringify(await stepsOf(server.url));
  expect(steps).toContain('boom');
  expect(steps).not.toMatch(/billed|order/);
});

test('a service that accepts a connection and sends nothing fails at its first answer', async () => {
  const silent = await rawServer(() => undefined);
  closing.push(() => silent.close());
  const { gateway, clock } = clientOf(silent.url, { models: MODELS });
  let over = false;
  const testing = gateway.test().finally(() => {
    over = true;
  });
  // Each limit is timed by our own clock; the test advances it until no timer is left.
  while (!over) {
    await settle();
    if (silent.requests.length > 0) clock.advance(1_000);
  }
  expect(firstFailure((await testing).steps)).toMatchObject({
    name: 'key',
    message: expect.stringMatching(/time|long/),
  });
  await gateway.close();
});
