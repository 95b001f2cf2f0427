import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import {
  type FamilyServer,
  type FamilyServerOptions,
  familyServer,
  HANG_UP,
  PICTURE,
} from '../../../../../test/helpers/gateway/familyServer.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { modelSchema } from '../../../../shared/gateway/profile.ts';
import { registerVideoFamily, type VideoFamily } from '../../../../shared/wire/families/index.ts';
import type { ImagineSubmitRequest, PollOutcome, SubmitOutcome, VideoSubmitRequest } from '../types.ts';

const open: FamilyServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
const serve = async (options: FamilyServerOptions): Promise<FamilyServer> => {
  const server = await familyServer(options);
  open.push(server);
  return server;
};

let folder = '';
let frame = { path: '', mime: 'image/png' };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dailies-families-'));
  frame = { path: join(folder, 'frame.png'), mime: 'image/png' };
  await writeFile(frame.path, PICTURE);
});
afterAll(() => rm(folder, { recursive: true }));

const CLIP: VideoSubmitRequest = { model: 'clip-1', prompt: 'A boat.', config: { durationSeconds: 4, seed: 7 } };
const PICTURE_REQUEST: ImagineSubmitRequest = { model: 'picture-1', prompt: 'A boat.' };
const DATA_URL = `data:image/png;base64,${PICTURE.toString('base64')}`;

const bodyOf = ({ bill }: FamilyServer, at = 0) => JSON.parse(bill[at]?.body ?? 'null') as Record<string, unknown>;

describe('a clip from its request to its result', () => {
  test.each([
    [
      'openaiVideos',
      { model: 'clip-1', prompt: 'A boat.', seconds: '4', size: '1280x720' },
      (port: number) => `http://127.0.0.1:${port}/v1/videos/video_1/content`,
      undefined,
    ],
    [
      'relayVideos',
      { model: 'clip-1', prompt: 'A boat.', duration: 4, width: 1280, height: 720, seed: 7 },
      (port: number) => `http://127.0.0.1:${port}/clip.mp4`,
      undefined,
    ],
    [
      'openRouterVideos',
      { model: 'clip-1', prompt: 'A boat.', duration: 4, seed: 7 },
      (port: number) => `http://localhost:${port}/clip.mp4?signature=5f`,
      400_000_000,
    ],
  ])('in %s', async (name, body, address, stated) => {
    const server = await serve({ speaks: [name] });
    const { gateway } = clientOf(server.url, { protocols: { video: name } });
    const submitted = await gateway.submitVideo(CLIP, SEND);
    expect(submitted.type).toBe('accepted');
    if (submitted.type !== 'accepted') return;
    expect(bodyOf(server)).toEqual(body);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect((await gateway.poll(submitted.task)).type).toBe('running');
    const done = (await gateway.poll(submitted.task)) as Extract<PollOutcome, { type: 'done' }>;
    expect(done).toMatchObject({ type: 'done', outputs: [{ uri: address(server.port), role: 'output' }] });
    expect(done.outputs).toHaveLength(1);
    expect(done.stated?.nano).toBe(stated);
    // The place is known from the start: no other path was asked.
    expect(server.requests).toHaveLength(3);
  });

  test('openaiVideos sends a first frame of this machine as a file, the same bytes each time', async () => {
    const server = await serve({ speaks: ['openaiVideos'] });
    const { gateway } = clientOf(server.url, { protocols: { video: 'openaiVideos' } });
    await gateway.submitVideo({ ...CLIP, image: frame }, SEND);
    await gateway.submitVideo({ ...CLIP, image: frame }, SEND);
    const [first, second] = server.bill;
    expect(first?.body).toContain('name="input_reference"; filename="frame"\r\ncontent-type: image/png');
    expect(first?.body).toContain('name="seconds"\r\n\r\n4\r\n');
    expect(second).toEqual(first);
    expect(server.requests[0]?.headers['content-type']).toMatch(
      /^multipart\/form-data; boundary=dailies-[0-9a-f]{32}$/,
    );
  });

  test('openRouterVideos names each picture by its role', async () => {
    const server = await serve({ speaks: ['openRouterVideos'] });
    const { gateway } = clientOf(server.url, { protocols: { video: 'openRouterVideos' } });
    await gateway.submitVideo({ ...CLIP, image: frame, lastFrame: frame }, SEND);
    const picture = { type: 'image_url', image_url: { url: DATA_URL } };
    expect(bodyOf(server).frame_images).toEqual([
      { ...picture, frame_type: 'first_frame' },
      { ...picture, frame_type: 'last_frame' },
    ]);
  });
});

