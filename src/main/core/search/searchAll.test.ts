import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { SearchHit } from '../../../shared/library/search/searchCall.ts';
import { sql } from '../store/index.ts';
import { searchAll } from './index.ts';

const openStudio = studiosOfThisFile();
const startEngine = engineHarnesses();

/** A studio with a word in everything that is searched; nothing is sent. */
async function filled(clock = new TestClock()) {
  const { ask, call } = await openStudio({ ports: { clock } });
  await ask('queue.pause');
  const project = await ask('projects.create', { name: 'Harbour film' });
  const shots = [
    { id: 's1', title: 'Pier', prompt: 'A lighthouse at dawn' },
    { id: 's2', title: 'Lighthouse stairs', prompt: '' },
  ];
  await ask('storyboard.save', { projectId: project.id, revision: 0, shots });
  const { jobs } = await ask('jobs.enqueue', {
    requests: [
      { kind: 'imagine', prompt: '雪山上的日出，灯塔' },
      { kind: 'imagine', prompt: 'A lighthouse in a storm' },
    ],
  });
  const { conversationId } = await ask('chat.create', { title: 'Towers' });
  await ask('chat.send', { conversationId, text: 'How tall is a lighthouse?', model: 'language' });
  return { ask, call, projectId: project.id, jobs, conversationId };
}

const summed = (hits: readonly SearchHit[]) => hits.map(({ type, title }) => `${type} ${title}`);

test('everything that holds the words is found, with where it is and where they stand', async () => {
  const { ask, projectId, jobs, conversationId } = await filled();
  const { hits, nextCursor } = await ask('search.all', { text: 'LIGHTh' });
  expect(nextCursor).toBeUndefined();
  expect(summed(hits).toSorted()).toEqual([
    'job A lighthouse in a storm',
    'job How tall is a lighthouse?',
    'message Towers',
    'shot Lighthouse stairs',
    'shot Pier',
  ]);
  for (const { snippet, found } of hits) expect(snippet.slice(found?.start, found?.end)).toMatch(/^lighthouse$/i);
  expect(hits).toContainEqual(
    expect.objectContaining({ type: 'job', id: jobs[1]?.id, snippet: 'A lighthouse in a storm' }),
  );
  expect(hits).toContainEqual(expect.objectContaining({ type: 'shot', id: 's1', projectId }));
  expect(hits).toContainEqual(expect.objectContaining({ type: 'message', conversationId }));
  expect(hits.map(({ at }) => at)).toEqual(hits.map(({ at }) => at).toSorted((a, b) => b - a));
});

test.each([
  ['灯塔', ['job 雪山上的日出，灯塔']],
  ['日', ['job 雪山上的日出，灯塔']],
  ['"a storm"', ['job A lighthouse in a storm']],
  ['"storm a"', []],
  ['lighthouse dawn', ['shot Pier']],
  ['nothing', []],
  ['', []],
  ['?!', []],
  ['" OR *', []],
])('%s finds what holds it', async (text, wanted) => {
  const { ask } = await filled();
  expect(summed((await ask('search.all', { text })).hits)).toEqual(wanted);
});

test('what is removed is found no more, and again when it is restored', async () => {
  const { ask, projectId, conversationId } = await filled();
  const types = async () => (await ask('search.all', { text: 'lighthouse' })).hits.map(({ type }) => type).toSorted();
  await ask('projects.remove', { id: projectId });
  expect(await types()).toEqual(['job', 'job', 'message']);
  await ask('chat.remove', { conversationId });
  expect(await types()).toEqual(['job', 'job']);
  await ask('projects.restore', { id: projectId });
  expect(await types()).toEqual(['job', 'job', 'shot', 'shot']);
  const board = await ask('storyboard.get', { projectId });
  await ask('storyboard.save', { ...board, shots: board.shots.slice(1) });
  expect(await types()).toEqual(['job', 'job', 'shot']);
  await ask('board.undo', { projectId });
  expect(await types()).toEqual(['job', 'job', 'shot', 'shot']);
});

test('pages follow each other without a gap or a repeat, newest first', async () => {
  const { ask, call } = await filled();
  const prompts = Array.from({ length: 12 }, (_, n) => `Lighthouse ${n}`);
  await ask('jobs.enqueue', { requests: prompts.map((prompt) => ({ kind: 'imagine' as const, prompt })) });
  const whole = (await ask('search.all', { text: 'lighthouse', limit: 500 })).hits;
  expect(whole.length).toBe(17);
  for (const limit of [1, 3, 5, 17]) {
    const hits: SearchHit[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await ask('search.all', { text: 'lighthouse', limit, ...(cursor ? { cursor } : {}) });
      expect(page.hits.length).toBeLessThanOrEqual(limit);
      hits.push(...page.hits);
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    expect(hits).toEqual(whole);
  }
  expect(await call('search.all', { text: 'a', cursor: '1.2' as never })).toMatchObject({ ok: false });
});

test('what was made elsewhere long ago stands where it came in, and holds back nothing', async () => {
  const clock = new TestClock();
  const { ask } = await filled(clock);
  await clock.advance(1_000);
  const before = summed((await ask('search.all', { text: 'lighthouse' })).hits);
  const message = { id: 'm', branch: 'b', role: 'user', text: 'An old lighthouse', createdAt: 1_000 };
  const chat = { dailies: 'chat', form: 1, title: 'Old', createdAt: 1_000, active: 'b' };
  const branches = [{ id: 'b', createdAt: 1_000 }];
  await ask('chat.import', { json: JSON.stringify({ ...chat, branches, messages: [message] }) });
  const { hits } = await ask('search.all', { text: 'lighthouse' });
  expect(summed(hits)).toEqual(['message Old', ...before]);
  expect(hits[0]?.at).toBe(1_000);
});

test('so do the jobs of a bundle, which came with their project', async () => {
  const { clock, enqueue, engine, library, store } = startEngine();
  engine.commands.setPaused(true);
  await library.upload({ name: 'Lighthouse.png', body: Readable.from([testPng(8, 8)]) });
  await clock.advance(60_000);
  await enqueue({ kind: 'imagine', prompt: 'A lighthouse' });
  await clock.advance(60_000);
  const project = sql('test.project', `INSERT INTO projects (id, name, created_at) VALUES ('old', 'Old', $now)`);
  const request = { kind: 'imagine' as const, prompt: 'An old lighthouse' };
  store.transaction((db) => {
    db.run(project, { now: clock.now() });
    for (const id of ['one', 'two'])
      engine.commands.writeImportedJob(db, {
        ...{ id, state: 'succeeded', request, projectId: 'old', createdAt: 1_000, elsewhere: { play: false } },
      } as never);
  });
  const { hits } = searchAll(store.read, { text: 'lighthouse', limit: 3 });
  expect(summed(hits)).toEqual(['job An old lighthouse', 'job An old lighthouse', 'job A lighthouse']);
});

test('a page reads its rows in the order of the index, and sorts nothing', () => {
  const { store } = startEngine();
  const db = withPlans(store.read);
  searchAll(db, { text: 'a', limit: 50 });
  const plans = db.plans.filter(({ name }) => name.includes('find'));
  expect(plans.length).toBe(4);
  for (const { plan } of plans) {
    expect(plan).toMatch(/^SCAN hit VIRTUAL TABLE INDEX \d+:<?.*M/);
    expect(plan).toContain('USING INTEGER PRIMARY KEY (rowid=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
