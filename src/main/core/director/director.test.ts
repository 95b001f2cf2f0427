import { describe, expect, test } from 'vitest';
import { type Called, directorOfThisFile } from '../../../../test/helpers/directorStudio.ts';
import type { Draft } from '../../../shared/chat/director/draft.ts';
import { sumOfDrafts } from '../../../shared/chat/director/draft.ts';
import { DEFAULT_PRICES } from '../../../shared/money/price.ts';

/** A model drafts, the user approves: calls of a model make, change and spend nothing. */

const start = directorOfThisFile();

const FIVE: Called = {
  name: 'draft_shots',
  arguments: {
    shots: [
      { title: 'The rail', prompt: 'A rail, salt drying', config: { durationSeconds: 4 } },
      { title: 'The lamp', prompt: 'A caged lamp', config: { durationSeconds: 6 } },
      { title: 'Too long', prompt: 'A gull', config: { durationSeconds: 5 } },
      { title: 'The wake', prompt: 'The wake behind', joint: 'continue' },
      { title: 'The quay', prompt: 'The quay again', joint: 'extend' },
    ],
  },
};

const price = (drafts: Draft[]) => sumOfDrafts(drafts);

describe('five shots are drafted, one of them malformed', () => {
  test('each stands with its price, the malformed one with its rule; nothing is enqueued by it', async () => {
    const { say, drafts, madeJobs, board, messages, ask, conversationId } = await start([[FIVE]]);
    const messageId = await say('Five shots, please');
    const all = await drafts();
    expect(all.map(({ title, kind, state, shot, errors }) => [title, kind, state, shot?.number, errors])).toEqual([
      ['The rail', 'newShot', 'open', 1, undefined],
      ['The lamp', 'newShot', 'open', 2, undefined],
      [
        'Too long',
        'newShot',
        'open',
        undefined,
        [{ field: 'shots.2.config.durationSeconds', message: 'must be 4, 6 or 8, or 7 when extending' }],
      ],
      ['The wake', 'newShot', 'open', 3, undefined],
      ['The quay', 'newShot', 'open', 4, undefined],
    ]);
    const quantities = [4, 6, 4, 7].map((seconds) => ({
      kind: 'video' as const,
      model: 'video-standard',
      quantity: { seconds, videos: 1 },
    }));
    const { items, estimateNano, lowNano } = await ask('ledger.estimate', { quantities });
    const good = all.filter(({ errors }) => !errors);
    expect(good.map((one) => one.estimateNano)).toEqual(items.map(({ nano }) => nano));
    expect(price(good)).toEqual({ estimateNano, lowNano, unpriced: 0 });
    expect(good[3]?.needs).toEqual([good[2]?.id]);
    expect(good[2]?.needs).toEqual([good[1]?.id]);
    expect([await madeJobs(), (await board()).shots]).toEqual([[], []]);
    expect((await ask('ledger.totals', { groupBy: 'project' })).sum.reservedNano).toBe(0);
    const said = (await messages()).find(({ id }) => id === messageId);
    expect(said?.toolResults).toMatchObject([{ id: 'c10', name: 'draft_shots' }]);
    const told = JSON.parse(said?.toolResults?.[0]?.content ?? '');
    expect(told.drafted).toHaveLength(4);
    expect(told.not_drafted).toEqual(['shots.2.config.durationSeconds: must be 4, 6 or 8, or 7 when extending']);
    expect(conversationId).toBe(all[0]?.conversationId);
  });

  test('one is approved, then the rest of them: the shots stand in their order, each with a take that starts from the one before', async () => {
    const { say, drafts, hold, ask, board, madeJobs } = await start([[FIVE]]);
    await say('Five shots, please');
    await hold();
    const [rail, lamp, , wake, quay] = await drafts();
    if (!rail || !lamp || !wake || !quay) throw new Error('no drafts');
    const one = await ask('director.approve', { ids: [lamp.id], shown: price([lamp]) });
    expect(one.board?.shots.map(({ title, takes }) => [title, takes.length])).toEqual([['The lamp', 1]]);
    const left = (await drafts()).filter(({ state, errors }) => state === 'open' && !errors);
    expect(left.map(({ title, shot }) => [title, shot?.number])).toEqual([
      ['The rail', 1],
      ['The wake', 3],
      ['The quay', 4],
    ]);
    const { jobs } = await ask('director.approve', { ids: left.map(({ id }) => id), shown: price(left) });
    const { shots } = await board();
    expect(shots.map(({ title }) => title)).toEqual(['The rail', 'The lamp', 'The wake', 'The quay']);
    const lampJob = one.jobs[0]?.id;
    expect(jobs[1]?.request).toMatchObject({ image: { jobId: lampJob, frame: 'last' } });
    expect(jobs[2]?.request).toMatchObject({ video: { jobId: jobs[1]?.id }, config: { durationSeconds: 7 } });
    expect(shots.map(({ activeTake }) => activeTake)).toEqual([jobs[0]?.id, lampJob, jobs[1]?.id, jobs[2]?.id]);
    expect(await madeJobs()).toHaveLength(4);
    const approved = (await drafts()).filter(({ state }) => state === 'approved');
    expect(approved.map(({ jobId }) => jobId).sort()).toEqual([lampJob, ...jobs.map(({ id }) => id)].sort());
    const reserved = (await ask('ledger.totals', { groupBy: 'kind' })).rows.find(({ key }) => key === 'video');
    expect(reserved?.reservedNano).toBe(price([lamp, ...left]).estimateNano);
    // A take was sent: no step removes it, nor its shot.
    expect((await ask('board.undo', { projectId: rail.projectId })).board.shots).toHaveLength(4);
  });

  test('what starts from another draft is not approved without it; a malformed one never is', async () => {
    const { say, drafts, hold, call, madeJobs } = await start([[FIVE]]);
    await say('Five shots, please');
    await hold();
    const [rail, , malformed, wake] = await drafts();
    const tried = (...ids: (string | undefined)[]) => call('director.approve', { ids: ids as string[] });
    expect(await tried(rail?.id, wake?.id)).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', message: expect.stringContaining('starts from another draft') },
    });
    expect(await tried(rail?.id, malformed?.id)).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', message: expect.stringContaining('shots.2.config.durationSeconds') },
    });
    expect(await tried(rail?.id, 'gone')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await madeJobs()).toEqual([]);
  });

  test('shots go on the board without a take: nothing is sent or reserved, and the step can be undone', async () => {
    const { say, drafts, ask, call, board, madeJobs, messages, projectId } = await start([[FIVE]]);
    const messageId = await say('Five shots, please');
    const good = (await drafts()).filter(({ errors }) => !errors);
    const input = { ids: good.map(({ id }) => id), unmade: true as const, requestKey: 'a key of a page' };
    const [first, again] = await Promise.all([ask('director.approve', input), ask('director.approve', input)]);
    expect(again).toEqual(first);
    expect(first).toMatchObject({ jobs: [], board: { shots: good.map(({ title }) => ({ title, takes: [] })) } });
    expect((await drafts()).map(({ state, jobId }) => [state, jobId])).toEqual(
      ['approved', 'approved', 'open', 'approved', 'approved'].map((state) => [state, undefined]),
    );
    const told = (await messages()).find(({ id }) => id === messageId)?.toolResults?.[0]?.content ?? '';
    expect(JSON.parse(told).drafted[0].state).toBe('on the board, not made');
    expect(await call('director.approve', { ids: [good[0]?.id ?? ''] })).toMatchObject({
      error: { code: 'wrong_state' },
    });
    expect((await ask('ledger.totals', { groupBy: 'project' })).sum.reservedNano).toBe(0);
    expect(await madeJobs()).toEqual([]);
    await ask('board.undo', { projectId });
    expect((await board()).shots).toEqual([]);
  });

  test('a repeated call makes them once, whether with its key or without', async () => {
    const { say, drafts, hold, ask, call, madeJobs } = await start([[FIVE]]);
    await say('Five shots, please');
    await hold();
    const [rail, lamp] = await drafts();
    const input = { ids: [rail?.id ?? '', lamp?.id ?? ''], requestKey: 'a key of a page' };
    const [first, again] = await Promise.all([ask('director.approve', input), ask('director.approve', input)]);
    expect(again).toEqual(first);
    expect(await call('director.approve', { ids: [rail?.id ?? ''] })).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', message: 'Shot 1, “The rail” is approved already.' },
    });
    expect(await madeJobs()).toHaveLength(2);
  });
});