describe('a picture', () => {
  test('openaiImages gives its bytes in the same exchange', async () => {
    const server = await serve({ speaks: ['openaiImages'] });
    const { gateway } = clientOf(server.url, { protocols: { image: 'openaiImages' } });
    const outcome = await gateway.submitImagine({ ...PICTURE_REQUEST, n: 1, size: '1024x1024', quality: 'low' }, SEND);
    expect(bodyOf(server)).toEqual({ model: 'picture-1', prompt: 'A boat.', n: 1, size: '1024x1024', quality: 'low' });
    expect(outcome).toMatchObject({ type: 'done', outputs: [{ uri: DATA_URL, role: 'output' }] });
  });

  test('openaiImages edits a file by a transparent mask', async () => {
    const server = await serve({ speaks: ['openaiImages'] });
    const { gateway } = clientOf(server.url, { protocols: { image: 'openaiImages' } });
    const alphaMask = async () => Buffer.from('alpha');
    const edit = { model: 'picture-1', prompt: 'A kite.', base: frame, maskPath: frame.path, alphaMask };
    expect((await gateway.submitEdit(edit, SEND)).type).toBe('done');
    expect(server.bill[0]?.body).toContain('name="image"; filename="image.png"\r\ncontent-type: image/png');
    expect(server.bill[0]?.body).toContain(
      'name="mask"; filename="mask.png"\r\ncontent-type: image/png\r\n\r\nalpha\r\n',
    );
  });

  test('chatImages takes it from the answer of a chat, with the cost that it states', async () => {
    const server = await serve({ speaks: ['chatImages'] });
    const { gateway } = clientOf(server.url, { protocols: { image: 'chatImages' } });
    const outcome = await gateway.submitImagine({ ...PICTURE_REQUEST, size: '16:9' }, SEND);
    expect(bodyOf(server)).toMatchObject({ modalities: ['image', 'text'], image_config: { aspect_ratio: '16:9' } });
    expect(outcome).toMatchObject({ type: 'done', remoteId: 'gen-1', outputs: [{ uri: DATA_URL }] });
    expect((outcome as Extract<SubmitOutcome, { type: 'done' }>).stated?.nano).toBe(40_000_000);
  });

  test('chatImages: an answer without a picture is refused in the words of the model, its cost open', async () => {
    const answer = { choices: [{ message: { content: 'I cannot draw this.' }, finish_reason: 'stop' }] };
    const server = await serve({ speaks: ['chatImages'], instead: () => reply(200, answer) });
    const { gateway } = clientOf(server.url, { protocols: { image: 'chatImages' } });
    expect(await gateway.submitImagine(PICTURE_REQUEST, SEND)).toMatchObject({
      type: 'refused',
      billed: 'unknown',
      error: { accepted: 'yes', retryable: false, message: 'I cannot draw this.' },
    });
  });
});

test.each([
  ['video', 'openaiVideos'],
  ['video', 'relayVideos'],
  ['video', 'openRouterVideos'],
  ['image', 'openaiImages'],
  ['image', 'chatImages'],
])('a lost reply to %s in %s is unknown, and is not sent again', async (kind, name) => {
  const server = await serve({ speaks: [name], instead: ({ method }) => (method === 'POST' ? HANG_UP : undefined) });
  const { gateway } = clientOf(server.url, { protocols: { [kind]: name } });
  const outcome = await (kind === 'video'
    ? gateway.submitVideo(CLIP, SEND)
    : gateway.submitImagine(PICTURE_REQUEST, SEND));
  expect(outcome).toMatchObject({ type: 'unknown', error: { accepted: 'unknown' } });
  expect(server.bill).toHaveLength(1);
});

