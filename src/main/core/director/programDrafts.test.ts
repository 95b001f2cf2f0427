import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { databaseFile } from '../store/index.ts';

/** Drafts of a program: in a chat of its own, quoted, and never made without the user. */

const openStudio = studiosOfThisFile();

async function start() {
  const studio = await openStudio();
  await studio.ask('queue.pause', {});
  const { id: projectId } = await studio.ask('projects.create', { name: 'Last Ferry' });
  const draft = (prompt: string) =>
    studio.ask('director.draft', {
      projectId,
      client: 'A program',
      tool: 'draft_shots',
      arguments: { shots: [{ prompt, model: 'video-standard', config: { durationSeconds: 4 } }] },
    });
  return { ...studio, projectId, draft };
}

test('a drafted shot has its price and its quote; the board stays, and the calls of one program stand in one chat', async () => {
  const { ask, draft, projectId } = await start();
  const first = await draft('A quay');
  const second = await draft('A lamp');
  const conversationId = first.conversationId ?? '';
  expect(second.conversationId).toBe(conversationId);
  expect(first.drafts).toMatchObject([
    { state: 'open', kind: 'newShot', quoteId: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect((await ask('storyboard.get', { projectId })).shots).toEqual([]);
  expect((await ask('jobs.list', {})).jobs).toEqual([]);
  const { messages, conversation } = await ask('chat.get', { conversationId });
  expect([conversation.title, messages.length]).toEqual(['Asked by A program', 2]);
  const { drafts } = await ask('director.drafts', { conversationId });
  const { jobs, board } = await ask('director.approve', { ids: drafts.map(({ id }) => id) });
  expect([jobs.length, board?.shots.length]).toEqual([2, 2]);
  expect((await ask('quotes.get', { id: drafts[0]?.quoteId ?? '' })).state).toBe('approved');
});

test('a changed draft is another quote, and what was quoted before is void', async () => {
  const { ask, call, draft } = await start();
  const [before] = (await draft('A quay')).drafts;
  const id = before?.id ?? '';
  const { draft: after } = await ask('director.change', { id, change: { config: { durationSeconds: 8 } } });
  expect(after.estimateNano).toBe((before?.estimateNano ?? 0) * 2);
  expect(after.shot).toMatchObject({ prompt: 'A quay', config: { durationSeconds: 8 } });
  expect((await ask('quotes.get', { id: before?.quoteId ?? '' })).state).toBe('void');
  expect(await call('quotes.approve', { id: before?.quoteId ?? '' })).toMatchObject({ error: { code: 'conflict' } });
  expect(await call('director.change', { id, change: { config: { durationSeconds: 5 } } })).toMatchObject({
    error: { code: 'invalid_input', message: expect.stringContaining('4, 6 or 8') },
  });
  expect(await call('director.change', { id, change: { money: 1 } })).toMatchObject({
    error: { code: 'invalid_input' },
  });
  await ask('director.decline', { ids: [id] });
  expect(await call('director.change', { id, change: { title: 'x' } })).toMatchObject({
    error: { code: 'wrong_state' },
  });
});

test('what a program changed after it was seen is not approved', async () => {
  const { ask, call, draft } = await start();
  const [seen] = (await draft('A quay')).drafts;
  const [id, quoteId] = [seen?.id ?? '', seen?.quoteId ?? ''];
  await ask('director.change', { id, change: { prompt: 'Something else at the same price' } });
  const shown = { estimateNano: seen?.estimateNano ?? 0, lowNano: seen?.lowNano ?? 0, unpriced: 0 };
  expect(await call('director.approve', { ids: [id], quotes: [quoteId], shown })).toMatchObject({
    ok: false,
    error: { code: 'conflict', data: { ids: [id] }, message: expect.stringContaining('nothing was sent') },
  });
  expect((await ask('jobs.list', {})).jobs).toEqual([]);
  const { drafts } = await ask('director.drafts', { conversationId: seen?.conversationId ?? '' });
  await ask('director.approve', { ids: [id], quotes: drafts.map((one) => one.quoteId ?? ''), shown });
  expect((await ask('jobs.list', {})).jobs).toHaveLength(1);
});

test('the quotes of a removed chat are void and wait nowhere; the chat come back, they can be approved', async () => {
  const { ask, call, draft, dataDir, events } = await start();
  const { conversationId = '', drafts } = await draft('A quay');
  const id = drafts[0]?.quoteId ?? '';
  await ask('chat.remove', { conversationId });
  expect(events.at(-1)).toEqual({ type: 'quotes.changed' });
  expect(await ask('quotes.list', { state: 'open' })).toEqual({ quotes: [], open: 0 });
  const gone = { state: 'void', voidBecause: 'removed' };
  expect(await ask('quotes.get', { id })).toMatchObject(gone);
  expect((await ask('quotes.list', {})).quotes).toMatchObject([gone]);
  expect(await call('quotes.approve', { id })).toMatchObject({
    error: {
      code: 'conflict',
      message: expect.stringContaining('the chat of its draft was removed. Nothing was sent.'),
    },
  });
  const db = new Database(databaseFile(dataDir));
  db.exec('UPDATE conversations SET removed = 0');
  db.close();
  expect((await ask('quotes.list', { state: 'open' })).open).toBe(1);
  expect((await ask('quotes.approve', { id })).quote.state).toBe('approved');
});

test('what cannot be drafted is told to the program and kept nowhere', async () => {
  const { ask, projectId } = await start();
  const draft = (images: object[]) =>
    ask('director.draft', { projectId, client: 'A program', tool: 'draft_images', arguments: { images } });
  const nothing = await draft([{ prompt: 7 }]);
  expect(nothing).toEqual({
    drafts: [],
    result: expect.objectContaining({ content: expect.stringContaining('not_drafted') }),
  });
  const wrong = await ask('director.draft', {
    projectId,
    client: 'A program',
    tool: 'change_shot',
    arguments: { shot: 9 },
  });
  expect(wrong).toMatchObject({ drafts: [], result: { error: { field: 'shot' } } });
  expect((await ask('chat.list', {})).total).toBe(0);
  const half = await draft([{ prompt: 'A lamp' }, { prompt: 7 }]);
  expect(half.drafts).toHaveLength(1);
  expect(half.result.content).toContain('not_drafted');
  expect((await ask('director.drafts', { conversationId: half.conversationId ?? '' })).drafts).toHaveLength(1);
});

test('one program is stopped at a hundred, those that cannot be made included, and another one is not', async () => {
  const { ask, call, projectId } = await start();
  const shots = (client: string, many: number) => ({
    projectId,
    client,
    tool: 'draft_shots' as const,
    arguments: { shots: Array.from({ length: many }, (_, at) => ({ prompt: `A lamp ${at}`, model: 'none' })) },
  });
  const { drafts } = await ask('director.draft', shots('A program', 40));
  expect(drafts[0]).toMatchObject({ errors: [expect.anything()] });
  // Whatever it calls itself.
  await ask('director.draft', shots('Another name', 40));
  await ask('director.draft', shots('A name (0a1b2c)', 20));
  expect(await call('director.draft', shots('A third name', 1))).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringContaining('100 drafts of “A third name”') },
  });
  await ask('director.draft', { ...shots('A program', 1), run: 'another-connection' });
});

