import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aPrice } from '../../../../test/helpers/prices.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import type { Message } from '../../../shared/chat/conversation.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { Price } from '../../../shared/money/price.ts';

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();
const NOBODY = 'http://127.0.0.1:9';

/** A gateway that sends each answer as `write` does, complete or not. */
async function streaming(write: (response: http.ServerResponse, answered: number) => void): Promise<string> {
  let answered = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      answered += 1;
      write(response.setHeader('content-type', 'text/event-stream'), answered);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

/** A conversation with that many questions of a length, none of them sent. */
async function conversation(count: number, characters: number, baseUrl = NOBODY, prices: Price[] = []) {
  const sandbox = { ...profileSchema.parse({ baseUrl }), id: 'sandbox', name: 'Sandbox' };
  const limits = { ...sandbox.limits, contextTokens: 10_000_000 };
  const { ask, studio } = await openStudio({ sandbox: { ...sandbox, limits, prices } });
  await ask('queue.pause');
  const { conversationId } = await ask('chat.create', { model: 'language' });
  for (let n = 0; n < count; n++) await ask('chat.send', { conversationId, text: `${n} ${'é'.repeat(characters)}` });
  const page = async (before?: string) =>
    (await ask('chat.get', { conversationId, ...(before ? { before } : {}) })) as {
      messages: Message[];
      earlier?: string;
    };
  return { page, ask, call: studio.call, conversationId };
}

const MAX_BYTES = 256 * 1024;

test('a long conversation comes in pages that fit into one message, newest first, every message once and in order', async () => {
  const { page } = await conversation(12, 20_000);
  let texts: string[] = [];
  let pages = 0;
  for (let before: string | undefined, more = true; more; pages++) {
    const { messages, earlier } = await page(before);
    expect(JSON.stringify({ messages, earlier }).length).toBeLessThan(MAX_BYTES);
    texts = [...messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(0, 2).trim()), ...texts];
    before = earlier;
    more = earlier !== undefined;
  }
  expect(pages).toBeGreaterThan(1);
  expect(texts).toEqual(Array.from({ length: 12 }, (_, n) => String(n)));
});

test('a conversation counts its answers of unknown cost', async () => {
  const uncountable = aPrice('image', 1, { kind: 'chat', model: 'language' });
  const { call } = await conversation(2, 1, NOBODY, [uncountable]);
  expect(await call('chat.list', {})).toMatchObject({
    ok: true,
    data: { conversations: [{ chargedNano: 0, unpriced: 2 }] },
  });
});

test('a conversation counts what is unconfirmed of its answers, and is newer once that changes', async () => {
  const baseUrl = await streaming((response) => response.write(delta('Half an ')));
  const perToken = { unit: 'token' as const, inputNano: 1_000, outputNano: 1_000 };
  const price = aPrice('image', 1, { kind: 'chat', model: 'language', readings: [perToken] });
  const { ask, conversationId } = await conversation(0, 0, baseUrl, [price]);
  await ask('queue.resume', {});
  const { jobId } = await ask('chat.send', { conversationId, text: 'Hello' });
  await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('running');
  const { revision } = (await ask('chat.get', { conversationId })).conversation;
  await ask('chat.stop', { conversationId });
  await expect.poll(async () => (await ask('jobs.get', { id: jobId })).money.uncertainNano).toBeGreaterThan(0);
  const { uncertainNano } = (await ask('jobs.get', { id: jobId })).money;
  const sum = { chargedNano: 0, uncertainNano, unpriced: 0 };
  const { conversations } = await ask('chat.list', {});
  expect(conversations).toMatchObject([sum]);
  expect(conversations[0]?.revision).toBeGreaterThan(revision);
  expect(await ask('chat.branches', { conversationId })).toMatchObject({ branches: [sum], way: sum });
});