describe('what was seen is what is approved', () => {
  test('another price is refused and drawn anew, and then it is approved', async () => {
    const { say, drafts, hold, ask, call, madeJobs } = await start([[FIVE]]);
    await say('Five shots, please');
    await hold();
    const [rail] = await drafts();
    const standard = DEFAULT_PRICES.filter(({ model }) => model === 'video-standard');
    await ask('profiles.save', { id: 'gateway', prices: standard.map((one) => ({ ...one, settledReading: 1 })) });
    const input = { ids: [rail?.id ?? ''] };
    expect(await call('director.approve', input)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await madeJobs()).toEqual([]);
    const [now] = await drafts();
    expect(now?.estimateNano).toBeLessThan(rail?.estimateNano ?? 0);
    expect(await call('director.approve', { ...input, shown: price([rail as Draft]) })).toMatchObject({
      ok: false,
      error: { code: 'conflict', data: { field: 'shown' } },
    });
    await ask('director.approve', { ...input, shown: price([now as Draft]) });
    expect(await madeJobs()).toMatchObject([{ money: { estimateNano: now?.estimateNano } }]);
  });

  test('another take plays in the shot before: the start is another one, so it is drawn anew', async () => {
    const next: Called = { name: 'draft_shots', arguments: { shots: [{ prompt: 'On it goes', joint: 'continue' }] } };
    const { say, drafts, hold, ask, call, projectId, madeJobs } = await start([[next]], { shots: [{}] });
    await say('Go on');
    await hold();
    await ask('storyboard.makeTake', { projectId, shotId: 's1' });
    const [draft] = await drafts();
    await ask('storyboard.makeTakes', { projectId, shotIds: ['s1'] });
    const before = (await madeJobs()).length;
    expect(await call('director.approve', { ids: [draft?.id ?? ''] })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('has changed since you saw it') },
    });
    expect(await madeJobs()).toHaveLength(before);
    const { jobs, board } = await ask('director.approve', { ids: [draft?.id ?? ''] });
    expect(jobs[0]?.request).toMatchObject({ image: { jobId: board?.shots[0]?.activeTake } });
  });
});

