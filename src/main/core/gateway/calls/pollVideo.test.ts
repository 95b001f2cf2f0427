import { afterEach, expect, test } from 'vitest';
import { clientOf, KEY } from '../testing/client.ts';
import { type RawServer, rawServer, reply } from '../testing/rawServer.ts';
import type { RemoteTask } from '../types.ts';

const open: RawServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serve(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...args);
  open.push(server);
  return server;
}
/** A service that knows some paths and answers 404 to the rest. */
const knowing = (paths: Record<string, object | string>): Promise<RawServer> =>
  serve((request, socket) => {
    const body = paths[request.path];
    socket.write(body === undefined ? reply(404, { error: { message: 'Not found' } }) : reply(200, body));
  });
const task = (id: string, more: Partial<RemoteTask> = {}): RemoteTask => ({
  id,
  kind: 'video',
  acceptedAt: 0,
  ...more,
});
const MP4 = 'https://cdn.example/a.mp4';
const DONE = { status: 'succeeded', video_url: MP4 };

test.each([
  ['/v1/videos/t-1', 't-1'],
  ['/v1/operations/t-1', 't-1'],
  ['/v1/video/generations/t-1', 't-1'],
  ['/v1/tasks/t-1', 't-1'],
  ['/v1/video/query?id=t-1', 't-1'],
  ['/v1/operations/abc', 'operations/abc'],
  ['/v1beta/models/veo/operations/abc', 'models/veo/operations/abc'],
])('%s is found for %s, and remembered', async (path, id) => {
  const server = await knowing({ [path]: DONE });
  const client = clientOf(server.url);
  expect(await client.gateway.poll(task(id))).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
  const asked = server.got.length;
  expect(await client.gateway.poll(task(id))).toMatchObject({ type: 'done' });
  expect(server.got.slice(asked).map((got) => got.path)).toEqual([path]);
  expect(server.got.every((got) => got.method === 'GET' && got.headers.authorization === `Bearer ${KEY}`)).toBe(true);
});

test('where the answer said comes first, then the path of the profile', async () => {
  const server = await knowing({ '/x/t-1?k=1': DONE, '/mine/t-2': DONE });
  const { gateway } = clientOf(server.url, { videoPollPath: '/mine/{id}' });
  await gateway.poll(task('t-1', { pollPath: '/x/t-1?k=1' }));
  await gateway.poll(task('t-2'));
  expect(server.got.map((got) => got.path)).toEqual(['/x/t-1?k=1', '/mine/t-2']);
});

test('a path that answers about something else, or with a web page, is passed over', async () => {
  const server = await knowing({
    '/v1/videos/t-1': '<!doctype html><p>App</p>',
    '/v1/operations/t-1': { hello: 'world' },
    '/v1/tasks/t-1': DONE,
  });
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'done' });
});

