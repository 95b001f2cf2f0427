import { expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import { answerUnless, chatWith, GROQ, SIGNING, TOO_LONG } from '../../../../../test/helpers/gateway/pastCalls.ts';
import { reply } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { ChatSubmitRequest } from '../types.ts';

const serve = serversOfThisFile();

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
  [
    'Claude on Bedrock',
    /^.{1,64}$/,
    "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64",
  ],
  [
    'Claude on Bedrock, which takes no signs of base64',
    /^[a-zA-Z0-9_.:-]+$/,
    "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+",
  ],
  ['Anthropic', /^[a-zA-Z0-9_-]+$/, "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
])(
  '%s refuses the ids of calls: it is sent others, each the same for a call and its result',
  async (_name, form, message) => {
    const server = await serve((request, socket) => {
      const isTaken = idsIn(request.body).every((id) => form.test(id));
      socket.write(answerUnless(isTaken ? undefined : message));
    });
    expect(await chatWith(clientOf(server.url).gateway, LONG_IDS)).toBe('ok');
    const [own, short = []] = server.requests.map(({ body }) => idsIn(body));
    expect(own).toEqual(['a', 'b', 'a', 'b'].map(signed));
    const [a, b] = short;
    expect(short).toEqual([a, b, a, b]);
    expect(a).not.toBe(b);
  },
);

test('what a model has refused of calls is left out from then on, for that model only', async () => {
  const server = await serve((request, socket) => {
    const { model } = JSON.parse(request.body);
    const isLong = idsIn(request.body).some((id) => id.length > 40);
    const message =
      model === 'groq' && request.body.includes('reasoning_content')
        ? GROQ
        : model !== 'gemini' && isLong
          ? TOO_LONG
          : undefined;
    socket.write(answerUnless(message));
  });
  const { gateway } = clientOf(server.url);
  const messages = LONG_IDS.map((one) => (one.toolCalls ? { ...one, reasoning: 'Well.' } : one));
  const triesOf = async (model: string) => {
    const before = server.requests.length;
    await chatWith(gateway, messages, { model });
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

test('Mistral repeats an id of 5,000 characters that it refuses: it is sent another', async () => {
  const server = await serve((request, socket) => {
    const id = idsIn(request.body).find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
    const message = `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
    socket.write(id === undefined ? answerUnless() : reply(400, { object: 'error', message }));
  });
  const id = 'call_a__thought__'.padEnd(5_000, 'c2lnbmF0dXJl');
  const messages: ChatSubmitRequest['messages'] = [
    { role: 'user', content: 'A shot' },
    { role: 'assistant', content: '', toolCalls: [{ id, name: 'f', arguments: '{}' }] },
    { role: 'tool', content: '{}', toolCallId: id },
  ];
  const client = clientOf(server.url);
  expect(await chatWith(client.gateway, messages)).toBe('ok');
  expect(client.memory.pastCalls).toEqual({ language: { ids: 'short' } });
});

test.each([
  ['go again as they are where their signature is missed', 'x', [true, true], {}],
  [
    'are told in words where they are refused in both forms',
    '__thought__',
    [false, false],
    { language: { ids: 'short' } },
  ],
])('ids with a signature in them, known to be refused, %s', async (_name, refused, whole, learnt) => {
  const server = await serve((request, socket) => {
    const ids = idsIn(request.body);
    const isRefused = ids.some((id) => id.includes(refused));
    const message = ids.some((id) => !id.includes('__thought__')) ? SIGNING : isRefused ? TOO_LONG : undefined;
    socket.write(answerUnless(message));
  });
  const client = clientOf(server.url, {}, undefined, { pastCalls: { language: { ids: 'short' } } });
  const isWhole = async (): Promise<boolean> => {
    expect(await chatWith(client.gateway, LONG_IDS)).toBe('ok');
    return server.requests.at(-1)?.body.includes('__thought__') === true;
  };
  expect([await isWhole(), await isWhole()]).toEqual(whole);
  expect(client.memory.pastCalls).toEqual(learnt);
});

test('what two chats find of a model at once is remembered of both', async () => {
  const { promise: isFound, resolve: found } = Promise.withResolvers<void>();
  const server = await serve((request, socket) => {
    const isLong = idsIn(request.body).some((id) => id.length > 40);
    const message = isLong ? TOO_LONG : request.body.includes('reasoning_content') ? GROQ : undefined;
    const send = (): unknown => socket.write(answerUnless(message));
    if (isLong) void isFound.then(send);
    else send();
  });
  const client = clientOf(server.url);
  const chat = (messages: ChatSubmitRequest['messages']) => chatWith(client.gateway, messages);
  const slow = chat(LONG_IDS);
  await chat([
    { role: 'user', content: 'A shot' },
    { role: 'assistant', content: '', reasoning: 'Well.', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: '{}', toolCallId: 'a' },
  ]);
  found();
  await slow;
  expect(client.memory.pastCalls).toEqual({ language: { reasoning: 'never', ids: 'short' } });
});