describe('a change of a shot', () => {
  const CHANGE: Called = {
    name: 'change_shot',
    arguments: { shot: 1, prompt: 'A caged lamp', config: { durationSeconds: 6 } },
  };

  test('shows what is different, its price, and what it makes stale; approved, it is one step that can be undone', async () => {
    const shots = [{ config: { durationSeconds: 4 } }, { joint: 'continue', source: 'first' }];
    const { say, drafts, hold, ask, projectId, board } = await start([[CHANGE]], { shots });
    await say('Make the lamp uglier');
    await hold();
    await ask('storyboard.makeTakes', { projectId, shotIds: ['s1', 's2'] });
    const [draft] = await drafts();
    expect(draft).toMatchObject({
      kind: 'changeShot',
      shot: { number: 1, shotId: 's1' },
      changes: [
        { field: 'prompt', before: 'Shot 1', after: 'A caged lamp' },
        { field: 'config.durationSeconds', before: 4, after: 6 },
      ],
      goesStale: [{ shotId: 's2', number: 2 }],
    });
    const { jobs } = await ask('director.approve', { ids: [draft?.id ?? ''] });
    expect((await board()).shots[0]).toMatchObject({ prompt: 'A caged lamp', activeTake: jobs[0]?.id });
    expect((await board()).shots[0]?.takes).toHaveLength(2);
    await ask('board.undo', { projectId });
    expect((await board()).shots[0]).toMatchObject({ prompt: 'Shot 1', config: { durationSeconds: 4 } });
    expect((await board()).shots[0]?.takes).toHaveLength(2);
  });

  test('and another one of the same shot are approved one after the other', async () => {
    const { say, drafts, hold, call, madeJobs } = await start([[CHANGE, CHANGE]], { shots: [{}] });
    await say('Make the lamp uglier, and again');
    await hold();
    const ids = (await drafts()).map(({ id }) => id);
    expect(await call('director.approve', { ids })).toMatchObject({ error: { code: 'wrong_state' } });
    expect(await madeJobs()).toEqual([]);
  });

  test('of a shot that was removed since, it cannot be made and says so', async () => {
    const { say, drafts, ask, projectId, board } = await start([[CHANGE]], { shots: [{}] });
    await say('Make the lamp uglier');
    const { revision } = await board();
    await ask('storyboard.save', { projectId, revision, shots: [] });
    expect((await drafts())[0]?.errors).toEqual([{ field: 'shot', message: 'is not on the board any more.' }]);
  });
});

