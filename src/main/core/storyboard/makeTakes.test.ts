import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Board, Shot } from '../../../shared/board/board.ts';
import { quantityOfClips, type VideoRequest } from '../../../shared/kinds/video.ts';

/** A chain is enqueued whole or not at all, each take waits for the one before, and the price is the shown sum. */

const openStudio = studiosOfThisFile();

async function film(...shots: Partial<Shot>[]) {
  const { ask, studio } = await openStudio();
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const written = shots.map((shot, index) => ({
    id: `s${index + 1}`,
    prompt: `Shot ${index + 1}`,
    model: 'video-standard',
    config: { durationSeconds: 4 },
    ...shot,
  }));
  await ask('storyboard.save', { projectId, revision: 0, shots: written as Board['shots'] });
  const get = () => ask('storyboard.get', { projectId });
  const make = (...shotIds: string[]) => ask('storyboard.makeTakes', { projectId, shotIds });
  const tried = (input: object) => studio.call('storyboard.makeTakes', { projectId, ...input });
  const totals = () => ask('ledger.totals', { groupBy: 'project' });
  return { ask, projectId, get, make, tried, totals };
}

const continues: Partial<Shot> = { joint: 'continue', source: 'first' };

test('a chain is enqueued before anything of it is made: each take waits for the last frame of the one before', async () => {
  const { ask, make, get } = await film({}, continues, { joint: 'extend', source: 'extend', config: {} }, continues);
  const { jobs, board } = await make('s4', 's2', 's1', 's3');
  const [one, two, three, four] = jobs;
  expect(jobs.map(({ request }) => 'prompt' in request && request.prompt)).toEqual([
    'Shot 1',
    'Shot 2',
    'Shot 3',
    'Shot 4',
  ]);
  expect(two).toMatchObject({ request: { image: { jobId: one?.id, frame: 'last' } }, dependsOn: [one?.id] });
  expect(three).toMatchObject({ request: { video: { jobId: two?.id }, config: { durationSeconds: 7 } } });
  expect(four).toMatchObject({ request: { image: { jobId: three?.id, frame: 'last' } }, state: 'blocked' });
  expect([one?.reason, two?.reason, three?.reason, four?.reason]).toEqual([
    'paused',
    'dependency',
    'dependency',
    'dependency',
  ]);
  expect(board.shots.map(({ takes, activeTake }) => [takes, activeTake])).toEqual(jobs.map(({ id }) => [[id], id]));
  expect(board.shots[1]?.image).toEqual({ jobId: one?.id, frame: 'last' });
  expect(await get()).toEqual(board);
  expect(await ask('jobs.list', {})).toMatchObject({ total: 4 });
});

test('what is shown as the price is what is reserved, to the nano-dollar, and another price is refused whole', async () => {
  const { ask, projectId, tried, totals, get } = await film({}, continues, {
    joint: 'extend',
    source: 'extend',
    config: {},
  });
  const quantities = [
    { kind: 'video' as const, model: 'video-standard', quantity: { seconds: 4, videos: 1 } },
    { kind: 'video' as const, model: 'video-standard', quantity: { seconds: 4, videos: 1 } },
    { kind: 'video' as const, model: 'video-standard', quantity: { seconds: 7, videos: 1 } },
  ];
  const { estimateNano, lowNano, unpriced } = await ask('ledger.estimate', { quantities });
  const shotIds = ['s1', 's2', 's3'];
  const before = await get();
  expect(await tried({ shotIds, shown: { estimateNano: estimateNano - 1, lowNano } })).toMatchObject({
    ok: false,
    error: { code: 'conflict', data: { field: 'shown' } },
  });
  expect([await get(), (await ask('jobs.list', {})).total]).toEqual([before, 0]);
  const { jobs } = await ask('storyboard.makeTakes', {
    projectId,
    shotIds,
    shown: { estimateNano, lowNano, unpriced },
  });
  expect((await totals()).sum).toMatchObject({ reservedNano: estimateNano, settledNano: 0, uncertainNano: 0 });
  expect(jobs.map(({ request }) => quantityOfClips(request as VideoRequest))).toMatchObject(
    quantities.map(({ quantity }) => quantity),
  );
});