describe('the format is found', () => {
  const typed = (...types: string[]) => [{ id: 'clip-1', supported_endpoint_types: types }];
  test.each([
    [
      'the type of a listed model',
      { speaks: ['openaiVideos'], models: typed('openai-video') },
      { video: 'openaiVideos' },
    ],
    ['the answer about an unknown task', { speaks: ['relayVideos'] }, { video: 'relayVideos' }],
    ['the list of clip models', { speaks: ['openRouterVideos'] }, { video: 'openRouterVideos' }],
    ['image-generation', { speaks: ['openaiImages'], models: typed('image-generation') }, { image: 'openaiImages' }],
    [
      'the output of a listed model',
      { speaks: ['chatImages'], models: [{ id: 'p', architecture: { output_modalities: ['image', 'text'] } }] },
      { image: 'chatImages' },
    ],
    ['nothing', { speaks: [], models: typed('openai') }, undefined],
  ])('by %s, for free', async (_, options, found) => {
    const server = await serve(options);
    const client = clientOf(server.url);
    await client.gateway.test();
    expect(client.memory.protocols).toEqual(found);
    expect(server.requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('/fetch'))).toEqual([]);
  });

  test('after "no such route", which costs nothing, the next one that can carry the request is used from then on', async () => {
    const server = await serve({ speaks: ['relayVideos'] });
    const client = clientOf(server.url);
    expect((await client.gateway.submitVideo(CLIP, SEND)).type).toBe('accepted');
    expect(client.memory.protocols).toEqual({ video: 'relayVideos' });
    const before = server.requests.length;
    await client.gateway.submitVideo(CLIP, SEND);
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/v1/video/generations']);
    expect(server.bill).toHaveLength(2);
  });

  test.each([
    [
      'a model that is not there',
      reply(404, { error: { message: 'The model clip-1 does not exist', code: 'model_not_found' } }),
    ],
    [
      'no channel',
      reply(503, { error: { message: 'No available channel for model clip-1', code: 'model_not_found' } }),
    ],
    ['a server error', reply(500, { error: { message: 'Internal error' } })],
  ])('never by %s', async (_, answer) => {
    const server = await serve({
      speaks: ['relayVideos'],
      instead: ({ method }) => (method === 'POST' ? answer : undefined),
    });
    const client = clientOf(server.url);
    await client.gateway.submitVideo(CLIP, SEND);
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(client.memory.protocols).toBeUndefined();
  });

  test('never where it was set, or where no other can carry the request', async () => {
    const server = await serve({ speaks: ['openaiVideos'] });
    const set = clientOf(server.url, { protocols: { video: 'relayVideos' } });
    expect((await set.gateway.submitVideo(CLIP, SEND)).type).toBe('refused');
    const withLast = { ...CLIP, image: frame, lastFrame: frame };
    expect((await clientOf(server.url).gateway.submitVideo(withLast, SEND)).type).toBe('refused');
    expect(server.bill).toEqual([]);
  });

  test('two formats share a path: without a list of clip models that could be read, neither is tried', async () => {
    const server = await serve({
      speaks: ['openaiVideos'],
      instead: ({ path }) => (path === '/v1/videos/models' ? reply(503, { error: 'busy' }) : undefined),
    });
    expect((await clientOf(server.url).gateway.submitVideo(CLIP, SEND)).type).toBe('refused');
    expect(server.bill).toEqual([]);
  });
});

