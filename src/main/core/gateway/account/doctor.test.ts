import { expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { type ReceivedRequest, reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';

/** What a connection test finds besides its steps: the image side, the clock, models that are not listed, and the dialect. */

const serve = serversOfThisFile();

const keyed = ({ headers }: ReceivedRequest): boolean => headers.authorization === `Bearer ${KEY}`;
const LIST = { object: 'list', data: [{ id: 'm-1' }] };
const checkOf = ({ checks = [] }: ConnectionTest, name: string) => checks.find((check) => check.name === name);

/** A service that takes the key for chat as Bearer, and for pictures under `imageHeader` only. */
async function gateway(imageHeader: string, date?: string) {
  return serve((request, socket) => {
    if (request.path === '/v1/models') {
      const answer = keyed(request) ? reply(200, LIST) : reply(401, { error: { message: 'no key' } });
      socket.write(date === undefined ? answer : answer.replace('\r\n', `\r\nDate: ${date}\r\n`));
      return;
    }
    if (!request.path.includes('/task/')) return void socket.write(reply(404, { error: { message: 'not here' } }));
    const taken = request.headers[imageHeader.toLowerCase()] === KEY;
    socket.write(taken ? reply(200, '') : reply(401, { error: { message: 'Invalid key' } }));
  });
}

test('the image side refuses the key that the chat side takes; other names are tried unbilled', async () => {
  const server = await gateway('api-key');
  const { gateway: client } = clientOf(server.url, {
    models: [{ id: 'm-1', kind: 'chat' }],
    imageAuthHeaders: ['X-API-Key'],
  });
  const tested = await client.test();
  expect(tested.steps.every(({ ok }) => ok)).toBe(true);
  expect(checkOf(tested, 'images')).toMatchObject({
    ok: false,
    message: 'The image endpoints refuse the key.',
  });
  expect(tested.untriedHeaders).toEqual(['Authorization', 'api-key', 'IMAGE-API-KEY', 'IMAGE-KEY']);
  expect(await client.tryImageHeaders(tested.untriedHeaders ?? [])).toBe('api-key');
  const tried = server.requests.filter(({ path }) => path.includes('/task/'));
  // Each alone: two spellings of one key in one request clash at some services.
  for (const { headers } of tried)
    expect(['x-api-key', 'authorization', 'api-key'].filter((name) => headers[name]?.includes(KEY))).toHaveLength(1);
  expect(server.requests.every(({ path }) => !/completions|submit/.test(path))).toBe(true);
  expect(JSON.stringify(tested)).not.toContain(KEY);
});

test('no other name is taken', async () => {
  const server = await gateway('another');
  const { gateway: client } = clientOf(server.url, { models: [] });
  expect(await client.tryImageHeaders(['api-key'])).toBeUndefined();
});

test.each([
  ['Thu, 01 Jan 1970 00:00:00 GMT', false, /clock is \d+ min off/],
  ['not a time', true, /^Not stated/],
  [undefined, true, /^Not stated/],
])('a clock that says %s', async (date, ok, message) => {
  const server = await gateway('x-api-key', date);
  const tested = await clientOf(server.url, { models: [] }).gateway.test();
  expect(checkOf(tested, 'clock')).toMatchObject({ ok, message: expect.stringMatching(message) });
});

test('a model that is not listed is named apart', async () => {
  const server = await gateway('x-api-key');
  const models = [
    { id: 'm-1', kind: 'chat' },
    { id: 'video-pro', kind: 'video' },
  ];
  expect((await clientOf(server.url, { models }).gateway.test()).missing).toEqual(['video-pro']);
});

test('what a refusal says of the dialect: what it was, what it is now, and by what it was found', async () => {
  const server = await serve(({ body }, socket) => {
    const isTaken = body.includes('"acme"');
    const message = 'extra_body.vendor is not known here, see extra_body.acme';
    socket.write(isTaken ? reply(200, { id: 'task_1', status: 'queued' }) : reply(400, { error: { message } }));
  });
  const { gateway: client } = clientOf(server.url);
  expect(client.found()).toEqual([]);
  await client.submitVideo({ model: 'm-1', prompt: 'a hill', config: { durationSeconds: 4 } }, SEND);
  const setting = { setting: 'API format name', was: 'vendor', now: 'acme', by: 'refused', how: 'Worked before' };
  expect(client.found()).toEqual([{ ...setting, at: expect.any(Number) }]);
});
