import { expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import { answerUnless, chatWith, GROQ, SIGNING } from '../../../../../test/helpers/gateway/pastCalls.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ChatSubmitRequest } from '../types.ts';

const serve = serversOfThisFile();

const CALLED: ChatSubmitRequest['messages'] = [
  { role: 'user', content: 'A shot' },
  { role: 'assistant', content: 'One shot.', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
  { role: 'tool', content: '{}', toolCallId: 'a' },
];
const THINKING = 'The reasoning_content in the thinking mode must be passed back to the API.';

const TOLD = 'You called these tools, and this is what they answered:';

/** A service that refuses calls of another model in this manner, and answers without them. */
const refusingCalls = (message: string) =>
  serve((request, socket) => {
    socket.write(answerUnless(request.body.includes('tool_calls') ? message : undefined));
  });

test.each([
  ['DeepSeek', THINKING, [4, 3, 3]],
  ['Kimi', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', [4, 3, 3]],
  ['Gemini', SIGNING, [4, 3, 3]],
  ['Groq', GROQ, [4, 3, 4, 3]],
  ['a service that takes no field of Gemini', "property 'extra_content' is unsupported", [4, 3, 4, 3]],
])(
  '%s refuses the calls of another model: it is sent the words alone, what the calls brought, and its tools',
  async (_name, message, lengths) => {
    const server = await refusingCalls(message);
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const messages = [...CALLED, { role: 'user' as const, content: 'Shorter' }];
    const { gateway } = clientOf(server.url);
    for (const _ of [1, 2]) expect(await chatWith(gateway, messages, { tools })).toBe('ok');
    const sent = server.requests.map(({ body }) => JSON.parse(body));
    expect(sent.map((body) => body.messages.length)).toEqual(lengths);
    expect(sent[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'A shot' },
        { role: 'assistant', content: 'One shot.' },
        { role: 'user', content: `${TOLD}\n\nf {}\n{}\n\nShorter` },
      ],
      tools,
      stream_options: { include_usage: true },
    });
  },
);

const REASONED = "Okay, the user wants two shots.\nLet's see what is missing on the board, and what it needs.";
const EXTRA = {
  type: 'extra_forbidden',
  loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
  msg: 'Extra inputs are not permitted',
  input: REASONED,
};

test.each([
  ['Mistral', { object: 'error', message: { detail: [EXTRA] }, type: 'invalid_request_error' }],
  [
    'Mistral, which says it twice',
    { object: 'Error', detail: [EXTRA], message: [EXTRA], type: 'invalid_request_error' },
  ],
  [
    'Mistral behind LiteLLM',
    { error: { message: `litellm.BadRequestError: MistralException - ${JSON.stringify({ detail: [EXTRA] })}` } },
  ],
])('%s repeats the reasoning that it takes none of: it is sent the calls without it', async (_name, refusal) => {
  const server = await serve((request, socket) => {
    socket.write(request.body.includes('reasoning_content') ? reply(422, refusal) : answerUnless());
  });
  const client = clientOf(server.url);
  const messages = CALLED.map((one) => (one.toolCalls ? { ...one, reasoning: REASONED } : one));
  expect(await chatWith(client.gateway, messages)).toBe('ok');
  expect(server.requests.map(({ body }) => body.includes('tool_calls'))).toEqual([true, true]);
  expect(client.memory.pastCalls).toEqual({ language: { reasoning: 'never' } });
});

test.each([
  ['Groq takes no reasoning', GROQ, { reasoning: 'Well.', toolCalls: CALLED[1]?.toolCalls }],
  [
    'a service takes no signature',
    "property 'extra_content' is unsupported",
    { toolCalls: [{ id: 'a', name: 'f', arguments: '{}', thoughtSignature: 'c2ln' }] },
  ],
])('%s: it is sent the calls and their results without it', async (_name, message, thoughts) => {
  const server = await serve((request, socket) => {
    socket.write(answerUnless(/reasoning_content|extra_content/.test(request.body) ? message : undefined));
  });
  const [question, called, result] = CALLED;
  if (!question || !called || !result) throw new Error('no calls');
  const messages = [question, { ...called, ...thoughts }, result];
  expect(await chatWith(clientOf(server.url).gateway, messages)).toBe('ok');
  const sent = server.requests.map(({ body }) => JSON.parse(body).messages);
  expect(sent.map(({ length }) => length)).toEqual([3, 3]);
  expect(sent[1][1].tool_calls).toHaveLength(1);
});

test('a model that wants the reasoning before calls gets those that have it, and of the others the words', async () => {
  const server = await serve((request, socket) => {
    const { messages } = JSON.parse(request.body);
    const isWhole = messages.every(
      (one: { tool_calls?: object; reasoning_content?: string }) => !one.tool_calls || one.reasoning_content,
    );
    socket.write(answerUnless(isWhole ? undefined : THINKING));
  });
  const own: ChatSubmitRequest['messages'] = [
    { role: 'user', content: 'Another' },
    { role: 'assistant', content: '', reasoning: 'Well.', toolCalls: [{ id: 'b', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: '{}', toolCallId: 'b' },
  ];
  const { gateway } = clientOf(server.url);
  for (const messages of [[...CALLED, ...own], own]) expect(await chatWith(gateway, messages)).toBe('ok');
  const rolesOf = ({ messages }: { messages: { role: string }[] }) => messages.map(({ role }) => role).join(' ');
  expect(server.requests.map(({ body }) => rolesOf(JSON.parse(body)))).toEqual([
    'user assistant tool user assistant tool',
    'user assistant user assistant tool',
    'user assistant tool',
  ]);
});

test('what a model is known to refuse goes again where it is asked for', async () => {
  const server = await serve((request, socket) => {
    const isWhole = request.body.includes('reasoning_content');
    socket.write(answerUnless(isWhole ? undefined : THINKING));
  });
  const memory = { pastCalls: { language: { reasoning: 'never' as const } } };
  const client = clientOf(server.url, {}, undefined, memory);
  const messages = CALLED.map((one) => (one.toolCalls ? { ...one, reasoning: 'Well.' } : one));
  for (const tries of [2, 3]) {
    expect(await chatWith(client.gateway, messages)).toBe('ok');
    expect(server.requests).toHaveLength(tries);
  }
  expect(client.memory.pastCalls).toEqual({ language: { reasoning: 'needed' } });
});

test.each([
  ['is known', { pastCalls: { language: { reasoning: 'never' as const } } }, [THINKING, GROQ]],
  ['is not known', {}, [THINKING, GROQ, THINKING]],
])('a name whose services disagree is sent the words alone, where its manner %s', async (_name, memory, refusals) => {
  const server = await serve((request, socket) => {
    const message = refusals[server.requests.length - 1] ?? GROQ;
    socket.write(answerUnless(request.body.includes('tool_calls') ? message : undefined));
  });
  const reasoned = CALLED.map((one) => (one.toolCalls ? { ...one, reasoning: 'Well.' } : one));
  const messages = [...reasoned, ...CALLED];
  const { gateway } = clientOf(server.url, {}, undefined, memory);
  expect(await chatWith(gateway, messages)).toBe('ok');
  expect(server.requests).toHaveLength(refusals.length + 1);
});

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
  for (const _ of [1, 2]) expect(await chatWith(gateway, messages)).toBe('ok');
  const sent = server.requests.map(({ body }) => JSON.parse(body).messages);
  expect(sent.map(({ length }) => length)).toEqual([5, 1, 1]);
  expect(sent[1]).toEqual([
    {
      role: 'user',
      content:
        'Two shots\n\n' +
        `${TOLD}\n\ndraft_shots {"n":"a"}\n{"draft":"a"}\n\n` +
        `${TOLD}\n\ndraft_shots {"n":"b"}\n{"draft":"b"}`,
    },
  ]);
});

test('what a model wants its reasoning for is told of earlier turns too, each call with its own result', async () => {
  const server = await serve((_request, socket) => socket.write(answerUnless()));
  const turn = (result: string, thought: object): ChatSubmitRequest['messages'] => [
    { role: 'user', content: 'A shot' },
    { role: 'assistant', content: '', ...thought, toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: result, toolCallId: 'a' },
  ];
  const messages = [
    ...turn('1', {}),
    ...turn('2', { reasoning: 'Well.' }),
    ...turn('3', {}),
    { role: 'user' as const, content: 'Darker' },
  ];
  const { gateway } = clientOf(server.url, {}, undefined, { pastCalls: { language: { reasoning: 'needed' } } });
  await chatWith(gateway, messages);
  expect(JSON.parse(server.requests[0]?.body ?? '').messages).toMatchObject([
    { role: 'user', content: `A shot\n\n${TOLD}\n\nf {}\n1\n\nA shot` },
    { role: 'assistant', tool_calls: [{ id: 'a' }] },
    { role: 'tool', content: '2' },
    { role: 'user', content: `A shot\n\n${TOLD}\n\nf {}\n3\n\nDarker` },
  ]);
});

test('calls stay where the request is refused for something else', async () => {
  const server = await refusingCalls('messages: too long');
  const messages = [...CALLED, { role: 'user' as const, content: 'Hi' }];
  expect(await chatWith(clientOf(server.url).gateway, messages, { stream: false })).toBe('refused');
  expect(server.requests).toHaveLength(1);
});