test('a program that changes its draft without end is stopped: each change leaves a quote', async () => {
  const { ask, call, draft } = await start();
  const id = (await draft('A quay')).drafts[0]?.id ?? '';
  const change = (n: number) => call('director.change', { id, change: { prompt: `A quay ${n}` } });
  for (let n = 0; n < 99; n++) expect((await change(n)).ok).toBe(true);
  expect(await change(100)).toMatchObject({ error: { code: 'wrong_state' } });
  await ask('director.decline', { ids: [id] });
});

test('programs of one name draft in chats of their own', async () => {
  const { ask, projectId } = await start();
  const by = async (run?: string) =>
    (
      await ask('director.draft', {
        projectId,
        client: 'Writer',
        ...(run ? { run } : {}),
        tool: 'draft_images',
        arguments: { images: [{ prompt: 'A lamp' }] },
      })
    ).conversationId ?? '';
  const chats = [await by('a'.repeat(43)), await by('b'.repeat(43)), await by(), await by('a'.repeat(43))];
  expect([new Set(chats).size, chats[3]]).toEqual([3, chats[0]]);
  const { conversations } = await ask('chat.list', {});
  expect(conversations.map(({ title }) => title).toSorted()).toEqual([
    'Asked by Writer',
    expect.stringMatching(/^Asked by Writer \([0-9a-f]{6}\)$/),
    expect.stringMatching(/^Asked by Writer \([0-9a-f]{6}\)$/),
  ]);
});
