import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import {
  chunk,
  type RawServer,
  reply,
  STREAM_END,
  STREAM_HEAD,
} from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { taskFromWebhook } from '../tasks/taskId.ts';
import type { DialectMemory, Gateway, RemoteTask, Secrets } from '../types.ts';

/** The key, the bot token, the extra headers and the cookies of a service are sent to no other host, whatever field has its address. */

const serve = serversOfThisFile();
const SECRETS: Secrets = {
  apiKey: 'sk-test-0123456789abcdef',
  botToken: 'bot-0123456789abcdef',
  headers: { 'X-Gate': 'gate-0123456789abcdef', Cookie: 'session=0123456789abcdef' },
};
const ALL = ['sk-test-', 'bot-0123', 'gate-0123', 'session=', 'Bearer', 'set-by-home'];
const SPELT = { imageAuthHeaders: ['X-API-Key', 'Authorization'] };
const SEND = { idempotencyKey: 'order-1' };

let elsewhere: RawServer;
let home: RawServer;
let answer: (path: string) => string;
beforeEach(async () => {
  elsewhere = await serve((_request, socket) => socket.write(reply(200, { id: 'task-1', status: 'processing' })));
  home = await serve((request, socket) => socket.write(answer(request.path)));
  answer = () => reply(404, { error: { message: 'Not found' } });
});

