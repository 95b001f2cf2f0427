import { expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';

const serve = serversOfThisFile();
const serving = (body: object) => serve((_request, socket) => socket.write(reply(200, body)));

test('the record of a generation states its cost, on the profile’s own host and for that id only', async () => {
  const id = 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG';
  const record = { id, total_cost: 0.0015, usage: 0.0015, is_byok: false, tokens_prompt: 10 };
  const server = await serving({ data: record });
  const { gateway } = clientOf(server.url);
  expect(await gateway.recordedCost(id)).toEqual({ by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 });
  expect(server.requests[0]).toMatchObject({ method: 'GET', path: `/v1/generation?id=${id}` });
  expect(await gateway.recordedCost('gen-another-one')).toBeUndefined();
  expect(await gateway.recordedCost('chatcmpl-1')).toBeUndefined();
  expect(server.requests).toHaveLength(2);
  const byok = await serving({ data: { ...record, total_cost: 0, is_byok: true } });
  expect(await clientOf(byok.url).gateway.recordedCost(id)).toMatchObject({ nano: 0, part: true });
  const failed = await serving({ success: false, message: 'no output', data: record });
  expect(await clientOf(failed.url).gateway.recordedCost(id)).toMatchObject({ nano: 1_500_000 });
  const none = await serve((_request, socket) => socket.write(reply(404, { error: { message: 'not found' } })));
  expect(await clientOf(none.url).gateway.recordedCost(id)).toBeUndefined();
});
