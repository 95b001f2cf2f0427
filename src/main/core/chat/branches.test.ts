import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import { MAX_BRANCHES } from '../../../shared/chat/chatFile.ts';
import { GO_ON } from '../../../shared/chat/finish.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { sql } from '../store/index.ts';
import { pageOf } from './tree.ts';

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();
const startEngine = engineHarnesses();
/** A paused studio with one conversation. */
async function start(baseUrl = 'http://127.0.0.1:9') {
  const sandbox = { ...profileSchema.parse({ baseUrl }), id: 'sandbox', name: 'Sandbox' };
  const { ask, call } = await openStudio({ sandbox });
  await ask('queue.pause');
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const send = (text: string) => ask('chat.send', { conversationId, text, stream: false });
  const get = (branch?: string) => ask('chat.get', { conversationId, ...(branch ? { branch } : {}) });
  return {
    ask,
    call,
    conversationId,
    send,
    get,
    questions: async (branch?: string) =>
      (await get(branch)).messages.filter(({ role }) => role === 'user').map(({ text }) => text),
    idOf: async (text: string, branch?: string) => (await get(branch)).messages.find((m) => m.text === text)?.id ?? '',
    sentBy: async (jobId: string) => {
      const job: Job = await ask('jobs.get', { id: jobId });
      return job.request.kind === 'chat' ? job.request.messages.map(({ content }) => content) : [];
    },
  };
}

/** A gateway that ends each answer as given; the answers are numbered. */
async function service(endings: string[]) {
  const { baseUrl, received } = await startService(() => {
    const { length } = received;
    const finish_reason = endings[Math.min(length, endings.length) - 1];
    const choices = [{ message: { content: `part ${length} ` }, finish_reason }];
    return { body: { choices, usage: { prompt_tokens: 10, completion_tokens: 5 } } };
  });
  const chat = await start(baseUrl);
  await chat.ask('queue.resume', {});
  const answer = async (id: string) => {
    await expect.poll(async () => (await chat.ask('jobs.get', { id })).state).toBe('succeeded');
  };
  return { ...chat, answer };
}

describe('an edited message', () => {
  test('starts a branch of its own, which is active; the model is sent nothing of the one that was left', async () => {
    const { ask, conversationId, send, idOf, questions, sentBy, get } = await start();
    await send('one');
    await send('two');
    await send('three');
    const first = (await get()).branch;
    const made = await ask('chat.edit', { conversationId, messageId: await idOf('two'), text: 'other' });
    expect(made.branch).not.toBe(first);
    expect(await questions()).toEqual(['one', 'other']);
    expect(await questions(first)).toEqual(['one', 'two', 'three']);
    expect(await sentBy(made.jobId)).toEqual(['one', 'other']);
    expect((await get()).branches).toEqual([
      { id: first, messageId: await idOf('one'), createdAt: expect.any(Number), active: false },
      {
        id: made.branch,
        messageId: await idOf('two', first),
        parent: first,
        createdAt: expect.any(Number),
        active: true,
      },
    ]);
    const next = await send('after');
    expect(await sentBy(next.jobId)).toEqual(['one', 'other', 'after']);
  });

  test('twice at once: two branches, each with its answer', async () => {
    const { ask, conversationId, send, idOf, questions, get } = await start();
    await send('one');
    const messageId = await idOf('one');
    const edit = (text: string) => ask('chat.edit', { conversationId, messageId, text });
    const [a, b] = await Promise.all([edit('a'), edit('b')]);
    expect(new Set([a.branch, b.branch, a.jobId, b.jobId]).size).toBe(4);
    expect(await Promise.all([questions(a.branch), questions(b.branch)])).toEqual([['a'], ['b']]);
    const { branches } = await get();
    expect(branches.filter(({ active }) => active)).toHaveLength(1);
    expect(branches.at(-1)?.active).toBe(true);
  });

  test('is never an answer, and is of this conversation', async () => {
    const { ask, call, conversationId, send } = await start();
    const { messageId } = await send('one');
    const input = { conversationId, messageId, text: 'x' };
    expect(await call('chat.edit', input)).toMatchObject({ error: { code: 'invalid_input' } });
    const { conversationId: other } = await ask('chat.create', {});
    expect(await call('chat.edit', { ...input, conversationId: other })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await call('chat.branch', { conversationId: other, messageId })).toMatchObject({ ok: false });
  });
});