describe('calls that cannot be taken', () => {
  test('each is answered to the model where it happened, and the good ones beside them stand', async () => {
    const calls: Called[] = [
      { name: 'draft_shots', arguments: '{"shots": [' },
      { name: 'buy_everything', arguments: {} },
      { name: 'change_shot', arguments: { shot: 9, prompt: 'x' } },
      { name: 'draft_images', arguments: { images: [{ prompt: 'The lamp alone --ar 2:3' }] } },
      { name: 'draft_images', arguments: { images: 'two' } },
      { name: 'read_board', arguments: {} },
    ];
    const { say, drafts, messages, sent, madeJobs } = await start([calls], { shots: [{}] });
    const messageId = await say('Do it');
    expect((await drafts()).map(({ kind, image }) => [kind, image?.prompt])).toEqual([
      ['imagine', 'The lamp alone --ar 2:3'],
    ]);
    const results = (await messages()).find(({ id }) => id === messageId)?.toolResults ?? [];
    expect(results.map(({ error }) => error?.field)).toEqual([
      'arguments',
      'name',
      'shot',
      undefined,
      'images',
      undefined,
    ]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(6);
    expect(JSON.parse(results[5]?.content ?? '')).toMatchObject({ total: 1, shots: [{ number: 1, id: 's1' }] });
    await say('And now?');
    const roles = sent[1]?.messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', ...Array(6).fill('tool'), 'user']);
    expect(sent[1]?.messages[2]).toMatchObject({
      tool_call_id: 'c10',
      content: expect.stringContaining('must be JSON'),
    });
    expect(sent[1]?.messages[1]).toMatchObject({ content: null, tool_calls: expect.any(Array) });
    expect(await madeJobs()).toEqual([]);
  });
});

test('more calls than an answer makes are answered that they are too many, and draft nothing', async () => {
  const calls = Array.from({ length: 140 }, (_, at): Called => {
    return { name: 'draft_images', arguments: { images: [{ prompt: `Poster ${at}` }] } };
  });
  const { say, drafts, messages, sent } = await start([calls, []]);
  await say('Posters');
  expect(await drafts()).toHaveLength(16);
  const results = (await messages()).at(-1)?.toolResults ?? [];
  expect(results.map(({ error }) => error !== undefined)).toEqual([...Array(16).fill(false), ...Array(112).fill(true)]);
  await say('And now?');
  expect(sent[1]?.messages[1]?.tool_calls).toHaveLength(128);
  expect(JSON.parse(sent[1]?.messages.at(-2)?.content ?? '')).toEqual({
    error: 'This call is one too many: of the 140 calls of an answer, 16 are taken. Make it again in another answer.',
  });
});

test('switched off, no tool is sent and calls make no drafts, until it is switched on', async () => {
  const { ask, say, sent, drafts, conversationId } = await start([[FIVE], [FIVE]], { director: false });
  await say('Five shots');
  expect([sent[0]?.tools, await drafts()]).toEqual([undefined, []]);
  await ask('chat.set', { conversationId, director: true });
  await say('Five shots');
  expect(sent[1]?.tools?.map(({ function: { name } }) => name)).toContain('draft_shots');
});

test('a chat without a project is sent no tool, and its calls make no drafts', async () => {
  const { ask, sent } = await start([[FIVE]]);
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const { jobId } = await ask('chat.send', { conversationId, text: 'Five shots', stream: false });
  await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
  expect([sent[0]?.tools, (await ask('director.drafts', { conversationId })).drafts]).toEqual([undefined, []]);
});

describe('what the model is told', () => {
  test('what was approved and declined, with the next message; and it may go on from the results at once', async () => {
    const images: Called = { name: 'draft_images', arguments: { images: [{ prompt: 'One' }, { prompt: 'Two' }] } };
    const { say, drafts, ask, sent, conversationId, hold, messages } = await start([[images]]);
    const messageId = await say('Two posters');
    await hold();
    const [one, two] = await drafts();
    await ask('director.approve', { ids: [one?.id ?? ''] });
    const declined = await ask('director.decline', { ids: [two?.id ?? ''] });
    expect(declined.drafts).toMatchObject([{ id: two?.id, state: 'declined' }]);
    const { jobId } = await ask('chat.continue', { conversationId, messageId, stream: false });
    const { request } = await ask('jobs.get', { id: jobId });
    expect('messages' in request && request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    await ask('queue.resume', {});
    await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
    const told = sent[1]?.messages.find(({ role }) => role === 'tool');
    expect(JSON.parse(told?.content ?? '').drafted.map(({ state }: { state: string }) => state)).toEqual([
      'approved, it is being made',
      'declined by the user',
    ]);
    expect((await messages()).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  test('it goes on from the results only while it may draft, and the refusal says so', async () => {
    const images: Called = { name: 'draft_images', arguments: { images: [{ prompt: 'One' }] } };
    const { say, ask, call, conversationId } = await start([[images]]);
    const messageId = await say('A poster');
    await ask('chat.set', { conversationId, director: false });
    expect(await call('chat.continue', { conversationId, messageId })).toMatchObject({
      error: { code: 'wrong_state', message: expect.stringContaining('the director can draft') },
    });
  });

  test('tonight: the pictures wait for the night that is planned', async () => {
    const images: Called = { name: 'draft_images', arguments: { images: [{ prompt: 'One' }] } };
    const { say, drafts, ask, call } = await start([[images]]);
    await say('A poster');
    const ids = (await drafts()).map(({ id }) => id);
    expect(await call('director.approve', { ids, night: true })).toMatchObject({ ok: false });
    await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000_000 });
    const { jobs } = await ask('director.approve', { ids, night: true });
    expect(jobs[0]?.runId).toBeDefined();
  });
});

describe('what a gateway wants back with the calls of its answer', () => {
  const POSTER: Called = { name: 'draft_images', arguments: { images: [{ prompt: 'One' }] } };
  const SAID = 'A lamp would do.';

  test('its reasoning, where it came as `reasoning_content`; that of an answer without calls stays here', async () => {
    const { say, sent } = await start([[POSTER], []], { thoughts: { reasoning_content: SAID } });
    for (const text of ['A poster', 'Shorter', 'Thanks']) await say(text);
    expect(sent[1]?.messages[1]).toMatchObject({ reasoning_content: SAID, tool_calls: expect.any(Array) });
    expect(sent[2]?.messages[1]).toMatchObject({ reasoning_content: SAID });
    expect(sent[2]?.messages[4]).toEqual({ role: 'assistant', content: 'Done.' });
  });

  /** Groq sends `reasoning`, and refuses it and `reasoning_content` in a request (karthink/gptel#774, janhq/jan#8136). */
  test('no reasoning that came under another name', async () => {
    const { say, sent } = await start([[POSTER], []], { thoughts: { reasoning: SAID } });
    for (const text of ['A poster', 'Shorter']) await say(text);
    expect(sent[1]?.messages[1]).toMatchObject({ tool_calls: expect.any(Array) });
    expect(JSON.stringify(sent[1])).not.toContain(SAID);
  });

  test('a signature of its thoughts, beside the call or in its id', async () => {
    const extra_content = { google: { thought_signature: 'EjQKMgEM' } };
    const id = `call_1__thought__${'QUJD'.repeat(240)}`;
    const { say, sent, drafts } = await start([[{ ...POSTER, id, extra_content }, POSTER], []]);
    for (const text of ['A poster', 'Shorter']) await say(text);
    const [, called, result] = sent[1]?.messages ?? [];
    expect(called?.tool_calls).toMatchObject([{ id, extra_content }, { id: 'c11' }]);
    expect(called?.tool_calls?.[1]).not.toHaveProperty('extra_content');
    expect(result?.tool_call_id).toBe(id);
    expect(await drafts()).toHaveLength(2);
  });
});