/** The fields of a submit's answer that can hold an address. */
const CARRIERS: ((address: string) => string)[] = [
  (address) => reply(202, { id: 'task-1', status: 'queued' }, { location: address }),
  (address) => reply(202, { id: 'task-1', status: 'queued' }, { 'operation-location': address }),
  (address) => reply(202, { id: 'task-1', status: 'queued' }, { 'content-location': address }),
  (address) => reply(202, { id: 'task-1', status: 'queued' }, { link: `<${address}>; rel="monitor"` }),
  (address) => reply(202, { id: 'task-1', status: 'queued' }, { refresh: `1; url=${address}` }),
  (address) => reply(202, {}, { location: address }),
  (address) => reply(302, '', { location: address }),
  (address) => reply(303, '', { location: address }),
  (address) => reply(200, { id: 'task-1', status: 'queued', polling_url: address }),
  (address) => reply(200, { code: 1, data: { taskId: 'task-1', pollingUrl: address, statusUrl: address } }),
  (address) => reply(200, { id: address, status: 'queued' }),
  (address) => reply(200, { name: address }),
  (address) => reply(200, { id: 'task-1', status: 'succeeded', urls: { get: address, stream: address } }),
  (address) =>
    reply(200, { choices: [{ message: { content: `task-1 queued: [progress](${address} "x") <${address}>` } }] }),
  (address) => reply(200, `task-1 is queued, see ${address}`),
  (address) =>
    reply(200, { id: 'task-1', status: 'succeeded', response_url: address, result_url: address, url: address }),
  (address) => reply(200, { jobId: 'task-1', status: 'IN_PROGRESS', statusUrl: address }),
  (address) => {
    const delta = { choices: [{ delta: { content: `task-1 is queued: [status](${address}) ` } }] };
    return STREAM_HEAD + chunk(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`) + STREAM_END;
  },
];

/** Spellings of an address of `HOST`, which is not the profile's origin, some of them disguised as it. */
const FORMS = [
  'http://HOST/v1/tasks/task-1',
  'HTTP://HOST/v1/tasks/task-1',
  'http://HOME@HOST/v1/tasks/task-1',
  'http://HOME:x@HOST/v1/tasks/task-1',
  'http://HOME%2F@HOST/v1/tasks/task-1',
  'http://HOST#@HOME/v1/tasks/task-1',
  'http://HOST?@HOME/v1/tasks/task-1',
  'http://HOST\\@HOME/v1/tasks/task-1',
  'http://HOST%2f@HOME/tasks/task-1',
  'http:HOST/tasks/task-1',
  'http:\\\\HOST\\tasks\\task-1',
  'ht\ttp://HO\nST/tasks/task-1',
  '//HOST/tasks/task-1',
  '\\\\HOST/tasks/task-1',
  '/%2f%2fHOST/task-1',
  '/v1/..%2f..%2f/HOST/task-1',
  '/v1/%2e%2e/%2e%2e//HOST/task-1',
  '/;//HOST/task-1',
  '/.//HOST/tasks/task-1',
  '/..//HOST/tasks/task-1',
  '/x/..//HOST/tasks/task-1',
  '/%2e//HOST/tasks/task-1',
  '/x/%2E%2e//HOST/tasks/task-1',
  '/\\HOST/tasks/task-1',
  '\\/HOST/tasks/task-1',
  '/\t/HOST/tasks/task-1',
  '/\n\\HOST/tasks/task-1',
  '///HOST/tasks/task-1',
  'http://HOME//HOST/tasks/task-1',
  'http://HOME/.//HOST/tasks/task-1',
  'http://HOME\\\\HOST/tasks/task-1',
  'http://HOME/\t/HOST/tasks/task-1',
  'http://HOME@HOST/tasks/task-1',
  'http://user:word@HOST/tasks/task-1',
  '@HOST/tasks/task-1',
  ':@HOST/tasks/task-1',
  '/%5cHOST/tasks/task-1',
  'ws://HOST/tasks/task-1',
  'wss://HOST/tasks/task-1',
  'ftp://HOST/tasks/task-1',
  'file://HOST/tasks/task-1',
  'file:///etc/passwd',
  'blob:http://HOST/tasks/task-1',
  'blob:http://HOME/task-1',
  'data:text/html,http://HOST/task-1',
  'javascript:http://HOST/task-1',
  'http://[::ffff:127.0.0.1]:PORT/tasks/task-1',
  'http://[fe80::1%25lo]:PORT/tasks/task-1',
  'http://0x7f000001:PORT/tasks/task-1',
  'http://2130706433:PORT/tasks/task-1',
  'http://127.1:PORT/tasks/task-1',
  'http://127.0.0.1.:PORT/tasks/task-1',
  'http://①27.0.0.1:PORT/tasks/task-1',
  'http://127。0。0。1:PORT/tasks/task-1',
  'http://xn--127-0-0-1:PORT/tasks/task-1',
  'http://localhost:PORT/tasks/task-1',
  'http://HOST:443/tasks/task-1',
  'https://HOST/tasks/task-1',
];

const place = (form: string): string =>
  form
    .replaceAll('HOME', `127.0.0.1:${home.port}`)
    .replaceAll('HOST', `127.0.0.1:${elsewhere.port}`)
    .replaceAll('PORT', String(elsewhere.port));

function toldNothing(): void {
  const told = JSON.stringify(elsewhere.requests);
  expect(ALL.filter((secret) => told.includes(secret))).toEqual([]);
}

async function followed(gateway: Gateway): Promise<void> {
  const video = await gateway.submitVideo({ model: 'v', prompt: 'a tide', config: {} }, SEND);
  const image = await gateway.submitImagine({ prompt: 'a tide', mode: 'fast' }, SEND);
  for (const ordered of [video, image]) {
    const tasks: RemoteTask[] = 'task' in ordered && ordered.task ? [ordered.task] : [];
    for (const task of tasks) {
      expect(task.pollPath ?? '/').toMatch(/^\/(?![/\\])/);
      await gateway.poll(task);
    }
    if (ordered.type === 'done') for (const { uri } of ordered.outputs) await gateway.fetchMedia(uri, {});
  }
}

test.each(FORMS)('an answer with %j in any field sends no secret to another host', async (form) => {
  const address = place(form);
  for (const carrier of CARRIERS) {
    const whole = carrier(address).replaceAll(/(?<=: [^\r\n]*)[\t\n](?=[^\r\n]*\r\n)/g, '');
    answer = (path) =>
      /completions|submit/.test(path) ? whole : reply(404, {}, { 'set-cookie': 'id=set-by-home', location: address });
    const { gateway } = clientOf(home.url, SPELT, SECRETS);
    await followed(gateway);
    await gateway.close();
  }
  // Only bytes of a result are fetched from there, with requests without a body.
  expect(elsewhere.requests.every(({ method, body }) => method === 'GET' && body === '')).toBe(true);
  toldNothing();
});

test('a cookie, or a secret echoed in an address, is not sent to another host', async () => {
  const echoed = [...Object.values(SECRETS.headers ?? {}), SECRETS.apiKey, SECRETS.botToken].map((one) =>
    encodeURIComponent(one ?? ''),
  );
  const to = `${elsewhere.url}/a.mp4?t=${echoed.join('&u=')}`;
  answer = (path) =>
    path.startsWith('/v1/videos/')
      ? reply(302, '', { location: to, 'set-cookie': 'id=set-by-home' })
      : reply(200, { id: 'task-1', status: 'succeeded', video_url: to });
  const { gateway } = clientOf(home.url, SPELT, SECRETS);
  await gateway.fetchMedia(`${home.url}/v1/videos/x/content`, {});
  await gateway.fetchMedia(to, {});
  const ordered = await gateway.submitVideo({ model: 'v', prompt: 'a tide', config: {} }, SEND);
  expect(ordered).toMatchObject({ type: 'done' });
  for (const secret of echoed) expect(JSON.stringify(ordered)).not.toContain(decodeURIComponent(secret));
  if (ordered.type === 'done') for (const { uri } of ordered.outputs) await gateway.fetchMedia(uri, {});
  expect(elsewhere.requests.length).toBeGreaterThan(2);
  toldNothing();
});

test("an address at the profile's origin with a secret in it still works, and is stored without it", async () => {
  const gate = 'gate-0123456789abcdef';
  answer = (path) =>
    reply(200, { id: 'task-1', status: 'succeeded', video_url: `${home.url}/a.mp4?g=${gate}&p=${path.length}` });
  const { gateway } = clientOf(home.url, SPELT, SECRETS);
  const ordered = await gateway.submitVideo({ model: 'v', prompt: 'a tide', config: {} }, SEND);
  expect(JSON.stringify(ordered)).not.toContain(gate);
  if (ordered.type === 'done') for (const { uri } of ordered.outputs) await gateway.fetchMedia(uri, {});
  expect(home.requests.at(-1)?.path).toContain(`g=${gate}`);
});

const VIDEO = { model: 'v', prompt: 'a tide', config: {} };
const RUNNING = { id: 'task-1', status: 'processing' };

test.each(FORMS)('a stored poll path, profile or memory with %j is checked again when it is read', async (form) => {
  const path = place(form);
  const template = path.replace('task-1', '{id}');
  const memory: DialectMemory = { videoPollPath: template, balancePath: path };
  const { gateway } = clientOf(home.url, SPELT, SECRETS, memory);
  for (const kind of ['video', 'image'] as const) {
    const task: RemoteTask = { id: 'task-1', kind, acceptedAt: 0, pollPath: path };
    await gateway.poll(task);
    await gateway.poll({ ...task, id: path });
  }
  await gateway.listPrices();
  await gateway.balance();
  expect(elsewhere.requests).toEqual([]);
});

test.each(FORMS)('a redirect to %j takes no secret along', async (form) => {
  const location = place(form).replaceAll(/[\t\n]/g, '');
  answer = () => reply(307, '', { location });
  const { gateway } = clientOf(home.url, SPELT, SECRETS);
  await gateway.submitVideo(VIDEO, SEND);
  await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND);
  await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: '/v1/tasks/task-1' });
  await gateway.poll({ id: 'task-1', kind: 'image', acceptedAt: 0 });
  await gateway.listPrices();
  await gateway.balance();
  await gateway.test();
  expect(elsewhere.requests).toEqual([]);
  await gateway.fetchMedia(`${home.url}/v1/videos/x/content`, {});
  toldNothing();
});

test('the same host by another port, scheme or spelling is another place', async () => {
  const { port } = elsewhere;
  for (const base of [
    home.url,
    home.url.replace('127.0.0.1', 'LOCALHOST'),
    `${home.url}/`,
    `${home.url}/v1`,
    `${home.url}/team/a`,
  ]) {
    const { gateway } = clientOf(base, SPELT, SECRETS);
    for (const uri of [
      `http://127.0.0.1:${port}/x`,
      `http://localhost:${port}/x`,
      `HTTP://LocalHost.:${port}/x`,
      `http://[::1]:${port}/x`,
    ]) {
      await gateway.fetchMedia(uri, {});
      await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: uri });
    }
  }
  toldNothing();
  expect(elsewhere.requests.every(({ path }) => path === '/x' || path === '/a.mp4')).toBe(true);
});

