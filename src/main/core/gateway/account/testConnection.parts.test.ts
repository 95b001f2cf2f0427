import type { AddressInfo } from 'node:net';
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
import type { ConnectionTest } from '../../../../shared/connection.ts';

/** A service that fails at exactly one part, for each part: the report must name that one. */

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const MODELS = [{ id: 'm-1', kind: 'chat' }];
type Steps = ConnectionTest['steps'];
async function stepsOf(url: string, profile: object = {}): Promise<Steps> {
  const { steps } = await clientOf(url, { models: MODELS, ...profile }).gateway.test();
  expect(JSON.stringify(steps)).not.toContain(KEY);
  return steps;
}
const firstFailure = (steps: Steps) => steps.find((step) => !step.ok);
/** The steps after the failed one wait for it. */
const others = (steps: Steps) =>
  steps.filter((step) => step.ok || !/^Waits/.test(step.message)).map(({ name, ok }) => [name, ok]);

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
    expect(steps.find((step) => step.name === 'tls')?.message).toMatch(/certificate is good/);
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

test('the key does not follow a redirect to another host', async () => {
  const other = await serve(() => reply(200, { data: [{ id: 'm-1' }] }));
  const server = await serve(({ path }) => reply(307, '', { location: `${other.url}${path}` }));
  expect(firstFailure(await stepsOf(server.url))).toBeDefined();
  expect(other.requests).toHaveLength(0);
});

test('a service that accepts a connection and sends nothing fails at tls or at its first answer', async () => {
  const arrived = (): void => undefined;
  const silent = await rawServer(
    () => arrived(),
    () => arrived(),
  );
  closing.push(() => silent.close());
  for (const [url, part] of [
    [silent.url, 'key'],
    [silent.url.replace('http:', 'https:'), 'tls'],
  ] as const) {
    const { gateway, clock } = clientOf(url, { models: MODELS });
    let over = false;
    const testing = gateway.test().finally(() => {
      over = true;
    });
    // Each limit is timed by our own clock; the test advances it until no timer is left.
    while (!over) {
      await settle();
      if (silent.requests.length > 0 || part === 'tls') clock.advance(1_000);
    }
    expect(firstFailure((await testing).steps)).toMatchObject({
      name: part,
      message: expect.stringMatching(/time|long/),
    });
    await gateway.close();
  }
});
