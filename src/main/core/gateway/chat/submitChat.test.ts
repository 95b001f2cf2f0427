import { expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { chunk, STREAM_END, STREAM_HEAD } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import type { ChatDelta, ChatSubmitRequest } from '../types.ts';

const serve = serversOfThisFile();

const order = (stream: boolean): ChatSubmitRequest => ({
  model: 'language',
  messages: [{ role: 'user', content: 'Hi' }],
  stream,
});
const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
const piece = (content: string): string => event({ id: 'chatcmpl-1', choices: [{ index: 0, delta: { content } }] });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

test('a streamed answer is emitted as it arrives and ends with its usage', async () => {
  const server = await serve((_request, socket) => {
    const usage = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } });
    socket.write(STREAM_HEAD);
    for (const part of [piece('Hel'), ': keep-alive\n\n', piece('lo'), finish, usage, 'data: [DONE]\n\n'])
      socket.write(chunk(part));
    socket.write(STREAM_END);
  });
  const deltas: ChatDelta[] = [];
  const outcome = await clientOf(server.url).gateway.chat(order(true), SEND, (delta) => deltas.push(delta));
  expect(outcome).toEqual({
    type: 'answered',
    complete: true,
    remoteId: 'chatcmpl-1',
    result: { text: 'Hello', finishReason: 'stop', usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 } },
  });
  expect(deltas.map((delta) => delta.text)).toEqual(['Hel', 'lo']);
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': expect.stringMatching(/^order-1-[0-9a-f]{16}$/) },
  });
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('a service that keeps the connection open after [DONE] is not waited for', async () => {
  const server = await serve((_request, socket) =>
    socket.write(Buffer.concat([Buffer.from(STREAM_HEAD), chunk(`${piece('Hi')}data: [DONE]\n\n`)])),
  );
  const outcome = await clientOf(server.url).gateway.chat(order(true), SEND, () => undefined);
  expect(outcome).toMatchObject({ type: 'answered', complete: true, result: { text: 'Hi', finishReason: 'stop' } });
});

test('a stream that goes silent ends by the idle limit, which any byte restarts', async () => {
  let socketOf: import('node:net').Socket | undefined;
  const server = await serve((_request, socket) => {
    socketOf = socket;
    socket.write(Buffer.concat([Buffer.from(STREAM_HEAD), chunk(piece('Hel'))]));
  });
  const { gateway, clock } = clientOf(server.url);
  let heard = (): void => undefined;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      heard = resolve;
    });
  const first = next();
  const running = gateway.chat(order(true), SEND, () => heard());
  await first;
  clock.advance(100_000);
  const second = next();
  socketOf?.write(chunk(piece('lo')));
  await second;
  clock.advance(100_000);
  await settle();
  clock.advance(21_000);
  expect(await running).toMatchObject({
    type: 'answered',
    complete: false,
    result: { text: 'Hello' },
    error: { kind: 'timeout' },
  });
});

test('a picture that cannot be read refuses the request before it is sent', async () => {
  const server = await serve(() => undefined);
  const pictures = [{ path: '/nowhere/a.png', mime: 'image/png' }];
  const request = { ...order(false), messages: [{ role: 'user' as const, content: 'Hi', pictures }] };
  expect(await clientOf(server.url).gateway.chat(request, SEND, () => undefined)).toMatchObject({
    type: 'refused',
    billed: 'no',
    error: { accepted: 'no', message: expect.stringContaining('cannot be read from disk') },
  });
  expect(server.requests).toEqual([]);
});
