import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { type RawServer, type ReceivedRequest, reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ChatOutcome, Gateway, SendOptions, SubmitOutcome } from '../types.ts';

/**
 * A definite no to the spelling of a request is followed by the same request in another spelling, in the same way for every kind of
 * request.
 */

const serve = serversOfThisFile();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dailies-spelling-'));
  await writeFile(join(folder, 'mask.png'), 'mask');
});
afterAll(() => rm(folder, { recursive: true }));

interface Way {
  name: string;
  order(gateway: Gateway, send: SendOptions): Promise<SubmitOutcome | ChatOutcome>;
  /** The refusal of the first spelling; undefined if the spelling is accepted. */
  refusal(request: ReceivedRequest): string | undefined;
  good: object;
}

const invalid = (message: string): string => reply(400, { error: { message, type: 'invalid_request_error' } });

const WAYS: Way[] = [
  {
    name: 'the usage of a stream',
    order: (gateway, send) =>
      gateway.chat(
        { model: 'm', messages: [{ role: 'user', content: 'a tide' }], stream: true },
        send,
        () => undefined,
      ),
    refusal: ({ body }) => (body.includes('stream_options') ? invalid('Unknown parameter: stream_options') : undefined),
    good: { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
  },
  {
    name: 'the spelling of a video',
    order: (gateway, send) =>
      gateway.submitVideo({ model: 'v', prompt: 'a tide', config: { durationSeconds: 8 } }, send),
    refusal: ({ body }) => (body.includes('durationSeconds') ? invalid('Unknown field: durationSeconds') : undefined),
    good: { id: 'task_1', status: 'queued', object: 'video' },
  },
  {
    name: 'the field of a mask',
    order: (gateway, send) => gateway.submitEdit({ baseTaskId: 'b-1', maskPath: join(folder, 'mask.png') }, send),
    refusal: ({ body }) => (body.includes('maskBase64') ? undefined : invalid('maskBase64 is required')),
    good: { jobId: 'e-1' },
  },
  {
    name: 'the header of the key',
    order: (gateway, send) => gateway.submitImagine({ prompt: 'a tide', mode: 'fast' }, send),
    refusal: ({ headers }) => (headers['acme-key'] === undefined ? reply(401, { message: 'no key' }) : undefined),
    good: { jobId: 'i-1' },
  },
];
const SPELT = { imageAuthHeaders: ['X-API-Key', 'Acme-Key'] };
const paidRequests = ({ requests }: RawServer): ReceivedRequest[] =>
  requests.filter(({ path }) => !path.includes('/fetch'));

describe.each(WAYS)('$name', ({ order, refusal, good }) => {
  /** Honours idempotency keys like most services that support them: the same key with another body is a conflict. */
  const honouring = (): Promise<RawServer> => {
    const bodies = new Map<string, string>();
    return serve((request, socket) => {
      const key = request.headers['idempotency-key'];
      const known = key === undefined ? undefined : bodies.get(key);
      if (key !== undefined) bodies.set(key, request.body);
      if (known !== undefined && known !== request.body)
        return socket.write(reply(409, { error: { code: 'idempotency_key_reused', message: 'another body' } }));
      return socket.write(refusal(request) ?? reply(200, good));
    });
  };

  test('a service that honours keys accepts the second spelling, and every later request under its own key', async () => {
    const server = await honouring();
    const { gateway } = clientOf(server.url, SPELT);
    for (const turn of ['first', 'again'])
      expect(['accepted', 'done', 'answered'], turn).toContain((await order(gateway, SEND)).type);
    const keys = new Map(paidRequests(server).map(({ headers, body }) => [headers['idempotency-key'], body]));
    const told = paidRequests(server).map(({ headers, body }) => keys.get(headers['idempotency-key']) === body);
    expect(told.every(Boolean), 'one key a body').toBe(true);
    const bodies = new Set(paidRequests(server).map(({ body }) => body));
    expect(keys.size, 'one body a key').toBe(bodies.size);
    expect([...keys.keys()].every((key) => key?.startsWith(SEND.idempotencyKey))).toBe(true);
    expect(paidRequests(server), 'what was taken is remembered').toHaveLength(3);
  });

  test('the same request keeps its key over every attempt', async () => {
    const server = await serve((_request, socket) => socket.write(reply(429, {})));
    for (const _turn of [1, 2]) {
      const { gateway } = clientOf(server.url, SPELT);
      await order(gateway, SEND);
    }
    expect(paidRequests(server)).toHaveLength(2);
    expect(new Set(paidRequests(server).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('a request that was canceled after the refusal is not sent again', async () => {
    const server = await honouring();
    const { gateway } = clientOf(server.url, SPELT);
    const outcome = await order(gateway, { ...SEND, mayRetry: () => false });
    expect(outcome).toMatchObject({ type: 'refused', error: { accepted: 'no' } });
    expect(paidRequests(server)).toHaveLength(1);
  });

  test.each([
    ['says that the order may be known already', 'ALREADY_EXISTS'],
    ['comes from behind the order', 524],
  ])('a refusal that %s is no definite no: the order is sent once', async (_name, code) => {
    const server = await serve((request, socket) => {
      const whole = refusal(request) ?? '';
      const body = JSON.parse(whole.slice(whole.indexOf('\r\n\r\n') + 4) || '{}') as { error?: object };
      const status = Number(/ (\d{3}) /.exec(whole)?.[1] ?? 400);
      socket.write(reply(status, { ...body, error: { message: 'Unknown', ...body.error, code } }));
    });
    const { gateway } = clientOf(server.url, SPELT);
    expect(await order(gateway, SEND)).toMatchObject({ error: { accepted: 'unknown' } });
    expect(paidRequests(server)).toHaveLength(1);
  });

  test('a service that refuses every spelling is sent a few requests, and the last refusal counts', async () => {
    const server = await serve((request, socket) => {
      socket.write(refusal(request) ?? invalid('Unknown parameter: everything'));
    });
    const { gateway } = clientOf(server.url, SPELT);
    expect(await order(gateway, SEND)).toMatchObject({ type: 'refused', error: { accepted: 'no', kind: 'invalid' } });
    expect(paidRequests(server)).toHaveLength(2);
  });
});

test('the webhook address does not change the idempotency key', async () => {
  const server = await serve((_request, socket) => socket.write(reply(429, {})));
  for (const hookUrl of ['http://127.0.0.1:1/hooks/j/s', 'https://tunnel.example/hooks/j/s']) {
    await clientOf(server.url).gateway.submitImagine({ prompt: 'a tide', mode: 'fast', hookUrl }, SEND);
  }
  expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});
