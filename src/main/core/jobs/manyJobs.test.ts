import { afterEach, describe, expect, it } from 'vitest';
import { countingIds, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { openStudio, type TestStudio } from '../../../../test/helpers/testStudio.ts';
import type { Job } from '../../../shared/job.ts';

const open: TestStudio[] = [];

async function studio(dataDir = tempDir('many'), ids = countingIds()): Promise<TestStudio> {
  const opened = await openStudio({ ports: { clock: new TestClock(), ids }, dataDir });
  open.push(opened);
  await opened.ask('queue.pause');
  return opened;
}

afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
});

const picture = (prompt: string) => ({ kind: 'imagine', prompt }) as const;

async function fill({ ask }: TestStudio, count: number): Promise<string[]> {
  const { jobs } = await ask('jobs.enqueue', { requests: Array.from({ length: count }, (_, n) => picture(`${n}`)) });
  return jobs.map(({ id }) => id);
}

const promptOf = ({ request }: Job): string => ('prompt' in request ? (request.prompt ?? '') : '');

async function line({ ask }: TestStudio): Promise<number[]> {
  const { jobs } = await ask('jobs.list', { order: 'queue', states: ['queued', 'blocked'], limit: 500 });
  return jobs.map((job) => Number(promptOf(job)));
}

const totals = async ({ ask }: TestStudio) => (await ask('ledger.totals', { groupBy: 'kind' })).sum;

