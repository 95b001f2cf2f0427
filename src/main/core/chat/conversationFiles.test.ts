import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import type { ChatFile } from '../../../shared/chat/chatFile.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { Price } from '../../../shared/money/price.ts';
import { chatMarkdown } from './conversationFiles.ts';

/** A chat is exported and imported with all branches, without cost; a wrong file is refused as a whole. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const FILE: ChatFile = {
  dailies: 'chat',
  form: 1,
  title: 'Five shots',
  model: 'language',
  createdAt: 1_000,
  active: 'b2',
  branches: [
    { id: 'b1', createdAt: 1_000 },
    { id: 'b2', parent: 'b1', message: 'm3', behind: 'm2', createdAt: 4_000 },
    { id: 'b3', parent: 'b2', message: 'm4', behind: 'm4', createdAt: 6_000 },
  ],
  messages: [
    { id: 'm1', branch: 'b1', role: 'user', text: 'A harbour', createdAt: 1_000 },
    {
      ...{ id: 'm2', after: 'm1', branch: 'b1', role: 'assistant', text: 'A **quay**.', createdAt: 2_000 },
      ...{ state: 'done', model: 'language', usage: { promptTokens: 4, completionTokens: 3, totalTokens: 7 } },
      costNano: 700,
    },
    { id: 'm3', after: 'm2', branch: 'b2', role: 'user', text: 'Darker', createdAt: 4_000 },
    {
      ...{ id: 'm4', after: 'm3', branch: 'b2', role: 'assistant', text: 'At night', createdAt: 5_000 },
      ...{ state: 'partial', finishReason: 'length', reasoning: 'It rains.', costNano: 900 },
    },
  ],
};
const json = (change: object = {}): string => JSON.stringify({ ...FILE, ...change });

type Studio = Awaited<ReturnType<typeof openStudio>>;

async function exported({ ask, events }: Studio, conversationId: string, format: 'markdown' | 'json'): Promise<string> {
  const { id } = await ask('chat.export', { conversationId, format });
  await expect.poll(async () => (await ask('exports.get', { id })).state).toBe('done');
  expect(events.some(({ type }) => type === 'export.changed')).toBe(true);
  const { folder, files } = await ask('exports.get', { id });
  return readFileSync(path.join(folder, files[0]?.name ?? ''), 'utf8');
}

test('a chat comes in with its branches, and leaves as it came in', async () => {
  const studio = await openStudio();
  const { ask } = studio;
  const { conversationId, messages } = await ask('chat.import', { json: json() });
  expect(messages).toBe(4);
  const thread = await ask('chat.get', { conversationId });
  expect(thread.messages.map(({ role, text, state }) => [role, text, state])).toEqual([
    ['user', 'A harbour', 'done'],
    ['assistant', 'A **quay**.', 'done'],
    ['user', 'Darker', 'done'],
    ['assistant', 'At night', 'partial'],
  ]);
  expect(thread.messages[1]).toMatchObject({ model: 'language', costElsewhereNano: 700 });
  expect(thread.branches).toHaveLength(3);
  expect(thread.conversation).toMatchObject({ title: 'Five shots', chargedNano: 0, messageCount: 4 });

  // Ids are its own, all else is as it was.
  const again = JSON.parse(await exported(studio, conversationId, 'json')) as ChatFile;
  const plain = ({ branches, messages: said, active, ...rest }: ChatFile) => {
    const names = new Map([...branches, ...said].map(({ id }, index) => [id, index]));
    const known = (value: unknown) => (typeof value === 'string' ? (names.get(value) ?? value) : value);
    const renamed = (one: object) => Object.fromEntries(Object.entries(one).map(([key, value]) => [key, known(value)]));
    return { ...rest, active: known(active), branches: branches.map(renamed), messages: said.map(renamed) };
  };
  expect(plain({ ...again, createdAt: 0 })).toEqual(plain({ ...FILE, createdAt: 0 }));
});

test('an answer with many calls, long ids and what its gateway wants back with them comes in as it left', async () => {
  const studio = await openStudio();
  const call = (at: number) => ({
    id: `call_${at}__thought__${'QUJD'.repeat(240)}`,
    name: 'draft_shots',
    arguments: '{}',
  });
  const calls = Array.from({ length: 201 }, (_, at) => ({ ...call(at), thoughtSignature: 'EjQKMgEM' }));
  const more = { reasoning: 'It rains.', reasoningField: 'reasoning_content' as const };
  const results = calls.slice(0, 3).map((one) => ({ ...one, content: '{}' }));
  const answer = { ...FILE.messages[1], ...more, toolCalls: calls, toolResults: results };
  const { conversationId } = await studio.ask('chat.import', {
    json: json({ messages: FILE.messages.with(1, answer as ChatFile['messages'][number]) }),
  });
  const { messages } = JSON.parse(await exported(studio, conversationId, 'json')) as ChatFile;
  expect(messages[1]).toMatchObject({ ...more, toolCalls: calls, toolResults: results });
});

test('what came in is found, is answered in its branch, and costs nothing here', async () => {
  const { ask } = await openStudio();
  await ask('queue.pause');
  const { conversationId } = await ask('chat.import', { json: json() });
  expect((await ask('search.all', { text: 'quay' })).hits).toMatchObject([{ type: 'message', conversationId }]);
  const { jobId } = await ask('chat.send', { conversationId, text: 'Rain', model: 'language' });
  const { request } = await ask('jobs.get', { id: jobId });
  expect((request as { messages: { content: string }[] }).messages.map(({ content }) => content)).toEqual([
    'A harbour',
    'A **quay**.',
    'Darker',
    'At night',
    'Rain',
  ]);
  const { sum } = await ask('ledger.totals', { groupBy: 'model', play: true });
  expect(sum.settledNano).toBe(0);
});

test('as Markdown the active branch is read, with its model, times and what it cost', async () => {
  const studio = await openStudio();
  const { conversationId } = await studio.ask('chat.import', { json: json({ title: 'Five\nshots # one' }) });
  const text = await exported(studio, conversationId, 'markdown');
  expect(text.split('\n')[0]).toMatch(/^# Five.*shots # one$/);
  expect(text).toContain('*One branch of 3, 4 messages, $0.00 at most.*');
  expect(text).toContain('## language, 1970-01-01 00:00 UTC\n\nA **quay**.\n');
  expect(text).toContain('At night\n\n*It was cut off here.*');
});

test('as Markdown it says what is unconfirmed of its cost', () => {
  const sum = { messageCount: 0, chargedNano: 20_000_000, uncertainNano: 90_000_000, unpriced: 1 };
  expect(chatMarkdown({ title: 'A', messages: [], branches: 1, sum })).toContain(
    '0 messages, $0.02 at most, $0.09 unconfirmed, 1 without a price.*',
  );
  const unpriced = { ...sum, chargedNano: 0, uncertainNano: 0 };
  expect(chatMarkdown({ title: 'A', messages: [], branches: 1, sum: unpriced })).toContain(
    '0 messages, 1 without a price.*',
  );
});

describe('a file that is wrong brings nothing in, and says where', () => {
  const [first, second, third] = FILE.messages;
  const bad: [string, string, string][] = [
    ['no JSON', 'A chat', 'json: is no JSON. Choose a chat that was exported as JSON.'],
    ['another file', JSON.stringify({ dailies: 1 }), "dailies: must be 'chat'"],
    ['a newer form', json({ form: 2 }), 'form: must be 1'],
    ['a field nobody knows', json({ apiKey: 'x' }), 'apiKey'],
    ['no branch', json({ branches: [] }), 'branches: needs at least one entry'],
    ['an active branch that is not there', json({ active: 'b9' }), 'active: must name a branch of the file.'],
    [
      'a branch before its parent',
      json({ branches: [FILE.branches[1], FILE.branches[0], FILE.branches[2]] }),
      'branches.0.parent: must name a branch that stands before it.',
    ],
    ['a message twice', json({ messages: [first, first] }), 'messages.1.id: stands there twice.'],
    [
      'a message that follows a later one',
      json({ messages: [{ ...first, after: 'm2' }, second, third] }),
      'messages.0.after: must name a message that stands before it.',
    ],
    [
      'a message of no branch',
      json({ messages: [{ ...first, branch: 'b7' }] }),
      'messages.0.branch: must name a branch of the file.',
    ],
    ['a role', json({ messages: [{ ...first, role: 'system' }] }), "messages.0.role: must be 'user' or 'assistant'"],
    ['a cost below nothing', json({ messages: [{ ...first, costNano: -1 }] }), 'messages.0.costNano'],
    ['what nests deep', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, ''],
    ['a place that is not there', json({ messages: [first, second] }), 'branches.1.message: must name a message'],
  ];
  test.each(bad)('%s', async (_, text, sentence) => {
    const { ask, call } = await openStudio();
    const answer = await call('chat.import', { json: text });
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(answer.ok ? '' : answer.error.message).toContain(sentence);
    expect((await ask('chat.list', {})).total).toBe(0);
  });

  test('a project that is not there', async () => {
    const { call } = await openStudio();
    expect(await call('chat.import', { json: json(), projectId: 'none' })).toMatchObject({ ok: false });
  });
});

/** A studio with a chat that has one answer from a gateway with this token usage. */
async function answered(usage: object, prices: Price[] = []) {
  const choices = [{ message: { content: 'A quay.' }, finish_reason: 'stop' }];
  const { baseUrl } = await startService(() => ({ body: { choices, usage } }));
  const sandbox = { ...profileSchema.parse({ baseUrl }), id: 'sandbox', name: 'Sandbox', prices };
  const studio = await openStudio({ sandbox });
  const { ask } = studio;
  await ask('queue.resume', {});
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const { jobId } = await ask('chat.send', { conversationId, text: 'A harbour', stream: false });
  await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
  return { studio, conversationId, job: await ask('jobs.get', { id: jobId }) };
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

test('an answer whose prompt came from a cache leaves with its counts, and its chat comes in again', async () => {
  const usage = { ...USAGE, prompt_tokens_details: { cached_tokens: 8 } };
  const { studio, conversationId, job } = await answered(usage);
  expect(job.result?.usage).toMatchObject({ cachedTokens: 8 });
  const text = await exported(studio, conversationId, 'json');
  expect((JSON.parse(text) as ChatFile).messages[1]?.usage).toEqual({
    promptTokens: 10,
    completionTokens: 5,
    totalTokens: 15,
  });
  expect((await studio.ask('chat.import', { json: text })).messages).toBe(2);
});

test('an answer without a known price leaves without a cost, and one of another price with it', async () => {
  const price = (reading: Price['readings'][number]): Price => ({
    ...{ kind: 'chat', model: 'language', readings: [reading], settledReading: 0, source: 'a list' },
  });
  const costOf = async (prices: Price[]) => {
    const { studio, conversationId } = await answered(USAGE, prices);
    const { messages } = JSON.parse(await exported(studio, conversationId, 'json')) as ChatFile;
    return Object.entries(messages[1] ?? {}).filter(([name]) => name === 'costNano');
  };
  expect(await costOf([price({ unit: 'image', nano: 1 })])).toEqual([]);
  expect(await costOf([price({ unit: 'token', inputNano: 0, outputNano: 0 })])).toEqual([['costNano', 0]]);
});
