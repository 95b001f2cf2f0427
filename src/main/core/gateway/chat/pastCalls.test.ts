import { expect, test } from 'vitest';
import { clientOf, SEND } from '../testing/client.ts';
import { reply } from '../testing/rawServer.ts';
import { serversOfThisFile } from '../testing/serversOfThisFile.ts';
import type { ChatSubmitRequest } from '../types.ts';

const serve = serversOfThisFile();

const order = (stream: boolean): ChatSubmitRequest => ({
  model: 'language',
  messages: [{ role: 'user', content: 'Hi' }],
  stream,
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
  ['DeepSeek', THINKING, [4, 3, 3]],
  ['Kimi', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', [4, 3, 3]],
  ['Gemini', SIGNING, [4, 3, 3]],
  ['Groq', GROQ, [4, 3, 4, 3]],
  ['a service that takes no field of Gemini', "property 'extra_content' is unsupported", [4, 3, 4, 3]],
])(
  '%s refuses the calls of another model: it is sent the words alone, and its tools',
  async (_name, message, lengths) => {
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
    expect(sent.map((body) => body.messages.length)).toEqual(lengths);
    expect(sent[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'A shot' },
        { role: 'assistant', content: 'One shot.' },
        { role: 'user', content: 'Shorter' },
      ],
      tools,
      stream_options: { include_usage: true },
    });
  },
);

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

/** Bug: each later message was refused once more before it was sent without. */
test('what a model has refused of calls is left out from then on, for that model and at that gateway only', async () => {
  const server = await serve((request, socket) => {
    const { model } = JSON.parse(request.body);
    const isLong = idsIn(request.body).some((id) => id.length > 40);
    const message =
      model === 'groq' && request.body.includes('reasoning_content')
        ? GROQ
        : model !== 'gemini' && isLong
          ? "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
          : undefined;
    const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
    socket.write(message ? reply(400, { error: { message } }) : reply(200, answer));
  });
  const { gateway } = clientOf(server.url);
  const messages = LONG_IDS.map((one) => (one.toolCalls ? { ...one, reasoning: 'Well.' } : one));
  const triesOf = async (model: string) => {
    const before = server.requests.length;
    await gateway.chat({ ...order(true), model, messages }, SEND, () => undefined);
    return server.requests
      .slice(before)
      .map(({ body }) => [body.includes('"reasoning_content"'), body.includes('__thought__')]);
  };
  expect(await triesOf('groq')).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
  expect(await triesOf('groq')).toEqual([[false, false]]);
  expect(await triesOf('gemini')).toEqual([[true, true]]);
  expect(gateway.found()).toMatchObject([
    { setting: 'Calls of earlier answers to groq', now: 'without reasoning, with short ids', by: 'refused' },
  ]);
});

/** Bug: the calls of the model itself went with those of another, which had no reasoning. */
test('a model that wants the reasoning before calls gets those that have it, and of the others the words', async () => {
  const server = await serve((request, socket) => {
    const { messages } = JSON.parse(request.body);
    const isWhole = messages.every(
      (one: { tool_calls?: object; reasoning_content?: string }) => !one.tool_calls || one.reasoning_content,
    );
    const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
    socket.write(isWhole ? reply(200, answer) : reply(400, { error: { message: THINKING } }));
  });
  const own: ChatSubmitRequest['messages'] = [
    { role: 'user', content: 'Another' },
    { role: 'assistant', content: '', reasoning: 'Well.', toolCalls: [{ id: 'b', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: '{}', toolCallId: 'b' },
  ];
  const { gateway } = clientOf(server.url);
  for (const messages of [[...CALLED, ...own], own])
    expect(await gateway.chat({ ...order(true), messages }, SEND, () => undefined)).toMatchObject({ type: 'answered' });
  const rolesOf = ({ messages }: { messages: { role: string }[] }) => messages.map(({ role }) => role).join(' ');
  expect(server.requests.map(({ body }) => rolesOf(JSON.parse(body)))).toEqual([
    'user assistant tool user assistant tool',
    'user assistant user assistant tool',
    'user assistant tool',
  ]);
});

/** Bug: what another model behind the same name had refused was left out for good. */
test('what a model is known to refuse goes again where it is asked for', async () => {
  const server = await serve((request, socket) => {
    const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
    const isWhole = request.body.includes('reasoning_content');
    socket.write(isWhole ? reply(200, answer) : reply(400, { error: { message: THINKING } }));
  });
  const memory = { pastCalls: { language: { reasoning: 'never' as const } } };
  const client = clientOf(server.url, {}, undefined, memory);
  const messages = CALLED.map((one) => (one.toolCalls ? { ...one, reasoning: 'Well.' } : one));
  for (const tries of [2, 3]) {
    expect(await client.gateway.chat({ ...order(true), messages }, SEND, () => undefined)).toMatchObject({
      type: 'answered',
    });
    expect(server.requests).toHaveLength(tries);
  }
  expect(client.memory.pastCalls).toEqual({ language: { reasoning: 'needed' } });
});

/** Bug: drafts of a version that did not keep the reasoning before calls could not be gone on from. */
test('results that are asked about are told in words where their calls are refused without reasoning', async () => {
  const server = await refusingCalls(THINKING);
  const { gateway } = clientOf(server.url);
  const calls = ['a', 'b'].map((id) => ({ id, name: 'draft_shots', arguments: `{"n":"${id}"}` }));
  const messages: ChatSubmitRequest['messages'] = [
    { role: 'user', content: 'Two shots' },
    ...calls.flatMap((call): ChatSubmitRequest['messages'] => [
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', content: `{"draft":"${call.id}"}`, toolCallId: call.id },
    ]),
  ];
  for (const _ of [1, 2])
    expect(await gateway.chat({ ...order(true), messages }, SEND, () => undefined)).toMatchObject({ type: 'answered' });
  const sent = server.requests.map(({ body }) => JSON.parse(body).messages);
  expect(sent.map(({ length }) => length)).toEqual([5, 1, 1]);
  expect(sent[1]).toEqual([
    {
      role: 'user',
      content:
        'Two shots\n\n' +
        'You called these tools, and this is what they answered:\n\ndraft_shots {"n":"a"}\n{"draft":"a"}\n\n' +
        'You called these tools, and this is what they answered:\n\ndraft_shots {"n":"b"}\n{"draft":"b"}',
    },
  ]);
});

test('calls stay where the request is refused for something else', async () => {
  const server = await refusingCalls('messages: too long');
  const request = { ...order(false), messages: [...CALLED, { role: 'user' as const, content: 'Hi' }] };
  expect(await clientOf(server.url).gateway.chat(request, SEND, () => undefined)).not.toMatchObject({
    type: 'answered',
  });
  expect(server.requests).toHaveLength(1);
});
