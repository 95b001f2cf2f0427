import { expect, test } from 'vitest';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import { clientOf, KEY, SEND } from '../testing/client.ts';
import { chunk, reply, STREAM_END, STREAM_HEAD } from '../testing/rawServer.ts';
import { serversOfThisFile } from '../testing/serversOfThisFile.ts';
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

test('JSON in answer to a stream request, and a stream in answer to a plain one', async () => {
  const server = await serve((request, socket) => {
    const streamed = Buffer.concat([
      Buffer.from(STREAM_HEAD),
      chunk(piece('Hi')),
      chunk(finish),
      Buffer.from(STREAM_END),
    ]);
    const json = reply(
      200,
      { id: 'x', choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
      { 'content-type': 'text/event-stream' },
    );
    socket.write(request.body.includes('"stream":true') ? json : streamed);
  });
  const { gateway } = clientOf(server.url);
  for (const stream of [true, false]) {
    let text = '';
    const outcome = await gateway.chat(order(stream), SEND, (delta) => {
      text += delta.text;
    });
    expect(outcome).toMatchObject({ type: 'answered', complete: true, result: { text: 'Hi' } });
    expect(text).toBe('Hi');
  }
});

test('a stream that is reset keeps its text and is marked as truncated', async () => {
  const server = await serve((_request, socket) => {
    socket.write(Buffer.concat([Buffer.from(STREAM_HEAD), chunk(piece('Hel'))]), () =>
      setImmediate(() => socket.resetAndDestroy()),
    );
  });
  const outcome = await clientOf(server.url).gateway.chat(order(true), SEND, () => undefined);
  expect(outcome).toMatchObject({
    type: 'answered',
    complete: false,
    result: { text: 'Hel', finishReason: 'cut' },
    error: { kind: 'network', accepted: 'yes' },
  });
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

test('the field that asks for usage is left out once a service has refused it', async () => {
  const server = await serve((request, socket) => {
    const refused = reply(422, {
      detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
    });
    socket.write(
      request.body.includes('stream_options') ? refused : reply(200, { choices: [{ message: { content: 'ok' } }] }),
    );
  });
  const { gateway, ...client } = clientOf(server.url);
  expect(await gateway.chat(order(true), SEND, () => undefined)).toMatchObject({
    type: 'answered',
    result: { text: 'ok' },
  });
  expect(await gateway.chat(order(true), SEND, () => undefined)).toMatchObject({ type: 'answered' });
  expect(server.requests.map((got) => got.body.includes('stream_options'))).toEqual([true, false, false]);
  expect(client).toBeDefined();
});

const CALLED: ChatSubmitRequest['messages'] = [
  { role: 'user', content: 'A shot' },
  { role: 'assistant', content: 'One shot.', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
  { role: 'tool', content: '{}', toolCallId: 'a' },
];
const THINKING = 'The reasoning_content in the thinking mode must be passed back to the API.';
const SIGNING = 'Unable to submit request because Function call is missing a thought_signature in functionCall parts.';
const GROQ =
  "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]";

/** A service that refuses calls of another model in this manner, and answers without them. */
const refusingCalls = (message: string) =>
  serve((request, socket) => {
    const refusal = reply(400, { error: { message, type: 'invalid_request_error' } });
    const answer = reply(200, { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] });
    socket.write(request.body.includes('tool_calls') ? refusal : answer);
  });

/** Bug: each later message of a branch was refused whose calls another model made. */
test.each([
  ['DeepSeek', THINKING],
  ['Kimi', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'],
  ['Gemini', SIGNING],
  ['Groq', GROQ],
  ['a service that takes no field of Gemini', "property 'extra_content' is unsupported"],
])('%s refuses the calls of another model: it is sent the words alone, and its tools', async (_name, message) => {
  const server = await refusingCalls(message);
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const messages = [...CALLED, { role: 'user' as const, content: 'Shorter' }];
  const { gateway } = clientOf(server.url);
  for (const _ of [1, 2])
    expect(await gateway.chat({ ...order(true), messages, tools }, SEND, () => undefined)).toMatchObject({
      type: 'answered',
      result: { text: 'ok' },
    });
  const sent = server.requests.map(({ body }) => JSON.parse(body));
  expect(sent.map((body) => body.messages.length)).toEqual([4, 3, 4, 3]);
  expect(sent[1]).toMatchObject({
    messages: [
      { role: 'user', content: 'A shot' },
      { role: 'assistant', content: 'One shot.' },
      { role: 'user', content: 'Shorter' },
    ],
    tools,
    stream_options: { include_usage: true },
  });
});

/** Bug: the calls went with the thoughts: the model no longer knew what it had read and drafted, and its results could not be asked about. */
test.each([
  ['Groq takes no reasoning', GROQ, { reasoning: 'Well.', toolCalls: CALLED[1]?.toolCalls }],
  [
    'a service takes no signature',
    "property 'extra_content' is unsupported",
    { toolCalls: [{ id: 'a', name: 'f', arguments: '{}', thoughtSignature: 'c2ln' }] },
  ],
])('%s: it is sent the calls and their results without it', async (_name, message, thoughts) => {
  const server = await serve((request, socket) => {
    const refusal = reply(400, { error: { message, type: 'invalid_request_error' } });
    const answer = reply(200, { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] });
    socket.write(/reasoning_content|extra_content/.test(request.body) ? refusal : answer);
  });
  const [question, called, result] = CALLED;
  if (!question || !called || !result) throw new Error('no calls');
  const messages = [question, { ...called, ...thoughts }, result];
  expect(await clientOf(server.url).gateway.chat({ ...order(true), messages }, SEND, () => undefined)).toMatchObject({
    type: 'answered',
    result: { text: 'ok' },
  });
  const sent = server.requests.map(({ body }) => JSON.parse(body).messages);
  expect(sent.map(({ length }) => length)).toEqual([3, 3]);
  expect(sent[1][1].tool_calls).toHaveLength(1);
});

/** The id of a call of Gemini behind LiteLLM. */
const signed = (name: string): string => `call_${name}__thought__${'c2lnbmF0dXJl+/'.repeat(70)}==`;
const LONG_IDS: ChatSubmitRequest['messages'] = [
  { role: 'user', content: 'Two shots' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: signed('a'), name: 'f', arguments: '{}' },
      { id: signed('b'), name: 'f', arguments: '{}' },
    ],
  },
  { role: 'tool', content: '{}', toolCallId: signed('a') },
  { role: 'tool', content: '{}', toolCallId: signed('b') },
];
const idsIn = (body: string): string[] =>
  JSON.parse(body).messages.flatMap(
    ({ tool_calls = [], tool_call_id }: { tool_calls: { id: string }[]; tool_call_id?: string }) => [
      ...tool_calls.map(({ id }) => id),
      ...(tool_call_id === undefined ? [] : [tool_call_id]),
    ],
  );

/** Bug: each later message of a branch was refused whose calls another model had named. */
test.each([
  [
    'OpenAI',
    /^.{1,40}$/,
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 1001 instead.",
  ],
  [
    'OpenAI behind LiteLLM',
    /^.{1,40}$/,
    "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 1001 instead.",
  ],
  [
    'Mistral',
    /^[a-zA-Z0-9]{9}$/,
    'Tool call id was call_a__thought__c2lnbmF0dXJl but must be a-z, A-Z, 0-9, with a length of 9.',
  ],
  ['Anthropic', /^[a-zA-Z0-9_-]+$/, "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
])(
  '%s refuses the ids of calls: it is sent others, each the same for a call and its result',
  async (_name, form, message) => {
    const server = await serve((request, socket) => {
      const isTaken = idsIn(request.body).every((id) => form.test(id));
      const refusal = reply(400, { error: { message, type: 'invalid_request_error' } });
      socket.write(
        isTaken ? reply(200, { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] }) : refusal,
      );
    });
    const request = { ...order(true), messages: LONG_IDS };
    expect(await clientOf(server.url).gateway.chat(request, SEND, () => undefined)).toMatchObject({
      type: 'answered',
      result: { text: 'ok' },
    });
    const [own, short = []] = server.requests.map(({ body }) => idsIn(body));
    expect(own).toEqual(['a', 'b', 'a', 'b'].map(signed));
    const [a, b] = short;
    expect(short).toEqual([a, b, a, b]);
    expect(a).not.toBe(b);
  },
);

test.each([
  ['what the calls brought is what is asked about', THINKING, CALLED],
  ['it is refused for something else', 'messages: too long', [...CALLED, { role: 'user' as const, content: 'Hi' }]],
])('the words alone are not sent where %s', async (_name, message, messages) => {
  const server = await refusingCalls(message);
  const request = { ...order(false), messages };
  expect(await clientOf(server.url).gateway.chat(request, SEND, () => undefined)).not.toMatchObject({
    type: 'answered',
  });
  expect(server.requests).toHaveLength(1);
});

test.each([
  [
    'an error event',
    event({ error: { message: 'Slow down', type: 'rate_limit_error' } }),
    { type: 'refused', error: { kind: 'rate_limit', accepted: 'no' } },
  ],
  [
    'event: error',
    'event: error\ndata: {"message":"Insufficient balance"}\n\n',
    { type: 'refused', error: { kind: 'quota' } },
  ],
  [
    'an error after text',
    piece('Hel') + event({ error: { message: 'overloaded' } }),
    { type: 'answered', complete: false, result: { text: 'Hel' }, error: { kind: 'server', accepted: 'yes' } },
  ],
  ['nothing at all', '', { type: 'unknown', error: { accepted: 'unknown' } }],
  ['an end without a finish', piece('Hel'), { type: 'answered', complete: false, result: { text: 'Hel' } }],
  [
    'a last event without its blank line',
    `${piece('Hel')}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`,
    { type: 'answered', complete: true },
  ],
  ['plain text', 'upstream busy', { type: 'unknown', error: { accepted: 'unknown' } }],
])('a stream with %s', async (_name, body, expected) => {
  const server = await serve((_request, socket) =>
    socket.write(reply(200, body, { 'content-type': 'text/event-stream' })),
  );
  expect(await clientOf(server.url).gateway.chat(order(true), SEND, () => undefined)).toMatchObject(expected);
});

test.each([
  [
    'a web page',
    reply(200, '<!doctype html><title>Welcome</title>'),
    { type: 'refused', billed: 'unknown', error: { kind: 'invalid', accepted: 'unknown', wrongPlace: true } },
  ],
  [
    'a redirect',
    reply(301, '', { location: 'https://other.example/' }),
    { type: 'refused', error: { kind: 'invalid', accepted: 'no' } },
  ],
  [
    '401',
    reply(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
    { type: 'refused', error: { kind: 'auth', message: 'Incorrect API key provided: •••' } },
  ],
  [
    'an empty 429',
    reply(429, '', { 'retry-after': '7' }),
    { type: 'refused', error: { kind: 'rate_limit', retryAfterMs: 7_000, retryable: true } },
  ],
  [
    '504',
    reply(504, '<html><h1>504 Gateway Time-out</h1></html>'),
    { type: 'unknown', error: { kind: 'timeout', accepted: 'unknown' } },
  ],
  [
    '500 that means an invalid request',
    reply(500, { error: { message: 'invalid request: model', type: 'upstream_error' } }),
    { type: 'refused', error: { kind: 'invalid' } },
  ],
  [
    'a truncated 200',
    'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"choices":[{"mess',
    { type: 'unknown', error: { accepted: 'unknown' } },
  ],
  [
    'a 200 with an error',
    reply(200, { error: { message: 'quota exceeded', code: 'insufficient_quota' } }),
    { type: 'refused', error: { kind: 'quota' } },
  ],
  ['garbage instead of HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', { type: 'unknown', error: { kind: 'network' } }],
])('%s', async (_name, bytes, expected) => {
  const server = await serve((_request, socket) => socket.end(bytes));
  const outcome = await clientOf(server.url).gateway.chat(order(false), SEND, () => undefined);
  expect(outcome).toMatchObject(expected);
  expect(JSON.stringify(outcome)).not.toContain(KEY);
  expect(server.requests).toHaveLength(1);
});

/** Bug: a picture that was gone from the disk left the request in doubt, though nothing was sent. */
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
