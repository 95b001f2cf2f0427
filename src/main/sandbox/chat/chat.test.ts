import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandboxHarness, refusalOf, type SandboxHarness } from '../testHarness.ts';

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.sandbox.close());

const PROMPT = 'Write a shot list for the night ferry at the quay.';
const ask = (content: string, more: object = {}) => ({
  model: 'language',
  messages: [{ role: 'user' as const, content }],
  ...more,
});

const WEATHER: OpenAI.Chat.Completions.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The forecast for a place',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
    },
  },
};

async function streamed(body: object): Promise<OpenAI.Chat.Completions.ChatCompletionChunk[]> {
  const stream = await harness.openai.chat.completions.create({ ...body, stream: true } as never);
  const chunks: OpenAI.Chat.Completions.ChatCompletionChunk[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>)
    chunks.push(chunk);
  return chunks;
}

describe('a language model, called by an independent client', () => {
  it('composes the answer from the words of the prompt, and states that the sandbox wrote it', async () => {
    const answer = await harness.openai.chat.completions.create(ask(PROMPT));
    expect(answer.choices[0]?.message.content).toMatch(/night ferry[\s\S]*sandbox/i);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
  });

  it('gives the same answer to the same prompt, and another to another prompt', async () => {
    const text = async (prompt: string) =>
      (await harness.openai.chat.completions.create(ask(prompt))).choices[0]?.message.content;
    expect(await text(PROMPT)).toBe(await text(PROMPT));
    expect(await text(PROMPT)).not.toBe(await text('A title for a film about salt'));
  });

  it('streams the same text in pieces, with usage only on request', async () => {
    const whole = await harness.openai.chat.completions.create(ask(PROMPT));
    const chunks = await streamed(ask(PROMPT, { stream_options: { include_usage: true } }));
    const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter(Boolean);
    expect(pieces.join('')).toBe(whole.choices[0]?.message.content);
    expect(pieces.length).toBeGreaterThan(5);
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
    expect((await streamed(ask(PROMPT))).every((chunk) => !chunk.usage)).toBe(true);
  });

  it('ends a stream with [DONE]', async () => {
    const answer = await harness.send('POST', '/v1/chat/completions', ask(PROMPT, { stream: true }));
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(await answer.text()).toMatch(/"finish_reason":"stop"[\s\S]*data: \[DONE\]\n\n$/);
  });

  it('sends and bills reasoning as the thinking model', async () => {
    const chunks = await streamed(
      ask(PROMPT, { model: 'language-exp-thinking', stream_options: { include_usage: true } }),
    );
    const thoughts = chunks
      .map((chunk) => (chunk.choices[0]?.delta as { reasoning_content?: string })?.reasoning_content ?? '')
      .join('');
    expect(thoughts).toContain('night ferry');
    expect(chunks.at(-1)?.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(10);
    const plain = await harness.openai.chat.completions.create(ask(PROMPT, { model: 'language-exp-nothinking' }));
    expect(plain.choices[0]?.message).not.toHaveProperty('reasoning_content');
  });
});

describe('tool calls', () => {
  const asked = ask('What weather must we expect in Lofoten over the next 3 days?', { tools: [WEATHER] });

  it('calls the tool that the prompt asks for, with arguments from the prompt', async () => {
    const { choices } = await harness.openai.chat.completions.create(asked);
    const call = choices[0]?.message.tool_calls?.[0] as OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Lofoten', days: 3, unit: 'celsius' });
  });

  it('streams the same call, its arguments in pieces', async () => {
    const deltas = (await streamed(asked)).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(deltas[0]?.function?.name).toBe('get_weather');
    expect(deltas.length).toBeGreaterThan(3);
    expect(JSON.parse(deltas.map((delta) => delta.function?.arguments ?? '').join(''))).toMatchObject({
      city: 'Lofoten',
    });
  });

  it('answers from the result of a tool, and calls none when forbidden or when no words match', async () => {
    const first = await harness.openai.chat.completions.create(asked);
    const message = first.choices[0]?.message;
    const id = message?.tool_calls?.[0]?.id ?? '';
    const final = await harness.openai.chat.completions.create({
      ...asked,
      messages: [...asked.messages, message as never, { role: 'tool', tool_call_id: id, content: 'gale, 4 degrees' }],
    });
    expect(final.choices[0]?.message.content).toContain('gale, 4 degrees');
    for (const body of [
      { ...asked, tool_choice: 'none' as const },
      ask('A title for a film about salt', { tools: [WEATHER] }),
    ]) {
      expect((await harness.openai.chat.completions.create(body)).choices[0]?.message.tool_calls).toBeUndefined();
    }
  });

  /** DeepSeek and Kimi do this too: a client that loses the reasoning would fail there. */
  it('refuses tool calls of its thinking model without their reasoning', async () => {
    const thinking = { ...asked, model: 'language-exp-thinking' };
    const create = harness.openai.chat.completions.create.bind(harness.openai.chat.completions);
    const message = (await create(thinking)).choices[0]?.message;
    const result = { role: 'tool' as const, tool_call_id: message?.tool_calls?.[0]?.id ?? '', content: 'gale' };
    const history = (called: unknown) => ({ ...thinking, messages: [...asked.messages, called as never, result] });
    expect((await create(history(message))).choices[0]?.message.content).toContain('gale');
    const { reasoning_content: _, ...without } = message as unknown as { reasoning_content: string };
    await expect(create(history(without))).rejects.toThrow(/reasoning_content.*must be passed back/);
  });
});

describe('refusals', () => {
  it('types an unknown model, a bad key and a bad field as the client library expects', async () => {
    const create = harness.openai.chat.completions.create.bind(harness.openai.chat.completions);
    await expect(create(ask('hi', { model: 'no-such' }))).rejects.toThrow(OpenAI.NotFoundError);
    await expect(create(ask('hi', { temperature: 9 }))).rejects.toThrow(OpenAI.BadRequestError);
    const outsider = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${harness.sandbox.baseUrl}/v1`, maxRetries: 0 });
    await expect(outsider.models.list()).rejects.toThrow(OpenAI.AuthenticationError);
  });

  it.each([
    ['a role', { messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0].role'],
    ['no messages', { messages: [] }, 'messages'],
    ['content that is a number', { messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    ['a tool result without its call', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    ['more output than 4K tokens', { max_tokens: 5_000 }, 'max_tokens'],
    ['more context than 128K tokens', { messages: [{ role: 'user', content: 'wave '.repeat(140_000) }] }, 'messages'],
  ])('names the field of %s', async (_, change, field) => {
    const billed = harness.sandbox.bill().entries.length;
    const refusal = await refusalOf(await harness.send('POST', '/v1/chat/completions', { ...ask('hi'), ...change }));
    expect(refusal).toMatchObject({ status: 400, type: 'invalid_request_error', param: field });
    expect(refusal.message).toContain(field);
    expect(harness.sandbox.bill().entries.length).toBe(billed);
  });

  it('gives every answer a request id, and refuses a body that is not JSON', async () => {
    const answer = await harness.send('POST', '/v1/chat/completions', '{"model":');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await refusalOf(answer)).toMatchObject({ status: 400, code: 'invalid_json' });
    const deep = `{"tools":${'['.repeat(6_000)}${']'.repeat(6_000)}}`;
    expect(await refusalOf(await harness.send('POST', '/v1/chat/completions', deep))).toMatchObject({ status: 400 });
  });
});

describe('limits and money', () => {
  it('cuts at max_tokens with finish reason length; stops before a stop word', async () => {
    const cut = await harness.openai.chat.completions.create(ask(PROMPT, { max_tokens: 12 }));
    expect(cut.choices[0]?.finish_reason).toBe('length');
    expect(cut.usage?.completion_tokens).toBe(12);
    const stopped = await harness.openai.chat.completions.create(ask(PROMPT, { stop: ['2.'] }));
    expect(stopped.choices[0]?.message.content).not.toContain('2.');
  });

  it('bills 270 nano-dollars per input token and 1080 per output token, under the id of the answer', async () => {
    const answer = await harness.openai.chat.completions.create(ask(PROMPT));
    const entry = harness.sandbox.bill().entries.at(-1);
    expect(entry).toMatchObject({ id: answer.id, kind: 'chat', model: 'language', prompt: PROMPT });
    expect(entry?.nano).toBe((answer.usage?.prompt_tokens ?? 0) * 270 + (answer.usage?.completion_tokens ?? 0) * 1080);
  });

  it('executes an Idempotency-Key once: same answer, one bill entry; another body is refused', async () => {
    const headers = { 'idempotency-key': 'turn-1' };
    const post = (prompt: string) => harness.send('POST', '/v1/chat/completions', ask(prompt), headers);
    const before = harness.sandbox.bill().entries.length;
    const [first, second] = await Promise.all([post(PROMPT), post(PROMPT)]);
    expect(await first?.json()).toEqual(await second?.json());
    expect(harness.sandbox.bill().entries.length).toBe(before + 1);
    expect((await post('something else')).status).toBe(409);
  });

  it('bills the whole answer of a client that hangs up', async () => {
    const before = harness.sandbox.bill().entries.length;
    const answer = await harness.send('POST', '/v1/chat/completions', ask(PROMPT, { stream: true }));
    await answer.body?.cancel();
    const whole = await harness.openai.chat.completions.create(ask(PROMPT));
    const entries = harness.sandbox.bill().entries.slice(before);
    expect(entries.map(({ nano }) => nano)).toEqual([entries[1]?.nano, entries[1]?.nano]);
    expect(whole.usage?.completion_tokens).toBeGreaterThan(20);
  });
});
