import { expect, test } from 'vitest';
import { clientOf } from '../../../../../test/helpers/gateway/client.ts';
import { answerUnless, chatWith, GROQ, SIGNING } from '../../../../../test/helpers/gateway/pastCalls.ts';
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
  ['DeepSeek', THINKING],
  ['Kimi', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'],
  ['Gemini', SIGNING],
  ['Groq', GROQ],
  ['a service that takes no field of Gemini', "property 'extra_content' is unsupported"],
  ['OpenAI', "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a maximum length 40"],
  ['Anthropic', "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  ['Mistral', 'Tool call id was call_a__thought__c2ln but must be a-z, A-Z, 0-9, with a length of 9.'],
  ['Bedrock', "Value at 'messages.2.toolUse.toolUseId' failed to satisfy constraint: length less than or equal to 64"],
])(
  '%s refuses the calls of another model: it is sent the words alone, what the calls brought, and its tools',
  async (_name, message) => {
    const server = await refusingCalls(message);
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const messages = [...CALLED, { role: 'user' as const, content: 'Shorter' }];
    expect(await chatWith(clientOf(server.url).gateway, messages, { tools })).toBe('ok');
    const sent = server.requests.map(({ body }) => JSON.parse(body));
    expect(sent).toHaveLength(2);
    expect(sent.at(-1)).toMatchObject({
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
  expect(await chatWith(gateway, messages)).toBe('ok');
  const sent = server.requests.map(({ body }) => JSON.parse(body).messages);
  expect(sent.map(({ length }) => length)).toEqual([5, 1]);
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

test('of two calls with one id each has its own result in words', async () => {
  const server = await refusingCalls(THINKING);
  const turn = (result: string): ChatSubmitRequest['messages'] => [
    { role: 'user', content: 'A shot' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: result, toolCallId: 'a' },
  ];
  await chatWith(clientOf(server.url).gateway, [...turn('1'), ...turn('2')]);
  expect(JSON.parse(server.requests[1]?.body ?? '').messages).toMatchObject([
    { role: 'user', content: `A shot\n\n${TOLD}\n\nf {}\n1\n\nA shot\n\n${TOLD}\n\nf {}\n2` },
  ]);
});

test('calls stay where the request is refused for something else', async () => {
  const server = await refusingCalls('messages: too long');
  const messages = [...CALLED, { role: 'user' as const, content: 'Hi' }];
  expect(await chatWith(clientOf(server.url).gateway, messages, { stream: false })).toBe('refused');
  expect(server.requests).toHaveLength(1);
});