test.each([{}, { video: 'openaiVideos' }])(
  'what fails here after a clip was ordered is never told as unsent: %o',
  async (protocols) => {
    const server = await serve({ speaks: ['openaiVideos'] });
    const { gateway } = clientOf(server.url, { protocols });
    const answered = () => {
      throw new Error('the disk is full');
    };
    const witness = { sent: () => undefined, answered };
    await expect(gateway.submitVideo(CLIP, { ...SEND, witness })).rejects.toThrow('the disk is full');
  },
);

test('extra parameters of a model go with each of its requests, and replace no field of ours', async () => {
  const server = await serve({ speaks: ['openaiVideos', 'openaiImages', 'chatImages'] });
  const models = [
    { id: 'clip-1', kind: 'video', extra: { style: 'film', camera: { pan: 2 } } },
    { id: 'picture-1', kind: 'image', extra: { background: 'opaque' } },
    { id: 'words-1', kind: 'chat', extra: { top_p: 0.5 } },
  ];
  const protocols = { video: 'openaiVideos', image: 'openaiImages' };
  const { gateway } = clientOf(server.url, { protocols, models });
  await gateway.submitVideo(CLIP, SEND);
  await gateway.submitVideo({ ...CLIP, image: frame }, SEND);
  await gateway.submitImagine(PICTURE_REQUEST, SEND);
  await gateway.chat({ model: 'words-1', messages: [{ role: 'user', content: 'Hi' }], stream: false }, SEND, () => {});
  expect(bodyOf(server)).toMatchObject({ style: 'film', camera: { pan: 2 }, prompt: 'A boat.' });
  expect(server.bill[1]?.body).toContain('name="camera"\r\n\r\n{"pan":2}\r\n');
  expect(bodyOf(server, 2)).toMatchObject({ background: 'opaque' });
  expect(bodyOf(server, 3)).toMatchObject({ top_p: 0.5 });
  const own = modelSchema.safeParse({ id: 'clip-1', kind: 'video', extra: { seconds: '60' } });
  expect(own.error?.issues[0]?.message).toBe('must not have seconds, which Dailies sends itself');
});

test('content that is not there yet after "completed" is waited for', async () => {
  let isThere = false;
  const early = reply(404, { error: { message: 'Task not found', type: 'invalid_request_error' } });
  const instead: FamilyServerOptions['instead'] = ({ path }) => {
    if (/generations\/./.test(path))
      return reply(200, { code: 'success', data: { task_id: 'gen_1', status: 'SUCCESS' } });
    return path.endsWith('/content') && !isThere ? early : undefined;
  };
  const server = await serve({ speaks: ['relayVideos', 'openaiVideos'], instead });
  const { gateway } = clientOf(server.url, { protocols: { video: 'relayVideos' } });
  const submitted = await gateway.submitVideo(CLIP, SEND);
  if (submitted.type !== 'accepted') throw new Error(submitted.type);
  console.log(
    JSON.stringify(await gateway.poll(submitted.task)),
    server.requests.map((r) => r.method + r.path),
  );
  expect(await gateway.poll(submitted.task)).toMatchObject({ type: 'unreachable' });
  const place = `${server.url}/v1/videos/gen_1/content`;
  expect(await gateway.fetchMedia(place, {})).toMatchObject({ type: 'pending' });
  isThere = true;
  expect(await gateway.poll(submitted.task)).toMatchObject({ type: 'done', outputs: [{ role: 'output' }] });
});

test('a request that was queued for another format is not sent without a part of it', async () => {
  const server = await serve({ speaks: ['openaiVideos', 'openaiImages'] });
  const { gateway } = clientOf(server.url, { protocols: { video: 'openaiVideos', image: 'openaiImages' } });
  const withLast = { ...CLIP, image: frame, lastFrame: frame };
  const refused = { type: 'refused', billed: 'no', error: { kind: 'invalid' } };
  expect(await gateway.submitVideo(withLast, SEND)).toMatchObject(refused);
  expect(await gateway.submitVideo({ ...CLIP, config: { durationSeconds: 6 } }, SEND)).toMatchObject(refused);
  expect(await gateway.submitImagine({ prompt: 'A boat.', mode: 'fast' }, SEND)).toMatchObject(refused);
  expect(server.requests).toEqual([]);
});

