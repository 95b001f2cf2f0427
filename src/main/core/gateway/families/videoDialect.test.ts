import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { type RawServer, reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { Gateway, VideoSubmitRequest } from '../types.ts';

/** The first request finds out what the specification leaves open about video options, and is not lost for it. */

const serve = serversOfThisFile();
const order: VideoSubmitRequest = { model: 'video-pro', prompt: 'a storm', config: { durationSeconds: 8, seed: 7 } };
const refusal = (message: string, type = 'invalid_request_error') => ({ error: { message, type } });

interface Body {
  extra_body: Record<string, { config?: Record<string, unknown>; seed?: number }>;
}

/** Accepts one spelling, and refuses every other field by its name, one at a time. */
const strict = (vendor: string, length: string, seedBeside: boolean): Promise<RawServer> =>
  serve(({ body }, socket) => {
    const { extra_body: extra } = JSON.parse(body) as Body;
    const [name = ''] = Object.keys(extra);
    const options = extra[name] ?? {};
    const config = options.config ?? {};
    const unknown = Object.keys(config).find((field) => field !== length && field !== 'seed');
    const serviceError =
      name !== vendor
        ? `extra_body.${name}: is not known here: this service's options are in extra_body.${vendor}`
        : unknown
          ? `extra_body.${vendor}.config.${unknown}: Extra inputs are not permitted`
          : seedBeside === 'seed' in config
            ? 'Unknown parameter: seed'
            : undefined;
    socket.end(
      serviceError
        ? reply(400, refusal(serviceError))
        : reply(200, { id: 'task_1', status: 'queued', object: 'video' }),
    );
  });

test('vendor, spelling and the place of the seed are learned from refusals, and remembered', async () => {
  const server = await strict('acme', 'duration_seconds', true);
  const client = clientOf(server.url);
  const { gateway } = client;
  expect(await gateway.submitVideo(order, SEND)).toMatchObject({ type: 'accepted', task: { id: 'task_1' } });
  expect(server.requests).toHaveLength(4);
  expect(
    new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size,
    'each body is its own order',
  ).toBe(4);
  expect(client.memory.videoDialect).toMatchObject({ vendor: 'acme', fieldCase: 'snake', seedPlacement: 'beside' });
  await gateway.submitVideo(order, SEND);
  expect(server.requests, 'the next order is taken at once').toHaveLength(5);
  expect(server.requests[4]?.headers['idempotency-key']).toBe(server.requests[3]?.headers['idempotency-key']);
});

/** The same service, which lists its models too. */
const listing = async (inner: RawServer): Promise<RawServer> =>
  serve(async (request, socket) => {
    if (request.path === '/v1/models') return socket.end(reply(200, { data: [{ id: 'video-pro' }] }));
    if (request.method === 'GET' || request.path.includes('/fetch'))
      return socket.end(reply(404, { message: 'no such task' }));
    const answer = await fetch(inner.url + request.path, { method: 'POST', body: request.body });
    socket.end(reply(answer.status, (await answer.json()) as object));
  });

const MODELS = { models: [{ id: 'video-pro', kind: 'video' }] };

describe('a test of a service', () => {
  const protocolOf = async ({ gateway }: { gateway: Gateway }) => {
    const { steps } = await gateway.test();
    expect(steps.every(({ ok }) => ok)).toBe(true);
    return steps.find(({ name }) => name === 'protocol');
  };

  test('says that vendor name and spelling are untried, until an order was taken in them', async () => {
    const strictOne = await strict('acme', 'duration_seconds', true);
    const server = await listing(strictOne);
    const client = clientOf(server.url, MODELS);
    expect((await protocolOf(client))?.untried).toMatch(/first job/);
    expect(strictOne.requests, 'nothing is ordered by a test').toHaveLength(0);
    expect(await client.gateway.submitVideo(order, SEND)).toMatchObject({ type: 'accepted' });
    expect(await protocolOf(client)).toEqual({
      name: 'protocol',
      ok: true,
      message: expect.stringMatching(/worked before/),
      ms: expect.any(Number),
    });
  });

  test('knows also that the form of the profile itself was taken, and not that of another form or refusal', async () => {
    const server = await listing(await strict('vendor', 'durationSeconds', false));
    const client = clientOf(server.url, MODELS);
    await client.gateway.submitVideo({ ...order, config: { durationSeconds: 8, fps: 24 } }, SEND);
    expect((await protocolOf(client))?.untried).toBeDefined();
    await client.gateway.submitVideo(order, SEND);
    expect((await protocolOf(client))?.untried).toBeUndefined();
    const memory = { ...client.memory };
    const changed = clientOf(server.url, { ...MODELS, fieldCase: 'snake' }, undefined, memory);
    expect((await protocolOf(changed))?.untried).toBeDefined();
  });

  test('says nothing of it where no model makes videos', async () => {
    const server = await listing(await strict('acme', 'duration_seconds', true));
    const models = [{ id: 'video-pro', kind: 'chat' }];
    expect((await protocolOf(clientOf(server.url, { models })))?.untried).toBeUndefined();
  });
});

test('a later change of the profile counts again', async () => {
  const server = await strict('acme', 'durationSeconds', false);
  const first = clientOf(server.url, { vendor: 'wrong' });
  await first.gateway.submitVideo(order, SEND);
  const known = first.memory.videoDialect;
  expect(known).toMatchObject({ vendor: 'acme' });
  const second = clientOf(server.url, { vendor: 'other' }, undefined, { videoDialect: known });
  await second.gateway.submitVideo(order, SEND);
  const names = server.requests.map(({ body }) => Object.keys((JSON.parse(body) as Body).extra_body)[0]);
  expect(names).toEqual(['wrong', 'acme', 'other', 'acme']);
});

test.each([
  ['a rule about a field that is known', 400, 'config.durationSeconds: must be 4, 6 or 8'],
  ['a rule about the seed', 422, 'seed must be an unsigned 32-bit integer'],
  ['a value that is not made', 400, 'aspectRatio 1:1 is not supported'],
  ['a field that this model does not have', 400, 'lastFrame is not supported by this model'],
  ['a field that may not be used here', 422, 'generateAudio: not allowed for your plan'],
  ['a value beside a seed', 400, 'seed is not permitted with references'],
  ['a rule about a field of ours, named by its place', 400, 'extra_body.image is required for this model'],
  ['a rule about a field of config, beside it', 400, 'extra_body.resolution must be 720p or 1080p'],
  ['a rule about the number', 400, 'extra_body.numberOfVideos must be 1'],
  ['a rule deep in our fields', 400, 'Invalid request: extra_body.config.durationSeconds must be 5 or 10'],
  ['words of the prompt', 400, 'prompt: unknown character'],
  ['a fault behind the service, which may have begun', 500, 'extra_body.vendor is not known here, see extra_body.acme'],
  ['a limit', 429, 'extra_body.acme: slow down'],
  ['a key', 401, 'extra_body.acme is for members only'],
])('%s is no question of spelling: the order is sent once', async (_, status, message) => {
  const server = await serve((_request, socket) =>
    socket.end(reply(status, refusal(message, status === 500 ? 'server_error' : undefined))),
  );
  expect((await clientOf(server.url).gateway.submitVideo(order, SEND)).type).not.toBe('accepted');
  expect(server.requests).toHaveLength(1);
});

test('a service that refuses every spelling is sent four requests at most', async () => {
  let count = 0;
  const server = await serve((_request, socket) => {
    count += 1;
    socket.end(reply(400, refusal(`extra_body.x is not known: use extra_body.name${count}`)));
  });
  expect((await clientOf(server.url).gateway.submitVideo(order, SEND)).type).toBe('refused');
  expect(server.requests).toHaveLength(4);
});

test('a spelling whose answer was lost is not remembered', async () => {
  const server = await serve(({ body }, socket) => {
    const [name] = Object.keys((JSON.parse(body) as Body).extra_body);
    if (name === 'acme') socket.resetAndDestroy();
    else socket.end(reply(400, refusal(`extra_body.${name} is not known here, see extra_body.acme`)));
  });
  const client = clientOf(server.url);
  expect((await client.gateway.submitVideo(order, SEND)).type).toBe('unknown');
  expect(client.memory.videoDialect).toBeUndefined();
});

describe('a picture that goes by link', () => {
  const file = join(tmpdir(), `dailies-picture-${process.pid}.png`);
  beforeAll(() => writeFile(file, 'PNG'));
  afterAll(() => rm(file, { force: true }));
  const picture = { uri: 'https://cdn.example/a.png', file: { path: file, mime: 'image/png' } };
  const uriIn = (body: string): string =>
    (JSON.parse(body) as { extra_body: { vendor: { image: { uri: string } } } }).extra_body.vendor.image.uri;
  const refusing = (message: string, isRefused: (uri: string) => boolean) =>
    serve(({ body }, socket) => {
      socket.end(
        isRefused(uriIn(body))
          ? reply(400, refusal(message))
          : reply(200, { id: 'task_1', status: 'queued', object: 'video' }),
      );
    });

  test('goes as its bytes once the link is definitely refused, and the service is remembered for it', async () => {
    const server = await refusing('image.uri could not be fetched', (uri) => uri.startsWith('https:'));
    const client = clientOf(server.url);
    expect(await client.gateway.submitVideo({ ...order, image: picture }, SEND)).toMatchObject({ type: 'accepted' });
    expect(server.requests.map(({ body }) => uriIn(body))).toEqual([picture.uri, 'data:image/png;base64,UE5H']);
    await client.gateway.submitVideo({ ...order, image: picture }, SEND);
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    ['the refusal is about something else', 'The prompt is too long', picture],
    ['there are no bytes to send instead', 'image.uri could not be fetched', { uri: picture.uri }],
  ])('is not sent again where %s', async (_, message, image) => {
    const server = await refusing(message, () => true);
    const answer = await clientOf(server.url).gateway.submitVideo({ ...order, image }, SEND);
    expect([answer.type, server.requests.length]).toEqual(['refused', 1]);
  });
});

test('the place of the candidates is learned by itself, and remembered', async () => {
  const server = await serve(({ body }, socket) => {
    const { extra_body: extra } = JSON.parse(body) as Body;
    const config = extra.acme?.config ?? {};
    const answer =
      'sampleCount' in config || !('seed' in config)
        ? reply(400, refusal(`Unknown parameter: ${'sampleCount' in config ? 'sampleCount' : 'seed beside config'}`))
        : reply(200, { id: 'task_1', status: 'queued', object: 'video' });
    socket.end(answer);
  });
  const client = clientOf(server.url, { vendor: 'acme' });
  const candidates = { ...order, config: { ...order.config, sampleCount: 2 } };
  expect(await client.gateway.submitVideo(candidates, SEND)).toMatchObject({ type: 'accepted' });
  expect(server.requests).toHaveLength(2);
  expect(client.memory.videoDialect).toMatchObject({ seedPlacement: 'config', samplePlacement: 'beside' });
  await client.gateway.submitVideo(candidates, SEND);
  expect(server.requests).toHaveLength(3);
});
