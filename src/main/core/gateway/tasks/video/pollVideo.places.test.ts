import { expect, test } from 'vitest';
import { clientOf, KEY } from '../../../../../../test/helpers/gateway/client.ts';
import { type RawServer, reply } from '../../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { RemoteTask } from '../../types.ts';

/** Where the clip of a finished task is, if the answer about the task does not name its address. */

const serve = serversOfThisFile();
const NOT_FOUND = reply(404, { error: { message: 'Not found' } });
/** A service that has answers at some paths, and 404 at the rest. */
const knowing = (paths: Record<string, object | string>): Promise<RawServer> =>
  serve(({ path }, socket) => {
    const answer = paths[path];
    socket.write(answer === undefined ? NOT_FOUND : typeof answer === 'string' ? answer : reply(200, answer));
  });
const task = (id: string, pollPath: string): RemoteTask => ({ id, kind: 'video', acceptedAt: 0, pollPath });
const MP4 = 'https://cdn.example/a.mp4';

test.each([
  ['an animated WebP', 'https://cdn.example/a.webp'],
  ['a GIF', 'https://cdn.example/a.gif'],
  ['a picture', 'https://cdn.example/a.png'],
])('%s in the place of the clip is the result where nothing else is found', async (_what, uri) => {
  for (const named of [{ video_url: uri }, { output: [uri] }, { url: uri }, { object: 'video', video: { url: uri } }]) {
    const server = await knowing({ '/x/17': { id: '17', status: 'succeeded', ...named } });
    const { gateway } = clientOf(server.url);
    expect(await gateway.poll(task('17', '/x/17'))).toMatchObject({ type: 'done', outputs: [{ uri }] });
  }
});

test('a picture is no result while its task goes on, where the clip has a place, or as its cover', async () => {
  const answers = { '/x/1': { status: 'running', video_url: 'https://cdn.example/a.gif' } };
  const { gateway } = clientOf((await knowing(answers)).url);
  expect(await gateway.poll(task('1', '/x/1'))).toMatchObject({ type: 'running' });
  const clip = reply(206, 'x', { 'content-type': 'video/mp4' });
  const placed = await knowing({
    '/v1/videos/2': { id: '2', object: 'video', status: 'completed', url: 'https://cdn.example/a.png' },
    '/v1/videos/2/content': clip,
  });
  const outcome = await clientOf(placed.url).gateway.poll(task('2', '/v1/videos/2'));
  expect(outcome).toMatchObject({ type: 'done', outputs: [{ uri: expect.stringContaining('/v1/videos/2/content') }] });
  const covered = await knowing({ '/x/3': { id: '3', status: 'succeeded', cover_url: 'https://cdn.example/a.png' } });
  expect((await clientOf(covered.url).gateway.poll(task('3', '/x/3'))).type).not.toBe('done');
});

test('what the place of a task says in prose is kept', async () => {
  const server = await knowing({ '/x/17': { message: 'Task 17 was moved to the archive.' } });
  const outcome = await clientOf(server.url).gateway.poll(task('17', '/x/17'));
  expect(outcome).toMatchObject({ type: 'missing', said: expect.stringContaining('moved to the archive') });
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
  expect(await gateway.poll(task('17', pollPath))).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
  expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
});

const OTHER_ANSWERS = [
  NOT_FOUND,
  reply(405, {}),
  reply(200, '<!doctype html><p>App</p>', { 'content-type': 'text/html' }),
  reply(400, { error: { message: 'model is required' } }),
  reply(422, { detail: [{ loc: ['query', 'model'], msg: 'Field required', type: 'missing' }] }),
  reply(429, { error: { message: 'Too many requests' } }),
  reply(500, { error: { message: 'Internal server error' } }),
  reply(502, { error: { message: 'Bad gateway' } }),
  reply(200, { code: 404, message: 'not found' }),
  reply(200, { status: 'failed', message: 'unknown endpoint' }),
  reply(200, {}),
];
test.each(OTHER_ANSWERS)('a file that is named is not given up after %s', async (elsewhere) => {
  const finished = { task_id: '17', status: 'Success', file_id: '205', base_resp: { status_code: 0 } };
  const server = await serve(({ path }, socket) => socket.write(path === '/x/17' ? reply(200, finished) : elsewhere));
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('17', '/x/17'))).toMatchObject({ type: 'unreachable' });
});