test('a picture that is not wanted any more right before it leaves is not sent', async () => {
  const server = await serve({ speaks: ['openaiImages'] });
  const { gateway } = clientOf(server.url, { protocols: { image: 'openaiImages' } });
  const outcome = await gateway.submitImagine(PICTURE_REQUEST, { ...SEND, keep: async () => false });
  expect(outcome).toMatchObject({ type: 'refused', billed: 'no' });
  expect(server.requests).toEqual([]);
});

test('chatImages reads a streamed answer, and a picture that its words name', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'gen-2', choices: [{ delta, finish_reason: finish }] })}\n\n`;
  const images = [{ type: 'image_url', image_url: { url: DATA_URL } }];
  const streamed = `${chunk({ content: '' })}${chunk({ images })}${chunk({}, 'stop')}data: [DONE]\n\n`;
  const content = '![image](https://cdn.example/boat.png)';
  const answers = [
    reply(200, streamed, { 'content-type': 'text/event-stream' }),
    reply(200, { choices: [{ message: { content }, finish_reason: 'stop' }] }),
  ];
  const server = await serve({ speaks: ['chatImages'], instead: () => answers.shift() });
  const { gateway } = clientOf(server.url, { protocols: { image: 'chatImages' } });
  const uris = [DATA_URL, 'https://cdn.example/boat.png'];
  for (const uri of uris)
    expect(await gateway.submitImagine(PICTURE_REQUEST, SEND)).toMatchObject({ type: 'done', outputs: [{ uri }] });
});

test('a picture that was made and then withheld may be billed', async () => {
  const moderation_details = { moderation_stage: 'output' };
  const error = {
    message: 'Blocked',
    type: 'image_generation_user_error',
    code: 'moderation_blocked',
    moderation_details,
  };
  const server = await serve({ speaks: ['openaiImages'], instead: () => reply(400, { error }) });
  const { gateway } = clientOf(server.url, { protocols: { image: 'openaiImages' } });
  expect(await gateway.submitImagine(PICTURE_REQUEST, SEND)).toMatchObject({ type: 'refused', billed: 'unknown' });
});

test('image tasks that worked stay, also while their side does not answer', async () => {
  const models = [{ id: 'p', supported_endpoint_types: ['image-generation'] }];
  const instead: FamilyServerOptions['instead'] = ({ path }) =>
    path.includes('/task/') ? reply(503, { error: { message: 'busy' } }) : undefined;
  const server = await serve({ speaks: ['openaiImages'], models, instead });
  const client = clientOf(server.url);
  await client.gateway.test();
  expect(client.memory.protocols).toBeUndefined();
});

test('a format of its own needs one object and nothing else', async () => {
  const own: VideoFamily = {
    name: 'ownVideos',
    label: 'Own videos',
    path: '/v2/clips',
    taskPath: '/v2/clips/{id}',
    lacks: () => [],
    body: ({ prompt }) => ({ body: { text: prompt }, omitted: [], sent: [prompt] }),
    match: () => ({ speaks: 'unknown' }),
  };
  const remove = registerVideoFamily(own);
  try {
    const answers: Record<string, object> = {
      '/v2/clips': { id: 'clip_7', status: 'queued' },
      '/v2/clips/clip_7': { id: 'clip_7', status: 'completed', url: 'https://cdn.example/clip.mp4' },
    };
    const server = await serve({ speaks: [], instead: ({ path }) => answers[path] && reply(200, answers[path]) });
    const { gateway } = clientOf(server.url, { protocols: { video: 'ownVideos' } });
    const submitted = await gateway.submitVideo(CLIP, SEND);
    expect(submitted.type).toBe('accepted');
    if (submitted.type !== 'accepted') return;
    expect(await gateway.poll(submitted.task)).toMatchObject({
      type: 'done',
      outputs: [{ uri: 'https://cdn.example/clip.mp4' }],
    });
  } finally {
    remove();
  }
});