test('every place where there are others says which it is, and the branches beside it', async () => {
  const { ask, conversationId, send, idOf, get } = await start();
  await send('one');
  const first = (await get()).branch;
  const messageId = await idOf('one');
  const two = await ask('chat.edit', { conversationId, messageId, text: 'two' });
  const three = await ask('chat.edit', { conversationId, messageId, text: 'three' });
  const again = await ask('chat.regenerate', { conversationId, messageId: two.messageId });
  const { variants } = await get(two.branch);
  expect(variants).toContainEqual({
    messageId: await idOf('two', two.branch),
    at: 2,
    of: 3,
    previous: first,
    next: three.branch,
  });
  expect(variants).toContainEqual({ messageId: two.messageId, at: 1, of: 2, next: again.branch });
  expect(variants).toHaveLength(2);
});

test('a branch starts behind a message, and the next message follows it; asked for again, it is the same while empty', async () => {
  const { ask, conversationId, send, questions, sentBy, get } = await start();
  const one = await send('one');
  await send('two');
  const input = { conversationId, messageId: one.messageId };
  const { branch } = await ask('chat.branch', input);
  expect(await ask('chat.branch', input)).toEqual({ branch });
  expect(await questions()).toEqual(['one']);
  const made = await send('elsewhere');
  expect(await sentBy(made.jobId)).toEqual(['one', 'elsewhere']);
  expect((await get()).branch).toBe(branch);
  expect((await ask('chat.branch', input)).branch).not.toBe(branch);
});

test('the active branch is the one that is read and written; another may be named', async () => {
  const { ask, call, conversationId, send, idOf, questions, get } = await start();
  await send('one');
  const first = (await get()).branch;
  const { branch } = await ask('chat.edit', { conversationId, messageId: await idOf('one'), text: 'other' });
  const before = (await get()).conversation.revision;
  expect(await ask('chat.activate', { conversationId, branch: first })).toBeNull();
  expect((await get()).conversation.revision).toBeGreaterThan(before);
  await send('two');
  expect(await questions()).toEqual(['one', 'two']);
  await ask('chat.send', { conversationId, branch, text: 'there' });
  expect(await questions()).toEqual(['other', 'there']);
  expect(await call('chat.activate', { conversationId, branch: 'none' })).toMatchObject({
    error: { code: 'not_found', data: { field: 'branch' } },
  });
});

describe('a new answer', () => {
  test('to what was asked, while the old one is still to come: both stand, and both are paid', async () => {
    const { ask, conversationId, send, sentBy, get } = await start();
    const one = await send('one');
    const { branch: first } = await get();
    const made = await ask('chat.regenerate', { conversationId, messageId: one.messageId });
    expect(await sentBy(made.jobId)).toEqual(['one']);
    expect((await get(first)).messages.at(-1)).toMatchObject({ id: one.messageId, jobId: one.jobId });
    expect((await get()).messages.map(({ jobId }) => jobId)).toEqual([undefined, made.jobId]);
    expect((await ask('jobs.list', {})).total).toBe(2);
  });
});

/** A gateway that never finishes its first answer; later ones are complete. */
async function breakingOff() {
  let answered = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      answered += 1;
      const part = JSON.stringify({ choices: [{ delta: { content: `answer ${answered}` } }] });
      response.setHeader('content-type', 'text/event-stream').write(`data: ${part}\n\n`);
      if (answered > 1) response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const chat = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await chat.ask('queue.resume', {});
  const { conversationId } = chat;
  const until = (id: string, state: Job['state']) =>
    expect.poll(async () => (await chat.ask('jobs.get', { id })).state).toBe(state);
  const cut = await chat.ask('chat.send', { conversationId, text: 'one' });
  await until(cut.jobId, 'running');
  await chat.ask('chat.stop', { conversationId });
  await expect
    .poll(async () => (await chat.get()).messages.at(-1))
    .toMatchObject({ text: 'answer 1', state: 'partial' });
  return { ...chat, until, cut };
}