test('one shot that cannot be made keeps the whole chain from being enqueued, and is named', async () => {
  const { tried, get, ask, totals } = await film({}, continues, { ...continues, prompt: '' });
  const before = await get();
  expect(await tried({ shotIds: ['s1', 's2', 's3'] })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: expect.stringMatching(/^Shot 3: prompt/) },
  });
  expect(await tried({ shotIds: ['s1', 'gone'] })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await tried({ shotIds: [] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await tried({ shotIds: ['s1', 's2'], night: true })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', data: { field: 'night' } },
  });
  expect([await get(), (await ask('jobs.list', {})).total]).toEqual([before, 0]);
  expect((await totals()).sum).toMatchObject({ reservedNano: 0 });
});

test('an extension by another model is refused, though the clip it extends is not made yet', async () => {
  const { tried, ask } = await film({}, { joint: 'extend', source: 'extend', config: {}, model: 'video-preview' });
  const answer = await tried({ shotIds: ['s1', 's2'] });
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('only the same model') } });
  expect((await ask('jobs.list', {})).total).toBe(0);
});

test('a start that is missing is named, and so is a link whose shot before has no take', async () => {
  const { tried } = await film({}, continues);
  expect(await tried({ shotIds: ['s2'] })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', data: { field: 'image' } },
  });
});

test('a take of its own follows the link as well: it starts from what plays before it then', async () => {
  const { ask, projectId, make } = await film({}, continues);
  const { jobs } = await make('s1');
  const { job, board } = await ask('storyboard.makeTake', { projectId, shotId: 's2' });
  expect(job.request).toMatchObject({ image: { jobId: jobs[0]?.id, frame: 'last' } });
  expect(board.shots[1]).toMatchObject({ activeTake: job.id, joint: 'continue' });
});

test('a frame of another shot that was put in by hand follows in a chain, and stays in a take of its own', async () => {
  const { ask, projectId, make, get } = await film({}, {}, {});
  const { jobs } = await make('s1');
  const old = jobs[0]?.id ?? '';
  const byHand = {
    source: 'references' as const,
    referenceImages: [{ assetId: 'a' }, { jobId: old, frame: 'last' as const }],
  };
  const { revision, shots } = await get();
  const changed = shots.map((shot) =>
    shot.id === 's3' ? { ...shot, source: 'first' as const, image: byHand.referenceImages[1] } : shot,
  );
  await ask('storyboard.save', { projectId, revision, shots: changed as Board['shots'] });
  const alone = await ask('storyboard.makeTake', { projectId, shotId: 's3' });
  expect(alone.job.request).toMatchObject({ image: { jobId: old } });
  const chain = await make('s1', 's3');
  expect(chain.jobs[1]?.request).toMatchObject({ image: { jobId: chain.jobs[0]?.id, frame: 'last' } });
});

test('where one member fails, those behind it are not sent, say so, and free their money', async () => {
  const { ask, make, totals, get } = await film({}, continues, continues);
  const { jobs } = await make('s1', 's2', 's3');
  const reserved = (await totals()).sum.reservedNano;
  await ask('jobs.cancel', { id: jobs[0]?.id ?? '' });
  const ended = await Promise.all(jobs.map(({ id }) => ask('jobs.get', { id })));
  expect(ended.map(({ state }) => state)).toEqual(['canceled', 'failed', 'failed']);
  expect(ended[2]?.error?.message).toContain('Nothing was sent or billed.');
  expect(reserved).toBeGreaterThan(0);
  expect((await totals()).sum).toMatchObject({ reservedNano: 0, settledNano: 0, uncertainNano: 0 });
  const again = await make('s1', 's2', 's3');
  expect(again.jobs[2]?.request).toMatchObject({ image: { jobId: again.jobs[1]?.id, frame: 'last' } });
  expect((await get()).shots[2]?.takes).toHaveLength(2);
});
