import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { RemoteTask } from '../../types.ts';

const serve = serversOfThisFile();
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
const imagine = { prompt: 'a hill --ar 16:9', mode: 'fast', hookUrl: 'http://127.0.0.1:9/hooks/j/s' } as const;
const task = (id: string): RemoteTask => ({ id, kind: 'image', acceptedAt: 0 });
const PNG = 'https://cdn.example/a.png';

async function maskFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mask-'));
  folders.push(folder);
  await writeFile(join(folder, 'mask.png'), 'PNG');
  return join(folder, 'mask.png');
}

test('imagine and edits go to the prefix with their bodies', async () => {
  const server = await serve((_request, socket) => socket.end(reply(200, '9007199254740993')));
  const { gateway } = clientOf(server.url, { imagePrefix: 'mj' });
  expect(await gateway.submitImagine(imagine, SEND)).toMatchObject({
    type: 'accepted',
    task: { id: '9007199254740993', kind: 'image' },
  });
  const edit = { baseTaskId: '98765432109876543210', maskPath: await maskFile(), prompt: 'a house', timeout: 300 };
  expect(await gateway.submitEdit(edit, SEND)).toMatchObject({ type: 'accepted' });
  expect(server.requests.map((got) => got.path)).toEqual(['/mj/submit/imagine', '/mj/submit/edits']);
  expect(server.requests.map((got) => JSON.parse(got.body))).toEqual([
    { ...imagine },
    { jobId: '98765432109876543210', mask: 'UE5H', prompt: 'a house', timeout: 300 },
  ]);
  expect(new Set(server.requests.map((got) => got.headers['idempotency-key'])).size, 'one key a body').toBe(2);
});

test('the name of the mask is changed after a definite no to it, once, and remembered', async () => {
  const server = await serve((request, socket) => {
    socket.end(
      'maskBase64' in JSON.parse(request.body)
        ? reply(200, { jobId: 'e-1' })
        : reply(200, { code: 4, description: 'maskBase64 is required' }),
    );
  });
  const client = clientOf(server.url);
  const edit = { baseTaskId: 'b-1', maskPath: await maskFile() };
  expect(await client.gateway.submitEdit(edit, SEND)).toMatchObject({ type: 'accepted', task: { id: 'e-1' } });
  await client.gateway.submitEdit(edit, SEND);
  expect(server.requests).toHaveLength(3);
  expect(client.memory.maskField).toBe('maskBase64');
});

test('an error that names the edited task names no new one', async () => {
  const server = await serve((_request, socket) =>
    socket.end(reply(500, { taskId: 'b-1', error: { message: 'Upstream busy.' } })),
  );
  const edit = { baseTaskId: 'b-1', maskPath: await maskFile() };
  const outcome = await clientOf(server.url).gateway.submitEdit(edit, SEND);
  expect(outcome).toMatchObject({ error: { accepted: 'unknown' } });
  expect(outcome).not.toHaveProperty('task');
});

describe('the spelling of the key header', () => {
  const spelt = { imageAuthHeaders: ['X-API-Key', 'Authorization', 'Acme-Key'] };
  const secrets = { apiKey: KEY, botToken: 'bot-token' };
  const headersOf = (got: { headers: Record<string, unknown> }[]) =>
    got.map(({ headers }) => [headers['x-api-key'], headers.authorization, headers['acme-key']]);
  const tries = [
    [KEY, 'Bot bot-token', undefined],
    [undefined, `Bearer ${KEY}`, undefined],
    [undefined, 'Bot bot-token', KEY],
  ];

  test('after a refusal the request is tried with the next one, and the accepted one is remembered', async () => {
    const server = await serve((request, socket) =>
      socket.end(
        request.headers['acme-key'] === KEY ? reply(200, { jobId: 'j-1' }) : reply(401, { message: 'no key' }),
      ),
    );
    const client = clientOf(server.url, spelt, secrets);
    expect(await client.gateway.submitImagine(imagine, SEND)).toMatchObject({ type: 'accepted' });
    expect(headersOf(server.requests)).toEqual(tries);
    expect(client.memory.imageAuthHeader).toBe('Acme-Key');
    await client.gateway.submitImagine(imagine, SEND);
    expect(server.requests).toHaveLength(4);
  });
});