describe('a cut answer that is requested again', () => {
  test('stands in its place, in a branch of its own, where something follows it', async () => {
    const { ask, conversationId, get, send, sentBy, until, cut } = await breakingOff();
    await until((await ask('chat.send', { conversationId, text: 'two' })).jobId, 'succeeded');
    const { branch: first } = await get();
    await until((await ask('jobs.retry', { id: cut.jobId })).id, 'succeeded');
    const texts = async (branch?: string) => (await get(branch)).messages.map(({ text }) => text);
    expect(await texts(first)).toEqual(['one', 'answer 1', 'two', 'answer 2']);
    expect((await get()).branch).not.toBe(first);
    expect(await texts()).toEqual(['one', 'answer 3']);
    expect(await sentBy((await send('next')).jobId)).toEqual(['one', 'answer 3', 'next']);
  });

  test('follows what was said since where there is no space for a branch', async () => {
    const { ask, conversationId, get, until, cut } = await breakingOff();
    await until((await ask('chat.send', { conversationId, text: 'two' })).jobId, 'succeeded');
    const { branch, messages } = await get();
    await ask('queue.pause');
    const messageId = messages.at(-1)?.id ?? '';
    for (let made = 1; made < MAX_BRANCHES; made += 1)
      await ask('chat.regenerate', { conversationId, messageId, stream: false });
    await ask('jobs.retry', { id: cut.jobId });
    const { messages: now } = await get(branch);
    expect(now.map(({ text }) => text)).toEqual(['one', 'answer 1', 'two', 'answer 2', '']);
  });

  test('follows it where nothing else does, and is shown', async () => {
    const { ask, conversationId, get, until, cut } = await breakingOff();
    const { branch, messages } = await get();
    await ask('chat.branch', { conversationId, messageId: messages[0]?.id ?? '' });
    await until((await ask('jobs.retry', { id: cut.jobId })).id, 'succeeded');
    expect((await get()).messages.map(({ text }) => text)).toEqual(['one', 'answer 1', 'answer 2']);
    expect((await get()).branch).toBe(branch);
  });
});

describe('an answer that was cut at its length', () => {
  test('goes on, in its branch; both are one answer to the model, and both are charged', async () => {
    const { ask, conversationId, send, answer, sentBy, get } = await service(['length', 'length', 'stop']);
    const one = await send('one');
    await answer(one.jobId);
    const { branch } = await get();
    const two = await ask('chat.continue', { conversationId, messageId: one.messageId, stream: false });
    await answer(two.jobId);
    const three = await ask('chat.continue', { conversationId, messageId: two.messageId, stream: false });
    await answer(three.jobId);
    expect([two.branch, three.branch]).toEqual([branch, branch]);
    expect(await sentBy(three.jobId)).toEqual(['one', 'part 1 part 2 ', GO_ON]);
    expect((await get()).messages.map(({ continues, state }) => [continues, state])).toEqual([
      [undefined, 'done'],
      [undefined, 'partial'],
      [one.messageId, 'partial'],
      [two.messageId, 'done'],
    ]);
    const next = await send('next');
    expect(await sentBy(next.jobId)).toEqual(['one', 'part 1 part 2 part 3 ', 'next']);
    const again = await ask('chat.regenerate', { conversationId, messageId: three.messageId });
    expect(await sentBy(again.jobId)).toEqual(['one']);
  });

  test('goes on in a new branch where something follows it', async () => {
    const { ask, conversationId, send, answer, get } = await service(['length']);
    const one = await send('one');
    await answer(one.jobId);
    await answer((await send('two')).jobId);
    const { branch } = await get();
    const made = await ask('chat.continue', { conversationId, messageId: one.messageId });
    expect(made.branch).not.toBe(branch);
    expect((await get()).messages).toHaveLength(3);
  });

  test('an answer that is whole does not go on', async () => {
    const { call, conversationId, send, answer } = await service(['stop']);
    const one = await send('one');
    await answer(one.jobId);
    expect(await call('chat.continue', { conversationId, messageId: one.messageId })).toMatchObject({
      error: { code: 'wrong_state', data: { field: 'messageId' } },
    });
  });
});