/** How many turns of the event loop a call takes. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const end = work.then(() => {
    done = true;
  });
  while (!done) {
    turns += 1;
    await new Promise((turn) => setImmediate(turn));
  }
  await end;
  return turns;
}

describe('many jobs are moved at once', () => {
  it('first, last, and before one that waits, in their order and whatever the order of their ids', async () => {
    const program = await studio();
    const ids = await fill(program, 8);
    const some = [ids[6], ids[4], ids[5]].map((id) => id ?? '');
    expect(await program.ask('jobs.moveMany', { ids: some, to: 'first' })).toEqual({ moved: 3, place: 1 });
    expect(await line(program)).toEqual([4, 5, 6, 0, 1, 2, 3, 7]);
    expect(await program.ask('jobs.moveMany', { ids: some, to: 'last' })).toEqual({ moved: 3, place: 6 });
    expect(await line(program)).toEqual([0, 1, 2, 3, 7, 4, 5, 6]);
    await program.ask('jobs.moveMany', { ids: some, to: { before: ids[2] ?? '' } });
    expect(await line(program)).toEqual([0, 1, 4, 5, 6, 2, 3, 7]);
    await program.ask('jobs.moveMany', { filter: { text: '7' }, to: 'first' });
    expect(await line(program)).toEqual([7, 0, 1, 4, 5, 6, 2, 3]);
  });

  it('into a gap that becomes too small', async () => {
    const program = await studio();
    const ids = await fill(program, 30);
    for (let n = 0; n < 40; n++) {
      const before = ids[1 + (n % 2)] ?? '';
      await program.ask('jobs.moveMany', { ids: ids.slice(10, 25), to: { before } });
      expect((await line(program)).filter((each) => each >= 10 && each < 25)).toEqual(
        Array.from({ length: 15 }, (_, index) => 10 + index),
      );
      await program.ask('jobs.moveMany', { ids: ids.slice(25, 30), to: { before: ids[10] ?? '' } });
    }
    expect([...(await line(program))].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  it('and is refused where it means nothing', async () => {
    const program = await studio();
    const [one = '', two = ''] = await fill(program, 2);
    const messageOf = async (input: Parameters<typeof program.call<'jobs.moveMany'>>[1]) => {
      const answer = await program.call('jobs.moveMany', input);
      return answer.ok ? 'moved' : answer.error.message;
    };
    expect(await messageOf({ ids: [one, 'job_gone'], to: 'last' })).toBe('ids.1: there is no such job.');
    expect(await messageOf({ ids: [one, two], to: { before: two } })).toContain('is one of those that are moved');
    expect(await messageOf({ ids: [one], to: { before: 'job_gone' } })).toContain('there is no such waiting job');
    expect(await messageOf({ to: 'last' })).toContain('are needed where no filter is given');
    await program.ask('jobs.cancel', { id: one });
    expect(await messageOf({ ids: [one], to: 'last' })).toContain('None of them waits');
  });
});

describe('many jobs are canceled at once', () => {
  it('with what depends on them, as the figures said before, and their money is given back', async () => {
    const program = await studio();
    const [first = '', ...others] = await fill(program, 4);
    const { jobs } = await program.ask('jobs.enqueue', { requests: [picture('after')], dependsOn: [first] });
    const kept = await totals(program);
    const chosen = { ids: [first, ...others.slice(0, 2)] };
    const figures = await program.ask('jobs.chosen', chosen);
    expect(figures).toMatchObject({ count: 3, waiting: 3, cancelable: 3, sent: 0, dependents: 1, bothSides: false });
    expect(await program.ask('jobs.cancelMany', chosen)).toMatchObject({ canceled: 3, failed: 1, leftCount: 0 });
    expect((await program.ask('jobs.get', { id: jobs[0]?.id ?? '' })).state).toBe('failed');
    expect(kept.reservedNano - (await totals(program)).reservedNano).toBe(figures.givenBackNano);
    expect(await line(program)).toEqual([3]);
  });

  it('also where they depend on each other', async () => {
    const program = await studio();
    const [first = ''] = await fill(program, 1);
    const { jobs } = await program.ask('jobs.enqueue', { requests: [picture('1')], dependsOn: [first] });
    const answer = await program.ask('jobs.cancelMany', { filter: {} });
    expect(answer).toMatchObject({ canceled: 2, failed: 0 });
    expect((await program.ask('jobs.get', { id: jobs[0]?.id ?? '' })).state).toBe('canceled');
  });

  it('a few at a time, as every other change of many', async () => {
    const program = await studio();
    await program.ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000_000 });
    const ids = await fill(program, 300);
    expect(await turnsOf(program.ask('jobs.moveMany', { ids, to: 'first' }))).toBeGreaterThan(1);
    expect(await turnsOf(program.ask('night.assign', { ids, night: true }))).toBeGreaterThan(10);
    expect((await program.ask('jobs.chosen', { filter: {} })).inNight).toBe(300);
    await program.ask('night.assign', { ids: ids.slice(0, 2), except: ids.slice(1, 2), night: false });
    expect((await program.ask('jobs.chosen', { filter: {} })).inNight).toBe(299);
    expect(await turnsOf(program.ask('jobs.cancelMany', { filter: {} }))).toBeGreaterThan(10);
    expect(await line(program)).toEqual([]);
  });
});

describe('many jobs are requested again at one price', () => {
  it('once for the key, each after its own price, and only those of one side', async () => {
    const program = await studio();
    const ids = await fill(program, 30);
    await program.ask('jobs.cancelMany', { ids });
    const { againPrice, ended } = await program.ask('jobs.chosen', { ids, againPrice: true });
    expect(ended).toBe(30);
    const wrong = { estimateNano: 1, lowNano: 1, unpriced: 0 };
    expect(await program.call('jobs.retryMany', { ids, shown: wrong })).toMatchObject({ error: { code: 'conflict' } });
    const input = { ids, ...(againPrice ? { shown: againPrice } : {}), requestKey: 'again-thirty' };
    const [one, two] = await Promise.all([program.ask('jobs.retryMany', input), program.ask('jobs.retryMany', input)]);
    expect(two).toEqual(one);
    expect([one.count, one.jobIds.length, one.leftCount]).toEqual([30, 30, 0]);
    expect((await line(program)).length).toBe(30);
    expect(await program.ask('jobs.retryMany', input)).toEqual(one);
    await program.ask('profiles.save', { id: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:9' });
    await program.ask('profiles.activate', { id: 'real' });
    const [other = ''] = await fill(program, 1);
    await program.ask('jobs.cancel', { id: other });
    const both = { ids: [...ids, other] };
    expect(await program.ask('jobs.chosen', both)).toMatchObject({ bothSides: true, givenBackNano: 0 });
    expect(await program.call('jobs.retryMany', both)).toMatchObject({ error: { code: 'invalid_input' } });
  });

  it('the rest of them after an end in the middle, where the call is repeated', async () => {
    const dataDir = tempDir('many-killed');
    const everyId = countingIds();
    const program = await studio(dataDir, everyId);
    const ids = await fill(program, 20);
    await program.ask('jobs.cancelMany', { ids });
    const input = { ids, requestKey: 'again-twenty' };
    const retried = program.call('jobs.retryMany', input);
    while ((await program.ask('queue.status')).waiting < 5) await new Promise((turn) => setImmediate(turn));
    await Promise.all([program.close(), retried.catch(() => undefined)]);
    const again = await studio(dataDir, everyId);
    const { count } = await again.ask('jobs.retryMany', input);
    expect(count).toBe(20);
    expect((await line(again)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });
});

describe('a lane is paused', () => {
  it('alone and over a restart, apart from the queue, and the status says so', async () => {
    const dataDir = tempDir('lane');
    const program = await studio(dataDir);
    await fill(program, 1);
    const { jobs } = await program.ask('jobs.enqueue', {
      requests: [{ kind: 'video', model: 'video-standard', prompt: 'A quay' }],
    });
    const video = jobs[0]?.id ?? '';
    const { profileId = '' } = jobs[0] ?? {};
    const lane = { kind: 'video', profileId };
    await program.ask('queue.pause', { lane });
    await program.ask('queue.resume');
    expect(await program.ask('jobs.get', { id: video })).toMatchObject({ state: 'blocked', reason: 'paused' });
    const laneOf = async (from: TestStudio) =>
      (await from.ask('queue.status')).lanes.find(({ kind, profileId: own }) => kind === 'video' && own === profileId);
    expect(await laneOf(program)).toMatchObject({ paused: true, waiting: 1, running: 0 });
    expect((await program.ask('queue.status')).paused).toBe(false);
    await program.close();
    const again = await openStudio({ ports: { clock: new TestClock() }, dataDir });
    open.push(again);
    expect(await laneOf(again)).toMatchObject({ paused: true, waiting: 1 });
    expect(await again.ask('jobs.get', { id: video })).toMatchObject({ state: 'blocked', reason: 'paused' });
    await again.ask('queue.pause');
    await again.ask('queue.resume', { lane });
    expect(await again.ask('jobs.get', { id: video })).toMatchObject({ reason: 'paused' });
    expect(await again.call('queue.pause', { lane: { kind: 'poems', profileId } })).toMatchObject({
      error: { data: { field: 'lane.kind' } },
    });
  });
});

describe('a waiting job is edited', () => {
  it('keeps its place and what depends on it, and is priced anew', async () => {
    const program = await studio();
    const video = { kind: 'video', model: 'video-standard', prompt: '1', config: { durationSeconds: 4 } } as const;
    const { jobs } = await program.ask('jobs.enqueue', { requests: [picture('0'), video, picture('2')] });
    const id = jobs[1]?.id ?? '';
    await program.ask('jobs.enqueue', { requests: [picture('3')], dependsOn: [id] });
    const request = { ...video, prompt: '10', config: { durationSeconds: 8 } } as const;
    const { estimateNano, lowNano, unpriced } = await program.ask('ledger.estimate', { requests: [request] });
    const shown = { estimateNano, lowNano, unpriced };
    const stale = { estimateNano: 1, lowNano: 1, unpriced: 0 };
    expect(await program.call('jobs.edit', { id, request, shown: stale })).toMatchObject({
      error: { code: 'conflict' },
    });
    const edited = await program.ask('jobs.edit', { id, request, shown });
    expect(edited.money).toMatchObject({ estimateNano, reservedNano: estimateNano });
    expect(await line(program)).toEqual([0, 10, 2, 3]);
    expect((await program.ask('jobs.list', { text: '10' })).jobs.map((job) => job.id)).toEqual([id]);
    expect((await program.ask('jobs.list', { waitsFor: id })).total).toBe(1);
    expect((await totals(program)).reservedNano).toBe(
      (await program.ask('jobs.list', { order: 'queue' })).waiting?.reservedNano,
    );
  });

  it('from the request that it was made of: one that was edited elsewhere meanwhile is left as it is', async () => {
    const program = await studio();
    const [id = ''] = await fill(program, 3);
    const seen = await program.ask('jobs.get', { id });
    const first = await program.ask('jobs.edit', { id, request: picture('10'), revision: seen.revision });
    const late = { id, request: picture('11'), revision: seen.revision, requestKey: 'a late edit' };
    expect(await program.call('jobs.edit', late)).toEqual({
      ok: false,
      error: {
        code: 'conflict',
        message: `revision: its request was edited elsewhere meanwhile; it is at ${first.revision}. Nothing was changed.`,
        data: { field: 'revision', revision: first.revision },
      },
    });
    expect((await program.ask('jobs.get', { id })).request).toMatchObject(picture('10'));
    // Another place is no edit.
    expect((await program.ask('jobs.move', { id })).revision).toBeGreaterThan(first.revision);
    expect(await program.ask('jobs.edit', { ...late, revision: first.revision })).toMatchObject({ id });
    // A caller that names no revision edits what is there.
    await program.ask('jobs.edit', { id, request: picture('12') });
    expect((await program.ask('jobs.get', { id })).request).toMatchObject(picture('12'));
    expect(await program.call('jobs.edit', { ...late, revision: -1 })).toMatchObject({
      error: { code: 'invalid_input', message: 'revision: must not be negative' },
    });
  });

  it('at the same time by two, the second is told', async () => {
    const program = await studio();
    const [id = ''] = await fill(program, 1);
    const { revision } = await program.ask('jobs.get', { id });
    const answers = await Promise.all(
      ['10', '11'].map((words) => program.call('jobs.edit', { id, request: picture(words), revision })),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('by another model only where nothing waits to extend its clip, which only its own model can', async () => {
    const program = await studio();
    const request = { kind: 'video', model: 'video-pro', prompt: 'A quay' } as const;
    const { jobs } = await program.ask('jobs.enqueue', { requests: [request] });
    const id = jobs[0]?.id ?? '';
    const extension = {
      ...request,
      prompt: 'On and on, over the quay and out to the open sea',
      video: { jobId: id },
      config: { durationSeconds: 7 as const },
    };
    const { jobs: behind } = await program.ask('jobs.enqueue', { requests: [extension] });
    await program.ask('jobs.enqueue', {
      requests: [{ ...request, model: 'video-standard', image: { jobId: id, frame: 'last' } }],
    });
    const cheaper = { id, request: { ...request, model: 'video-standard' } };
    expect(await program.call('jobs.edit', cheaper)).toMatchObject({
      error: {
        code: 'invalid_input',
        message:
          'request.model: “On and on, over the quay and out to the…” waits to extend this clip, and only video-pro can.',
        data: { field: 'request.model' },
      },
    });
    await program.ask('jobs.edit', { id, request: { ...request, prompt: 'A quay at night' } });
    await program.ask('jobs.cancel', { id: behind[0]?.id ?? '' });
    expect(await program.ask('jobs.edit', cheaper)).toMatchObject({ model: 'video-standard' });
  });

  it('only while it waits and was never sent, as its own kind, and not out of itself', async () => {
    const program = await studio();
    const [id = ''] = await fill(program, 1);
    const { jobs } = await program.ask('jobs.enqueue', { requests: [picture('1')], dependsOn: [id] });
    const refused = async (input: Parameters<typeof program.call<'jobs.edit'>>[1]) => {
      const answer = await program.call('jobs.edit', input);
      return answer.ok ? 'edited' : answer.error.message;
    };
    const video = { kind: 'video', model: 'video-standard', prompt: 'A quay' } as const;
    expect(await refused({ id, request: video })).toContain('request.kind: must be imagine');
    const { jobs: videos } = await program.ask('jobs.enqueue', { requests: [video] });
    const own = videos[0]?.id ?? '';
    const { jobs: after } = await program.ask('jobs.enqueue', { requests: [picture('2')], dependsOn: [own] });
    const image = { jobId: after[0]?.id ?? '' };
    expect(await refused({ id: own, request: { ...video, image } })).toContain('request.image: is made from this job');
    await program.ask('jobs.cancel', { id: jobs[0]?.id ?? '' });
    await program.ask('jobs.cancel', { id });
    expect(await refused({ id, request: picture('3') })).toBe('Only a waiting job can be edited.');
  });
});