test('fetch is a POST by the specification, and a GET where that is not known', async () => {
  const server = await serve((request, socket) =>
    socket.end(request.method === 'GET' ? reply(200, { status: 'SUCCESS', imageUrl: PNG }) : reply(405, '')),
  );
  const client = clientOf(server.url, { imagePrefix: 'mj' });
  expect(await client.gateway.poll(task('98765432109876543210'))).toEqual({
    type: 'done',
    outputs: [{ uri: PNG, role: 'output' }],
  });
  await client.gateway.poll(task('98765432109876543210'));
  expect(server.requests.map((got) => `${got.method} ${got.path}`)).toEqual(
    ['POST', 'GET', 'GET'].map((method) => `${method} /mj/task/98765432109876543210/fetch`),
  );
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ jobId: '98765432109876543210' });
  expect(client.memory.fetchMethod).toBe('GET');
});

/** Seen: new-api, where an address that it does not know with this method is the dashboard's page; a Spring service that names the method. */
test.each<[string, string]>([
  [
    "the dashboard's page",
    reply(200, '<!doctype html><html><body>Dashboard</body></html>', { 'content-type': 'text/html' }),
  ],
  ['an error with a good status', reply(200, { code: 500, msg: "Request method 'POST' is not supported" })],
])('a fetch by POST that is answered with %s is asked by GET, which is remembered', async (_name, refusal) => {
  const server = await serve((request, socket) =>
    socket.end(request.method === 'GET' ? reply(200, { status: 'SUCCESS', imageUrl: PNG }) : refusal),
  );
  const client = clientOf(server.url, { imagePrefix: 'mj' });
  for (const _ of [1, 2]) expect(await client.gateway.poll(task('j-1'))).toMatchObject({ type: 'done' });
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});

test.each<[string, string, string, string[]]>([
  ['at once', reply(200, { id: 'j-1', status: 'FAILURE', failReason: 'banned prompt' }), reply(403, {}), ['POST']],
  ['behind a page', reply(200, '<!doctype html>'), reply(200, { id: 'j-1', status: 'FAILURE' }), ['POST', 'GET']],
])('a failure that is told %s ends the task', async (_name, byPost, byGet, methods) => {
  const server = await serve(({ method }, socket) => socket.end(method === 'GET' ? byGet : byPost));
  const client = clientOf(server.url, { imagePrefix: 'mj' });
  expect(await client.gateway.poll(task('j-1'))).toMatchObject({ type: 'failed' });
  expect(server.requests.map(({ method }) => method)).toEqual(methods);
});

test('an empty answer to the other method teaches nothing', async () => {
  const server = await serve(({ method }, socket) =>
    socket.end(method === 'GET' ? reply(200, {}) : reply(200, { code: 500, message: 'upstream busy' })),
  );
  const client = clientOf(server.url, { imagePrefix: 'mj' });
  expect(await client.gateway.poll(task('j-1'))).toMatchObject({ type: 'unreachable' });
  expect(client.memory.fetchMethod).toBeUndefined();
});

test('an unknown task is asked for once, and its answer is believed', async () => {
  const server = await serve(({ method }, socket) =>
    socket.end(method === 'GET' ? reply(403, {}) : reply(200, { code: 4, description: 'task does not exist' })),
  );
  expect(await clientOf(server.url, { imagePrefix: 'mj' }).gateway.poll(task('j-1'))).toMatchObject({
    type: 'missing',
  });
  expect(server.requests).toHaveLength(1);
});

test('a page while the method is known is a fault of the moment', async () => {
  let isDown = false;
  const page = reply(200, '<!doctype html><html><body>Maintenance</body></html>', { 'content-type': 'text/html' });
  const server = await serve((_request, socket) =>
    socket.end(isDown ? page : reply(200, { jobId: 'j-1', status: 'RUNNING' })),
  );
  const client = clientOf(server.url, { imagePrefix: 'mj' });
  expect(await client.gateway.poll(task('j-1'))).toMatchObject({ type: 'running' });
  isDown = true;
  expect(await client.gateway.poll(task('j-1'))).toMatchObject({ type: 'unreachable' });
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
});