test('the map says what was written in each branch and what it cost, and the sum of the whole way', async () => {
  const { ask, conversationId, send, idOf, answer, get } = await service(['stop']);
  await answer((await send('one')).jobId);
  const first = (await get()).branch;
  await answer((await send('two')).jobId);
  const made = await ask('chat.edit', { conversationId, messageId: await idOf('two'), text: 'other', stream: false });
  await answer(made.jobId);
  const { branches, way } = await ask('chat.branches', { conversationId });
  const { chargedNano } = (await get()).conversation;
  expect(branches.map(({ title, messageCount, active }) => [title, messageCount, active])).toEqual([
    ['one', 4, false],
    ['other', 2, true],
  ]);
  expect(chargedNano).toBeGreaterThan(0);
  expect(branches.reduce((sum, branch) => sum + branch.chargedNano, 0)).toBe(chargedNano);
  expect(way).toEqual({ messageCount: 4, chargedNano: (chargedNano / 3) * 2, uncertainNano: 0, unpriced: 0 });
  const other = await ask('chat.branches', { conversationId, branch: first });
  expect(other.way.messageCount).toBe(4);
});

test('a search finds words of a branch that was left, and says which; the list finds its chat', async () => {
  const { ask, conversationId, send, idOf, get } = await start();
  await send('a lighthouse');
  const first = (await get()).branch;
  await ask('chat.edit', { conversationId, messageId: await idOf('a lighthouse'), text: 'a harbour' });
  const { hits } = await ask('search.all', { text: 'lighthouse', types: ['message'] });
  expect(hits).toEqual([expect.objectContaining({ type: 'message', conversationId, branch: first, role: 'user' })]);
  await ask('chat.set', { conversationId, title: 'Towers' });
  expect((await ask('chat.list', { text: 'lighthouse' })).conversations).toMatchObject([{ title: 'Towers' }]);
  expect((await ask('chat.list', { text: 'nothing' })).total).toBe(0);
});

describe('a tree of messages in a file', () => {
  /** 600 messages in one conversation, among as many of others. */
  function grown() {
    const { store } = startEngine();
    store.transaction((db) => {
      const run = (text: string) => db.run(sql('grow', text));
      run(
        `INSERT INTO conversations (id, title, branch_id, created_at, updated_at) VALUES ('k', '', 'b', 1, 1), ('o', '', 'x', 1, 1)`,
      );
      run(`INSERT INTO branches (id, conversation_id, created_at) VALUES ('b', 'k', 1), ('x', 'o', 1)`);
      run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO messages (seq, id, conversation_id, role, text, created_at, branch_id, parent_seq)
        SELECT i, 'm' || i, iif(i % 2, 'k', 'o'), 'user', 't', 1, iif(i % 2, 'b', 'x'), iif(i > 2, i - 2, NULL) FROM n`);
    });
    return store;
  }

  test('is read by its keys, in one statement for its messages', () => {
    const db = withPlans(grown().read);
    expect(pageOf(db, 'k', 1199, 1).messages).toHaveLength(500);
    expect(db.plans.map(({ name }) => name)).toEqual(['chat.way', 'chat.followers']);
    for (const { plan } of db.plans) expect(plan).not.toMatch(/SCAN (m|j)(;|$)/);
    expect(db.plans[0]?.plan).toContain('SEARCH m USING INTEGER PRIMARY KEY (rowid=?)');
    expect(db.plans[1]?.plan).toContain('messages_by_parent (conversation_id=? AND parent_seq=?)');
  });

  test.each([
    ['a cycle', 1199],
    ['one that follows itself', 601],
    ['a missing message', 5000],
    ['one of another conversation', 600],
  ])('with %s it ends there', (_, parent) => {
    const store = grown();
    store.transaction((db) => db.run(sql('damage', `UPDATE messages SET parent_seq = ${parent} WHERE seq = 601`)));
    const { messages, earlier } = pageOf(store.read, 'k', 1199, 1);
    expect(messages).toHaveLength(300);
    expect(earlier).toBeUndefined();
    expect(messages[0]?.id).toBe('m601');
  });
});