test.each(OTHER_ANSWERS)('after %s at one place, the file is looked for at the next', async (elsewhere) => {
  const server = await knowing({
    '/v2/videos/17': { task_id: '17', status: 'Success', file_id: '205', base_resp: { status_code: 0 } },
    '/v2/files/retrieve?file_id=205': elsewhere,
    '/v1/files/retrieve?file_id=205': { file: { file_id: 205, download_url: MP4 }, base_resp: { status_code: 0 } },
  });
  const { gateway } = clientOf(server.url);
  expect(await gateway.poll(task('17', '/v2/videos/17'))).toMatchObject({ type: 'done', outputs: [{ uri: MP4 }] });
});

const CLIP = reply(206, 'x', { 'content-type': 'video/mp4', 'content-range': 'bytes 0-0/9' });
const generation = (id: string) => ({ object: 'video.generation', id, job_id: 'task_01jw', width: 1280, height: 720 });
const azure = (...ids: string[]) => ({
  object: 'video.generation.job',
  id: 'task_01jw',
  status: 'succeeded',
  generations: ids.map(generation),
  failure_reason: null,
});

/** learn.microsoft.com: video generation jobs of Azure OpenAI. */
test.each([
  [
    '/openai/v1/video/generations/jobs/task_01jw?api-version=preview',
    '/openai/v1/video/generations/',
    '/content/video?api-version=preview',
  ],
  ['/v1/video/generations/jobs/task_01jw', '/v1/video/generations/', '/content/video'],
])('the clips of a job at %s are its generations', async (pollPath, before, after) => {
  const server = await knowing({ [pollPath]: azure('gen_1', 'gen_2') });
  expect(await clientOf(server.url).gateway.poll(task('task_01jw', pollPath))).toMatchObject({
    type: 'done',
    outputs: ['gen_1', 'gen_2'].map((id) => ({ uri: `${server.url}${before}${id}${after}` })),
  });
});

test('a job of Azure is found without being told where, and its generations elsewhere are tried first', async () => {
  const server = await knowing({ '/v1/video/generations/jobs/task_01jw': azure('gen_1') });
  const job = { id: 'task_01jw', kind: 'video', acceptedAt: 0 } as const;
  expect(await clientOf(server.url).gateway.poll(job)).toMatchObject({ type: 'done' });
  const elsewhere = await knowing({
    '/azure/v1/tasks/task_01jw': { data: azure('gen_1') },
    '/azure/v1/video/generations/gen_1/content/video': CLIP,
    '/azure/v1/tasks/task_01jw/content': CLIP,
    '/v1/videos/task_01jw/content': CLIP,
  });
  expect(await clientOf(elsewhere.url).gateway.poll(task('task_01jw', '/azure/v1/tasks/task_01jw'))).toMatchObject({
    type: 'done',
    outputs: [{ uri: `${elsewhere.url}/azure/v1/video/generations/gen_1/content/video` }],
  });
  const nowhere = await knowing({ '/azure/v1/tasks/task_01jw': azure('gen_1') });
  expect(await clientOf(nowhere.url).gateway.poll(task('task_01jw', '/azure/v1/tasks/task_01jw'))).toMatchObject({
    type: 'unreachable',
  });
});

test.each(['/v1/video/generations/gen_1/content/video', '/v1/videos/task_01jw/content', '/v1/jobs/task_01jw/content'])(
  "of Azure's answer at a gateway's own jobs, the clip at %s is found",
  async (place) => {
    const server = await knowing({ '/v1/jobs/task_01jw': azure('gen_1'), [place]: CLIP });
    expect(await clientOf(server.url).gateway.poll(task('task_01jw', '/v1/jobs/task_01jw'))).toMatchObject({
      type: 'done',
      outputs: [{ uri: server.url + place }],
    });
  },
);

test("the end of a job is that of its clips' addresses", async () => {
  const pollPath = '/v1/video/generations/jobs/task_01jw';
  const server = await knowing({ [pollPath]: { data: { ...azure('gen_1'), expires_at: 1_900_000_000 } } });
  expect(await clientOf(server.url).gateway.poll(task('task_01jw', pollPath))).toMatchObject({
    type: 'done',
    outputs: [{ expiresAt: 1_900_000_000_000 }],
  });
});

/** github.com/DecartAI/sdk: GET /v1/jobs/{id}/content. */
test.each([
  ['/v1/jobs/j1', '/v1/jobs/j1/content'],
  ['/v1/jobs/j1/status', '/v1/jobs/j1/content'],
  ['/team/v1/video/generations/j1?v=2', '/team/v1/video/generations/j1/content?v=2'],
  ['/v1/jobs/j1', '/v1/videos/j1/content'],
])('of a task at %s, the bytes are at %s', async (pollPath, place) => {
  const server = await knowing({ [pollPath]: { job_id: 'j1', status: 'completed' }, [place]: CLIP });
  expect(await clientOf(server.url).gateway.poll(task('j1', pollPath))).toMatchObject({
    type: 'done',
    outputs: [{ uri: server.url + place }],
  });
});

