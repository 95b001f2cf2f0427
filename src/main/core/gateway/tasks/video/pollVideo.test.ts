import { expect, test } from 'vitest';
import { clientOf, KEY } from '../../../../../../test/helpers/gateway/client.ts';
import { type RawServer, reply } from '../../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { RemoteTask } from '../../types.ts';

const serve = serversOfThisFile();
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
  const asked = server.requests.length;
  expect(await client.gateway.poll(task(id))).toMatchObject({ type: 'done' });
  expect(server.requests.slice(asked).map((got) => got.path)).toEqual([path]);
  expect(server.requests.every((got) => got.method === 'GET' && got.headers.authorization === `Bearer ${KEY}`)).toBe(
    true,
  );
});

test("the path from the answer comes first, then the profile's", async () => {
  const server = await knowing({ '/x/t-1?k=1': DONE, '/mine/t-2': DONE });
  const { gateway } = clientOf(server.url, { videoPollPath: '/mine/{id}' });
  await gateway.poll(task('t-1', { pollPath: '/x/t-1?k=1' }));
  await gateway.poll(task('t-2'));
  expect(server.requests.map((got) => got.path)).toEqual(['/x/t-1?k=1', '/mine/t-2']);
});

test('an id with a lone surrogate, which no address can hold, is polled all the same', async () => {
  const server = await knowing({ '/v1/videos/t-%EF%BF%BD1': DONE });
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('t-\ud8001'))).toMatchObject({ type: 'done' });
  expect(await gateway.poll({ ...task('t-\udc001'), kind: 'image' })).toMatchObject({ type: 'missing' });
  const files = await knowing({ '/v1/videos/t-1': { id: 't-1', status: 'succeeded', file_id: 'f\ud800' } });
  expect(await clientOf(files.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'unreachable' });
});

test('a path that answers about something else, or with a web page, is skipped', async () => {
  const server = await knowing({
    '/v1/videos/t-1': '<!doctype html><p>App</p>',
    '/v1/operations/t-1': { hello: 'world' },
    '/v1/tasks/t-1': DONE,
  });
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'done' });
});

test('a page at a path that has answered about tasks before says nothing about the task, wherever else it is asked for', async () => {
  const pages: Record<string, object | string> = { '/v1/videos/t-1': { id: 't-1', status: 'in_progress' } };
  const server = await knowing(pages);
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'running' });
  pages['/v1/videos/t-1'] = '<!doctype html><p>Back soon</p>';
  expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'unreachable' });
  pages['/v1/tasks/t-1'] = DONE;
  for (let polls = 0; polls < 5; polls++) await gateway.poll(task('t-1'));
  expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'done' });
});

test('a poll that is reset or never answered does not end the job', async () => {
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
  clock.advance(60_000);
  expect(await running).toMatchObject({ type: 'unreachable', error: { kind: 'timeout' } });
});

test('a known path that does not know the task yet counts before a guessed one that refuses', async () => {
  const server = await serve((request, socket) =>
    socket.write(request.path === '/mine/t-1' ? reply(404, {}) : reply(403, {})),
  );
  const told = clientOf(server.url, { videoPollPath: '/mine/{id}' });
  expect(await told.gateway.poll(task('t-1'))).toMatchObject({ type: 'missing', error: { accepted: 'unknown' } });
  // What refuses the key by its words says nothing of the task, either, unless its status is that of an unknown one.
  const byWords = await serve((_request, socket) => socket.write(reply(400, { error: 'Incorrect API key provided' })));
  expect(await clientOf(byWords.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'unreachable' });
  const unknown = await serve((_request, socket) => socket.write(reply(404, { error: 'Access denied, or no task' })));
  expect(await clientOf(unknown.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'missing' });
  const guessed = clientOf(server.url);
  expect(await guessed.gateway.poll(task('t-1'))).toMatchObject({
    type: 'unreachable',
    error: { kind: 'auth', accepted: 'yes' },
  });
});

test('a finished task may have its result at another address of the service', async () => {
  const server = await knowing({
    '/q/t-1/status': { status: 'COMPLETED', request_id: 't-1', response_url: '/q/t-1' },
    '/q/t-1': { video: { url: MP4 } },
  });
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  expect(await clientOf(server.url).gateway.poll(told)).toEqual({
    type: 'done',
    outputs: [{ uri: MP4, role: 'output' }],
  });
  expect(server.requests.map((got) => got.path)).toEqual(['/q/t-1/status', '/q/t-1']);
});

