import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir, testPorts } from '../../../../test/helpers/testPorts.ts';
import type { Message } from '../../../shared/conversation.ts';
import { profileSchema } from '../../../shared/profile.ts';
import { createStudio, type Studio } from '../createStudio.ts';

const studios: Studio[] = [];
afterEach(async () => {
  for (const studio of studios.splice(0)) await studio.close();
});

/** A conversation with as many questions of that length, none of them sent. */
async function conversation(count: number, characters: number, port = 9) {
  const sandbox = { ...profileSchema.parse({ baseUrl: `http://127.0.0.1:${port}` }), id: 'sandbox', name: 'Sandbox' };
  const limits = { ...sandbox.limits, contextTokens: 10_000_000 };
  const options = { dataDir: tempDir('chat'), host: 'browser' as const, version: '0', sandbox: { ...sandbox, limits } };
  const studio = await createStudio(testPorts(), options);
  if (!studio.ok) throw new Error(studio.error.message);
  studios.push(studio.data);
  const ask = async (name: string, input: object) => {
    const result = await studio.data.call(name, input);
    if (!result.ok) throw new Error(result.error.message);
    return result.data;
  };
  await ask('queue.pause', {});
  const { conversationId } = (await ask('chat.create', { model: 'language' })) as { conversationId: string };
  for (let n = 0; n < count; n++) await ask('chat.send', { conversationId, text: `${n} ${'é'.repeat(characters)}` });
  const page = async (before?: string) =>
    (await ask('chat.get', { conversationId, ...(before ? { before } : {}) })) as {
      messages: Message[];
      earlier?: string;
    };
  return { page, call: studio.data.call, conversationId };
}

const MOST_BYTES = 256 * 1024;

test('a long conversation comes in pages that fit into one message, newest first, every message once and in order', async () => {
  const { page } = await conversation(12, 20_000);
  let texts: string[] = [];
  let pages = 0;
  for (let before: string | undefined, more = true; more; pages++) {
    const { messages, earlier } = await page(before);
    expect(JSON.stringify({ messages, earlier }).length).toBeLessThan(MOST_BYTES);
    texts = [...messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(0, 2).trim()), ...texts];
    before = earlier;
    more = earlier !== undefined;
  }
  expect(pages).toBeGreaterThan(1);
  expect(texts).toEqual(Array.from({ length: 12 }, (_, n) => String(n)));
});

test('a short conversation is one page, and a message that is none of it is refused', async () => {
  const { page, call, conversationId } = await conversation(3, 10);
  const whole = await page();
  expect(whole.messages).toHaveLength(6);
  expect(whole).not.toHaveProperty('earlier');
  expect(await call('chat.get', { conversationId, before: 'nothing' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', data: { field: 'before' } },
  });
});

test('stop ends what waits for its answer, and says nothing about what has ended', async () => {
  const { page, call, conversationId } = await conversation(2, 10);
  expect(await call('chat.stop', { conversationId })).toEqual({ ok: true, data: null });
  const states = (await page()).messages.filter(({ role }) => role === 'assistant').map(({ state }) => state);
  expect(states).toEqual(['failed', 'failed']);
  expect(await call('chat.stop', { conversationId })).toEqual({ ok: true, data: null });
});

test.each([
  ['length', 'partial'],
  ['content_filter', 'partial'],
  ['stop', 'done'],
])('an answer that ends with %s is %s, and says so', async (finish, state) => {
  const server = http.createServer((_request, response) => {
    const answer = {
      choices: [{ message: { content: 'Good mor' }, finish_reason: finish }],
      usage: { prompt_tokens: 1 },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { page, call, conversationId } = await conversation(0, 0, (server.address() as AddressInfo).port);
  await call('queue.resume', {});
  await call('chat.send', { conversationId, text: 'Good morning?', stream: false });
  await vi.waitFor(async () =>
    expect((await page()).messages.at(-1)).toMatchObject({ text: 'Good mor', state, finishReason: finish }),
  );
  server.close();
});