test("a poll address with two slashes at the profile's origin is polled there", async () => {
  answer = (path) =>
    reply(200, path === '/deep/task-1' ? RUNNING : { ...RUNNING, polling_url: `${home.url}//deep/task-1` });
  const { gateway } = clientOf(home.url);
  const ordered = await gateway.submitVideo(VIDEO, SEND);
  expect(ordered).toMatchObject({ type: 'accepted', task: { pollPath: '/deep/task-1' } });
  if (ordered.type === 'accepted') expect(await gateway.poll(ordered.task)).toMatchObject({ type: 'running' });
});

test.each(FORMS)("a webhook that names %j leads to a poll at the profile's origin", async (form) => {
  answer = () => reply(404, {});
  for (const body of [
    { jobId: place(form) },
    { task_id: 'task-1', pollingUrl: place(form) },
    { id: place(form), urls: { get: place(form) } },
  ]) {
    const task = taskFromWebhook(JSON.stringify(body), { prompt: '', at: 0 });
    if (task) await clientOf(home.url, SPELT, SECRETS).gateway.poll(task);
  }
  expect(elsewhere.requests).toEqual([]);
});

test.each(['http://HOME/team/', 'HTTP://HOME', 'http://HOME/v1'])('a base URL written %s is one home', async (base) => {
  answer = () => reply(200, { id: 'task-1', status: 'queued', polling_url: place('http://HOST/v1/tasks/task-1') });
  await followed(clientOf(place(base), SPELT, SECRETS).gateway);
  expect(home.requests.length).toBeGreaterThan(2);
  expect(elsewhere.requests).toEqual([]);
});

const PIECES = 'http: https: // / \\ @ : . .. %2e %2f %5c HOST HOME # ? ; \t \n x task-1 [ ] 。 user 443'.split(' ');

test('no address made of these pieces, in any field, sends a secret to another host', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...CARRIERS),
      async (parts, carrier) => {
        const address = place(parts.join('')).replaceAll(/[\t\n]/g, '');
        answer = (path) => (/completions|submit/.test(path) ? carrier(address) : reply(307, '', { location: address }));
        const { gateway } = clientOf(home.url, SPELT, SECRETS);
        await followed(gateway);
        await gateway.close();
        toldNothing();
      },
    ),
    { numRuns: 40 },
  );
});

test.each([
  'http://user:word@HOME',
  'http://HOME@HOST',
  'http://HOME#@HOST',
  'http://HOME?x',
  'ws://HOME',
  'file:///x',
])('a base URL written %s is no profile', (base) => {
  expect(() => clientOf(place(base), SPELT, SECRETS)).toThrow(/baseUrl/);
});