test('a finished task may have its clip among the files of the service, or only as bytes at the content endpoint', async () => {
  const finished = { task_id: 't-1', status: 'Success', file_id: '17', base_resp: { status_code: 0 } };
  const files = await knowing({
    '/v1/tasks/t-1': finished,
    '/v1/files/retrieve?file_id=17': { file: { file_id: 17, filename: 'a.mp4', download_url: MP4 } },
  });
  expect(await clientOf(files.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
  const bytes = await serve((request, socket) => {
    if (request.path === '/v1/tasks/t-1') socket.write(reply(200, { id: 't-1', status: 'succeeded' }));
    else if (request.path === '/v1/videos/t-1/content')
      socket.write(reply(206, 'x', { 'content-type': 'video/mp4', 'content-range': 'bytes 0-0/9' }));
    else socket.write(reply(404, {}));
  });
  expect(await clientOf(bytes.url).gateway.poll(task('t-1'))).toMatchObject({
    type: 'done',
    outputs: [{ uri: `${bytes.url}/v1/videos/t-1/content` }],
  });
});

test('a finished task without a clip has failed, and whether it is billed is unknown', async () => {
  const server = await knowing({ '/v1/tasks/t-1': { id: 't-1', status: 'succeeded', output: [] } });
  expect(await clientOf(server.url).gateway.poll(task('t-1'))).toMatchObject({ type: 'failed', billed: 'unknown' });
});

test("a result's address may say why there is none; an outage there decides nothing", async () => {
  const at = (status: number, body: object) =>
    serve((request, socket) =>
      socket.write(
        request.path.endsWith('/status') ? reply(200, { status: 'COMPLETED', request_id: 't-1' }) : reply(status, body),
      ),
    );
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  const refused = await at(422, { detail: [{ loc: ['body', 'image'], msg: 'no face found', type: 'value_error' }] });
  expect(await clientOf(refused.url).gateway.poll(told)).toMatchObject({ type: 'failed', billed: 'no' });
  const down = await at(503, { error: { message: 'overloaded' } });
  expect(await clientOf(down.url).gateway.poll(told)).toMatchObject({ type: 'unreachable' });
  const early = await at(425, { error: { message: 'Too Early' } });
  expect(await clientOf(early.url).gateway.poll(told)).toMatchObject({ type: 'unreachable' });
});

const OF_THE_MOMENT = [
  { error: { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
  { error: { message: 'Bad Request', details: [{ reason: 'API_KEY_INVALID' }] } },
  { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***y.' },
  { code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' },
  { error: { message: 'Your credit balance is too low to access the API.', type: 'invalid_request_error' } },
  { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } },
  { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
  { error: { message: 'Too many requests' } },
  { error: { code: 'SERVICE_NOT_AVAILABLE', message: 'Not now' } },
  { error: { message: 'No available channel for model veo-3' } },
  { detail: 'Request is still in progress' },
];
test.each(OF_THE_MOMENT.flatMap((body) => [400, 422].map((status) => [status, body] as const)))(
  'a result address that answers %i with %j is asked again, and has the clip then',
  async (status, body) => {
    let isRefused = true;
    const server = await serve(({ path }, socket) => {
      if (path.endsWith('/status')) return socket.write(reply(200, { status: 'COMPLETED', request_id: 't-1' }));
      if (path !== '/q/t-1') return socket.write(reply(404, {}));
      return socket.write(isRefused ? reply(status, body) : reply(200, { video: { url: MP4 } }));
    });
    const { gateway } = clientOf(server.url);
    const told = task('t-1', { pollPath: '/q/t-1/status' });
    expect(await gateway.poll(told)).toMatchObject({ type: 'unreachable' });
    isRefused = false;
    expect(await gateway.poll(told)).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
  },
);

test.each([
  ['an answer without a type', reply(200, '', { 'content-type': '' })],
  ['a redirect', reply(302, '', { location: '/sign-in' })],
  ['nothing', reply(404, {})],
])('an early result is asked for again while the usual place of the bytes has %s', async (_name, content) => {
  const server = await serve(({ path }, socket) => {
    if (path.endsWith('/status'))
      return socket.write(reply(200, { status: 'COMPLETED', object: 'video', id: 't-1', request_id: 't-1' }));
    if (path !== '/q/t-1') return socket.write(path.endsWith('/content') ? content : reply(404, {}));
    return socket.write(reply(400, { detail: 'Request is still in progress' }));
  });
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  expect(await clientOf(server.url).gateway.poll(told)).toMatchObject({ type: 'unreachable' });
});

test.each([
  [422, { detail: [{ loc: ['body', 'prompt'], msg: 'The content was flagged', type: 'content_policy_violation' }] }],
  [400, { detail: [{ loc: ['body'], msg: 'Downstream service error', type: 'downstream_service_error' }] }],
  [400, { error: { message: 'The prompt was blocked by the safety system.' } }],
  [422, { error: { message: 'The video must be at least 2 seconds long.' } }],
])('a result address that refuses the generation with %i and %j has ended it', async (status, body) => {
  const server = await serve(({ path }, socket) =>
    socket.write(
      path.endsWith('/status') ? reply(200, { status: 'COMPLETED', request_id: 't-1' }) : reply(status, body),
    ),
  );
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  expect(await clientOf(server.url).gateway.poll(told)).toMatchObject({ type: 'failed', billed: 'no' });
});

test.each([
  { request_id: 't-1', status: 'FAILED', error: 'Inference failed' },
  { success: false, message: 'Result expired' },
])('a result that says %j has failed', async (body) => {
  const server = await serve(({ path }, socket) => {
    if (path.endsWith('/status')) return socket.write(reply(200, { status: 'COMPLETED', request_id: 't-1' }));
    return socket.write(path === '/q/t-1' ? reply(200, body) : reply(404, {}));
  });
  const told = task('t-1', { pollPath: '/q/t-1/status' });
  expect(await clientOf(server.url).gateway.poll(told)).toMatchObject({ type: 'failed', billed: 'unknown' });
});

test.each([503, 425])('a finished task whose content endpoint answers %i is asked again', async (status) => {
  const server = await serve(({ path }, socket) =>
    socket.write(
      path === '/v1/tasks/t-1' ? reply(200, { id: 't-1', status: 'succeeded', output: [] }) : reply(status, {}),
    ),
  );
  const told = task('t-1', { pollPath: '/v1/tasks/t-1' });
  expect(await clientOf(server.url).gateway.poll(told)).toMatchObject({ type: 'unreachable' });
});

/** MiniMax tells its errors with status 200 (platform.minimax.io, error codes): the clip is there at another time. */
test.each([
  [200, { file: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }],
  [200, { file: null, base_resp: { status_code: 1004, status_msg: 'login fail' } }],
  [401, { error: { message: 'invalid api key' } }],
])('a finished task whose file is refused with %i is asked again', async (status, body) => {
  const finished = { task_id: 't-1', status: 'Success', file_id: '17', base_resp: { status_code: 0 } };
  let isRefused = true;
  const file = { file: { file_id: '17', download_url: 'https://cdn.example/a.mp4' }, base_resp: { status_code: 0 } };
  const server = await serve(({ path }, socket) => {
    if (path.startsWith('/v1/files/retrieve')) return socket.write(isRefused ? reply(status, body) : reply(200, file));
    return socket.write(path === '/v1/tasks/t-1' ? reply(200, finished) : reply(404, {}));
  });
  const { gateway } = clientOf(server.url);
  const told = task('t-1', { pollPath: '/v1/tasks/t-1' });
  expect(await gateway.poll(told)).toMatchObject({ type: 'unreachable' });
  isRefused = false;
  expect(await gateway.poll(told)).toMatchObject({ type: 'done', outputs: [{ uri: 'https://cdn.example/a.mp4' }] });
});

test('a service that does not know a task is polled at every path once, then at a few', async () => {
  const server = await knowing({});
  const { gateway } = clientOf(server.url);
  const asked: number[] = [];
  for (let poll = 0; poll < 6; poll += 1) {
    const before = server.requests.length;
    expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'missing' });
    asked.push(server.requests.length - before);
  }
  expect(asked[0]).toBeGreaterThan(8);
  expect(asked.slice(1)).toEqual([3, 3, 3, 3, 3]);
  // In between, the later polls have tried every path again.
  expect(new Set(server.requests.slice(asked[0]).map((got) => got.path)).size).toBe(asked[0]);
});

test('the path that found one task is tried first for the next, and an unknown task costs few polls', async () => {
  const server = await knowing({ '/v1/jobs/t-1': DONE, '/v1/jobs/t-2': DONE });
  const { gateway } = clientOf(server.url);
  await gateway.poll(task('t-1'));
  const before = server.requests.length;
  await gateway.poll(task('t-2'));
  await gateway.poll(task('t-3'));
  expect(
    server.requests
      .slice(before)
      .map((got) => got.path)
      .slice(0, 2),
  ).toEqual(['/v1/jobs/t-2', '/v1/jobs/t-3']);
  expect(server.requests.length - before).toBe(5);
});

test.each([
  ['job_77', '/v1/jobs/job_77'],
  ['task_77', '/v1/video/generations/task_77'],
  ['operation-77', '/v1/operations/operation-77'],
  ['video_77', '/v1/videos/video_77'],
])('%s is asked for at %s first', async (id, path) => {
  const server = await knowing({ [path]: DONE });
  await clientOf(server.url).gateway.poll(task(id));
  expect(server.requests.map((got) => got.path)).toEqual([path]);
});

test('a redirect within the service is followed with the key, one to another host never', async () => {
  const away = await serve((_request, socket) => socket.write(reply(200, DONE)));
  const server = await serve((request, socket) => {
    if (request.path === '/v1/videos/t-1') socket.write(reply(307, '', { location: '/real/t-1' }));
    else if (request.path === '/v1/videos/t-2') socket.write(reply(302, '', { location: `${away.url}/t-2` }));
    else socket.write(request.path === '/real/t-1' ? reply(200, DONE) : reply(404, {}));
  });
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'done' });
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(await gateway.poll(task('t-2'))).toMatchObject({ type: 'unreachable', error: { kind: 'invalid' } });
  expect(away.requests).toEqual([]);
});