test.each([
  [403, 'unreachable'],
  [429, 'unreachable'],
  [404, 'failed'],
  [405, 'failed'],
  [400, 'failed'],
  [501, 'failed'],
])('a content endpoint that answers %i leaves a finished task %s', async (status, type) => {
  const server = await serve(({ path }, socket) =>
    socket.write(path === '/v1/jobs/j1' ? reply(200, { job_id: 'j1', status: 'completed' }) : reply(status, {})),
  );
  expect(await clientOf(server.url).gateway.poll(task('j1', '/v1/jobs/j1'))).toMatchObject({ type });
});

const AWAY = reply(302, '', { location: '/console' });
const UNTYPED = reply(200, 'x');

test.each([
  { usual: CLIP, below: CLIP, place: '/v1/videos/j1/content' },
  { usual: CLIP, below: AWAY, place: '/v1/videos/j1/content' },
  { usual: AWAY, below: NOT_FOUND, place: '/v1/videos/j1/content' },
  { usual: reply(403, {}), below: CLIP, place: '/v1/jobs/j1/content' },
  { usual: reply(503, {}), below: CLIP, place: '/v1/jobs/j1/content' },
  { usual: NOT_FOUND, below: AWAY, place: '/v1/jobs/j1/content' },
  { usual: NOT_FOUND, below: UNTYPED, place: '/v1/jobs/j1/content' },
  { usual: reply(403, {}), below: AWAY, place: '/v1/jobs/j1/content' },
  { usual: reply(503, {}), below: AWAY, place: undefined },
  { usual: reply(503, {}), below: UNTYPED, place: undefined },
])('of $usual at the usual place and $below at its own, $place counts', async ({ usual, below, place }) => {
  const finished = { job_id: 'j1', status: 'completed' };
  const server = await knowing({
    '/v1/jobs/j1': finished,
    '/v1/videos/j1/content': usual,
    '/v1/jobs/j1/content': below,
  });
  const outcome = await clientOf(server.url).gateway.poll(task('j1', '/v1/jobs/j1'));
  const done = { type: 'done', outputs: [{ uri: server.url + place }] };
  expect(outcome).toMatchObject(place === undefined ? { type: 'unreachable' } : done);
});

test('a redirect where the generations of a job might be does not count before the usual place', async () => {
  const server = await knowing({
    '/v1/tasks/task_01jw': azure('gen_1'),
    '/v1/video/generations/gen_1/content/video': AWAY,
    '/v1/videos/task_01jw/content': CLIP,
  });
  expect(await clientOf(server.url).gateway.poll(task('task_01jw', '/v1/tasks/task_01jw'))).toMatchObject({
    type: 'done',
    outputs: [{ uri: `${server.url}/v1/videos/task_01jw/content` }],
  });
});

test.each([
  { task_id: '17', status: 'Success', file_id: '205', base_resp: { status_code: 0 } },
  { object: 'video', id: '17', status: 'completed', file_id: '205' },
])(
  'while the place of the file of %j is down, a redirect at the content endpoint is not the clip',
  async (finished) => {
    const server = await knowing({
      '/x/17': finished,
      '/v1/files/retrieve?file_id=205': reply(503, {}),
      '/v1/videos/17/content': AWAY,
    });
    expect(await clientOf(server.url).gateway.poll(task('17', '/x/17'))).toMatchObject({ type: 'unreachable' });
  },
);

const BYTES = '\0\0\0\u0020ftypisom\0\0\u0002\0isomiso2avc1mp41';

/** Stability's result endpoint gives the clip itself. */
test('the clip itself may come as the answer to the poll, or at the address of the result', async () => {
  const own = await knowing({ '/v2beta/results/t-1': reply(200, BYTES, { 'content-type': 'video/mp4' }) });
  expect(await clientOf(own.url).gateway.poll(task('t-1', '/v2beta/results/t-1'))).toMatchObject({
    type: 'done',
    outputs: [{ uri: `${own.url}/v2beta/results/t-1` }],
  });
  const named = await knowing({
    '/x/t-1': { id: 't-1', status: 'completed', content_url: '/x/t-1/raw' },
    '/x/t-1/raw': reply(200, BYTES),
  });
  expect(await clientOf(named.url).gateway.poll(task('t-1', '/x/t-1'))).toMatchObject({
    type: 'done',
    outputs: [{ uri: `${named.url}/x/t-1/raw` }],
  });
});
