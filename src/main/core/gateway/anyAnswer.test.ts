import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../test/helpers/gateway/client.ts';
import { deliver, deliveryOf, type Script } from '../../../../test/helpers/gateway/delivery.ts';
import { type RawServer, rawServer } from '../../../../test/helpers/gateway/rawServer.ts';

/** For any answer of a service, a submit and a poll return a value, and a request is sent once. */
let server: RawServer;
let script: Script = { body: '' };
let turn = 0;
beforeAll(async () => {
  server = await rawServer((_request, socket) => deliver(socket, deliveryOf(turn), script));
});
afterAll(() => server.close());

const NAMES =
  'id task_id jobId name status state done progress data result output response error code message description videos video url uri imageUrl images cdnImage choices content file_id urls'.split(
    ' ',
  );
const WORDS = [
  '',
  'not found',
  ...'SUCCESS FAILURE processing task_77 operations/x https://cdn.example/a.mp4 45%'.split(' '),
];
const body = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(...WORDS, null, true, false, 0, 1, 24, 200, 98765432109876543n.toString()),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('node'), { maxKeys: 5 }),
  ),
})).node;
const anything = fc.oneof(
  body.map((value) => JSON.stringify(value)),
  body.map((value) => JSON.stringify(value).slice(0, -1)),
  body.map((value) => `data: ${JSON.stringify(value)}\n\n`),
  fc.string(),
);
const status = fc.constantFrom(200, 200, 200, 201, 202, 400, 404, 422, 500, 503);

const SUBMITTED = ['accepted', 'done', 'refused', 'unknown'];
const POLLED = ['running', 'done', 'failed', 'missing', 'unreachable'];

test('any answer to a submit or a poll becomes a value', async () => {
  await fc.assert(
    fc.asyncProperty(anything, status, async (text, code) => {
      script = { status: code, body: text };
      turn += 1;
      const { gateway } = clientOf(server.url, {}, { apiKey: KEY }, { videoPollPath: '/v1/tasks/{id}' });
      const before = server.requests.length;
      const order = { model: 'v', prompt: 'a hill', config: { durationSeconds: 4 } } as const;
      expect(SUBMITTED).toContain((await gateway.submitVideo(order, SEND)).type);
      expect(SUBMITTED).toContain((await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND)).type);
      expect(server.requests.length - before).toBe(2);
      for (const kind of ['video', 'image'] as const) {
        expect(POLLED).toContain((await gateway.poll({ id: 'task_77', kind, acceptedAt: 0 })).type);
      }
      await gateway.close();
    }),
    { numRuns: 60 },
  );
});
