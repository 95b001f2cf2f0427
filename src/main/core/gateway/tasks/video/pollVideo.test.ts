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
  ['/v1/video/generations/jobs/task_01jw', 'task_01jw'],
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

test('a path that refused to answer is the first to be asked again', async () => {
  let isRefusing = true;
  const server = await serve((request, socket) => {
    if (request.path !== '/v1/tasks/t-1') socket.write(reply(404, { error: { message: 'Not found' } }));
    else socket.write(isRefusing ? reply(302, '', { location: 'https://login.example/' }) : reply(200, DONE));
  });
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('t-1'))).toMatchObject({ type: 'unreachable' });
  isRefusing = false;
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

/** 302.ai: `/minimaxi/v1/files/retrieve`; GMI Cloud and others have MiniMax under other paths. */
test.each([
  ['/minimaxi/v1/query/video_generation?task_id=17', '', '/minimaxi/v1/files/retrieve?file_id=205'],
  [
    '/maas/router/minimax/v1/query/video_generation?task_id=17',
    '',
    '/maas/router/minimax/v1/files/retrieve?file_id=205',
  ],
  ['/minimax/query/video_generation?task_id=17', '', '/minimax/files/retrieve?file_id=205'],
  ['/minimaxi/v1/query/video_generation?task_id=17', '/minimaxi', '/minimaxi/v1/files/retrieve?file_id=205'],
  ['/team/v1/tasks/17', '/minimaxi', '/minimaxi/v1/files/retrieve?file_id=205'],
  ['/v1/query/video_generation?task_id=17', '', '/v1/files/retrieve?file_id=205'],
])('of a task at %s of a base %j, the file is at %s', async (pollPath, base, place) => {
  const server = await knowing({
    [pollPath]: { task_id: '17', status: 'Success', file_id: '205', base_resp: { status_code: 0 } },
    [place]: { file: { file_id: 205, download_url: MP4 }, base_resp: { status_code: 0 } },
  });
  const { gateway } = clientOf(server.url + base);
  expect(await gateway.poll(task('17', { pollPath }))).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
  expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
});

const generations = [{ object: 'video.generation', id: 'gen_1', job_id: 'task_01jw' }];
const azure = { object: 'video.generation.job', id: 'task_01jw', status: 'succeeded', generations };

test("the end of a job is that of its clips' addresses", async () => {
  const pollPath = '/v1/video/generations/jobs/task_01jw';
  const server = await knowing({ [pollPath]: { data: { ...azure, expires_at: 1_900_000_000 } } });
  expect(await clientOf(server.url).gateway.poll(task('task_01jw', { pollPath }))).toMatchObject({
    type: 'done',
    outputs: [{ expiresAt: 1_900_000_000_000 }],
  });
});

test('a guessed path that fails for tasks it does not know hides no later one', async () => {
  for (const path of ['/v1/operations/task_77', '/v1/video/generations/task_77', '/v1/tasks/task_77']) {
    const server = await serve((request, socket) => {
      if (request.path === '/v1/videos/task_77') return socket.write(reply(500, { error: { message: 'nil' } }));
      return socket.write(request.path === path ? reply(200, DONE) : reply(404, { error: { message: 'Not found' } }));
    });
    const { gateway } = clientOf(server.url);
    const outcomes = [];
    for (let turn = 0; turn < 6; turn += 1) outcomes.push((await gateway.poll(task('task_77'))).type);
    expect(outcomes, path).toContain('done');
  }
});