test.each<[string, object | string, object]>([
  ['running', { id: 't-1', status: 'in_progress', progress: 12 }, { type: 'running', progress: 12 }],
  ['an operation under way', { name: 't-1', metadata: {} }, { type: 'running' }],
  ['done: false', { name: 'operations/t-1', done: false }, { type: 'running' }],
  ['an empty status', { id: 't-1', status: '' }, { type: 'running' }],
  ['a preview before success', { id: 't-1', status: 'processing', video_url: MP4 }, { type: 'running' }],
  [
    'a clip at the known place',
    { id: 't-1', object: 'video', status: 'completed', expires_at: 1_900_000_000 },
    {
      type: 'done',
      outputs: [{ uri: expect.stringMatching(/\/v1\/videos\/t-1\/content$/), expiresAt: 1_900_000_000_000 }],
    },
  ],
  [
    'failed',
    { id: 't-1', status: 'failed', error: { code: 'server_error', message: 'Boom' } },
    { type: 'failed', billed: 'no', error: { kind: 'server', message: 'Boom' } },
  ],
  [
    'an operation that failed',
    { name: 'operations/t-1', done: true, error: { code: 3, message: 'Invalid prompt' } },
    { type: 'failed', billed: 'no', error: { kind: 'invalid' } },
  ],
  ['canceled', { id: 't-1', status: 'cancelled' }, { type: 'failed' }],
  [
    'filtered',
    {
      done: true,
      response: { generateVideoResponse: { raiMediaFilteredCount: 2, raiMediaFilteredReasons: ['faces'] } },
    },
    { type: 'failed', billed: 'no', error: { kind: 'moderation', message: 'faces' } },
  ],
  [
    'some filtered',
    {
      done: true,
      response: { generateVideoResponse: { raiMediaFilteredCount: 1, generatedSamples: [{ video: { uri: MP4 } }] } },
    },
    { type: 'done', filtered: { count: 1 } },
  ],
  ['done with nothing', { name: 'operations/t-1', done: true, response: {} }, { type: 'failed', billed: 'unknown' }],
  ['an unknown id', { code: 404, message: 'task not found' }, { type: 'missing' }],
  ['an empty answer', '', { type: 'missing' }],
  [
    'an error of the call',
    { error: { message: 'Rate limit reached', type: 'rate_limit_error' } },
    { type: 'unreachable', error: { kind: 'rate_limit' } },
  ],
])('%s', async (_name, body, expected) => {
  const server = await knowing({ '/v1/videos/t-1': body });
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject(expected);
});

test.each<[number, object, object]>([
  [429, {}, { type: 'unreachable', error: { kind: 'rate_limit', retryAfterMs: 9_000 } }],
  [500, { error: { message: 'oops' } }, { type: 'unreachable', error: { kind: 'server' } }],
  [401, { error: { message: 'bad key' } }, { type: 'unreachable', error: { kind: 'auth' } }],
  [404, {}, { type: 'missing' }],
  [
    400,
    { id: 't-1', status: 'failed', error: { message: 'Content policy' } },
    { type: 'failed', error: { kind: 'moderation' } },
  ],
])('status %i', async (status, body, expected) => {
  const server = await serve((_request, socket) => socket.write(reply(status, body, { 'retry-after': '9' })));
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject(expected);
});

test('a poll that is reset or never answered is no verdict', async () => {
  const server = await serve((_request, socket) => socket.resetAndDestroy());
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject({
    type: 'unreachable',
    error: { kind: 'network' },
  });
  let arrived = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const silent = await serve(() => arrived());
  const { gateway, clock } = clientOf(silent.url);
  const running = gateway.poll(task('t-1'));
  await received;
  clock.pass(60_000);
  expect(await running).toMatchObject({ type: 'unreachable', error: { kind: 'timeout' } });
});

test('a sure place that does not know the task yet counts before a guessed one that is shut', async () => {
  const server = await serve((request, socket) =>
    socket.write(request.path === '/mine/t-1' ? reply(404, {}) : reply(403, {})),
  );
  const told = clientOf(server.url, { videoPollPath: '/mine/{id}' });
  expect(await told.gateway.poll(task('t-1'))).toMatchObject({ type: 'missing', error: { accepted: 'unknown' } });
  const guessed = clientOf(server.url);
  expect(await guessed.gateway.poll(task('t-1'))).toMatchObject({
    type: 'unreachable',
    error: { kind: 'auth', accepted: 'yes' },
  });
});

test('a finished task may keep its result at another place of the service', async () => {
  const server = await knowing({
    '/q/t-1/status': { status: 'COMPLETED', request_id: 't-1', response_url: '/q/t-1' },
    '/q/t-1': { video: { url: MP4 } },
  });
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  expect(await clientOf(server.url).gateway.poll(told)).toEqual({
    type: 'done',
    outputs: [{ uri: MP4, role: 'output' }],
  });
  expect(server.got.map((got) => got.path)).toEqual(['/q/t-1/status', '/q/t-1']);
});