test.each([
  [{ cursor: 'x' }, 'cursor: must be the nextCursor of the page before'],
  [{ cursor: '[1,"a"]', offset: 3 }, 'offset: must be left out where there is a cursor'],
  [{ limit: 501 }, 'limit: must be at most 500'],
])('the list of chats refuses %j', async (input, message) => {
  const { call } = await conversation(0, 0);
  expect(await call('chat.list', input)).toMatchObject({ ok: false, error: { code: 'invalid_input', message } });
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

test('stop ends pending answers, and does not change ended ones', async () => {
  const { page, call, conversationId } = await conversation(2, 10);
  expect(await call('chat.stop', { conversationId })).toEqual({ ok: true, data: null });
  const states = (await page()).messages.filter(({ role }) => role === 'assistant').map(({ state }) => state);
  expect(states).toEqual(['failed', 'failed']);
  expect(await call('chat.stop', { conversationId })).toEqual({ ok: true, data: null });
});

test('stop ends what arrives in the branch that is named, and nothing that waits for its night', async () => {
  const { ask } = await openStudio();
  await ask('queue.pause');
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const planned = await ask('chat.send', { conversationId, text: 'Hello', night: true });
  const { messages, branch: first } = await ask('chat.get', { conversationId });
  const edit = { conversationId, messageId: messages[0]?.id ?? '' };
  const beside = await ask('chat.edit', { ...edit, text: 'Good day' });
  const shown = await ask('chat.edit', { ...edit, text: 'Good night' });
  const states = async () =>
    (await Promise.all([planned, beside, shown].map(({ jobId }) => ask('jobs.get', { id: jobId })))).map(
      ({ state, reason }) => reason ?? state,
    );
  await ask('chat.stop', { conversationId, branch: first });
  expect(await states()).toEqual(['window', 'paused', 'paused']);
  await ask('chat.stop', { conversationId, branch: shown.branch });
  expect(await states()).toEqual(['window', 'paused', 'canceled']);
});

test.each([
  ['length', 'partial'],
  ['content_filter', 'partial'],
  ['stop', 'done'],
])('an answer that ends with %s is %s, and says so', async (finish, state) => {
  const choices = [{ message: { content: 'Good mor' }, finish_reason: finish }];
  const { baseUrl } = await startService(() => ({ body: { choices, usage: { prompt_tokens: 1 } } }));
  const { page, call, conversationId } = await conversation(0, 0, baseUrl);
  await call('queue.resume', {});
  await call('chat.send', { conversationId, text: 'Good morning?', stream: false });
  await expect
    .poll(async () => (await page()).messages.at(-1))
    .toMatchObject({ text: 'Good mor', state, finishReason: finish });
});

test('a message, and a job that is requested again, can wait for the night', async () => {
  const { ask, call } = await openStudio();
  await ask('queue.pause');
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const send = { conversationId, text: 'Hello', night: true };
  expect(await call('chat.send', send)).toMatchObject({ error: { code: 'wrong_state', data: { field: 'night' } } });
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
  const { jobId } = await ask('chat.send', send);
  const sent = await ask('jobs.get', { id: jobId });
  expect([sent.runId === undefined, sent.reason]).toEqual([false, 'window']);
  await ask('jobs.cancel', { id: jobId });
  const again = await ask('jobs.retry', { id: jobId, night: true });
  expect([again.runId, again.reason]).toEqual([sent.runId, 'window']);
  const now = await ask('jobs.retry', { id: jobId });
  expect(now.runId).toBeUndefined();
});

describe('a chat that is deleted', () => {
  test('requests nothing more that has not come yet', async () => {
    const { ask } = await openStudio();
    await ask('queue.pause');
    const { conversationId } = await ask('chat.create', { model: 'language' });
    await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
    const planned = await ask('chat.send', { conversationId, text: 'Hello', night: true });
    const held = await ask('chat.send', { conversationId, text: 'Hello again' });
    const { conversationId: other } = await ask('chat.create', { model: 'language' });
    const elsewhere = await ask('chat.send', { conversationId: other, text: 'Hello', night: true });
    await ask('chat.remove', { conversationId });
    const stateOf = async ({ jobId }: { jobId: string }) => (await ask('jobs.get', { id: jobId })).state;
    expect(await Promise.all([planned, held, elsewhere].map(stateOf))).toEqual(['canceled', 'canceled', 'blocked']);
    const listed = async () => (await ask('chat.list', {})).conversations.map(({ id }) => id);
    expect(await listed()).toEqual([other]);
    await ask('jobs.retry', { id: held.jobId });
    expect(await listed()).toContain(conversationId);
  });

  test('takes no message that was on its way', async () => {
    const { call, conversationId } = await conversation(0, 0);
    const [sent, removed] = await Promise.all([
      call('chat.send', { conversationId, text: 'Hello' }),
      call('chat.remove', { conversationId }),
    ]);
    expect([sent.ok, removed.ok]).toEqual([false, true]);
    expect(sent).toMatchObject({ error: { code: 'not_found' } });
    expect(await call('jobs.list', {})).toMatchObject({ data: { total: 0 } });
  });
});

test('the rest of a cut answer that broke off and is requested again joins the answer as well', async () => {
  const baseUrl = await streaming((response, answered) => {
    const part = delta(`part ${answered} `);
    const finish = answered === 1 ? 'length' : 'stop';
    const end = `data: {"choices":[{"delta":{},"finish_reason":"${finish}"}]}\n\ndata: [DONE]\n\n`;
    if (answered === 2) response.write(part, () => setImmediate(() => response.destroy()));
    else response.end(part + end);
  });
  const { ask, page, conversationId } = await conversation(0, 0, baseUrl);
  await ask('queue.resume');
  const states = async () => (await page()).messages.map(({ text, state }) => `${text}${state}`);
  const { messageId } = await ask('chat.send', { conversationId, text: 'one ' });
  await expect.poll(states).toEqual(['one done', 'part 1 partial']);
  const rest = await ask('chat.continue', { conversationId, messageId });
  await expect.poll(states).toEqual(['one done', 'part 1 partial', 'part 2 partial']);
  await ask('jobs.retry', { id: rest.jobId });
  await expect.poll(states).toEqual(['one done', 'part 1 partial', 'part 3 done']);
  expect((await page()).messages.at(-1)?.continues).toBe(messageId);
});
