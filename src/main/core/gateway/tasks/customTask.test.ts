import { expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ParsedTask } from '../types.ts';

const serve = serversOfThisFile();

test('a kind with a wire form of its own parses the whole answer, though it lists several tasks', async () => {
  const tasks = ['t-1', 't-2'].map((id) => ({ id, url: `https://cdn.example/${id}.wav` }));
  const server = await serve((_request, socket) => socket.end(reply(200, { tasks })));
  const { gateway } = clientOf(server.url);
  const parse = (answer: unknown): ParsedTask => {
    const [first] = (answer as { tasks?: typeof tasks }).tasks ?? [];
    return first ? { state: 'succeeded', outputs: [{ uri: first.url, role: 'output' }] } : { state: undefined };
  };
  const call = { path: (id: string) => `/v1/speech/${id}` as const, parse };
  const outcome = await gateway.poll({ id: 't-1', kind: 'task', acceptedAt: 0 }, undefined, call);
  expect(outcome).toMatchObject({ type: 'done', outputs: [{ uri: 'https://cdn.example/t-1.wav' }] });
});

test.each([
  ['an error', { code: 500, msg: 'System busy, please retry later' }],
  ['an error object', { error: { message: 'Upstream unavailable', code: 'internal_error' } }],
])('%s in a good status is the failure of the poll: the task is not unknown', async (_name, answer) => {
  const server = await serve((_request, socket) => socket.end(reply(200, answer)));
  const { gateway } = clientOf(server.url);
  const call = { path: (id: string) => `/v1/speech/${id}` as const, parse: (): ParsedTask => ({ state: undefined }) };
  const outcome = await gateway.poll({ id: 't-1', kind: 'task', acceptedAt: 0 }, undefined, call);
  expect(outcome).toMatchObject({ type: 'unreachable' });
});

test('an error in a good status that says that the task is unknown is believed', async () => {
  const server = await serve((_request, socket) => socket.end(reply(200, { code: 404, message: 'Task not found' })));
  const { gateway } = clientOf(server.url);
  const call = { path: (id: string) => `/v1/speech/${id}` as const, parse: (): ParsedTask => ({ state: undefined }) };
  expect(await gateway.poll({ id: 't-1', kind: 'task', acceptedAt: 0 }, undefined, call)).toMatchObject({
    type: 'missing',
  });
});
