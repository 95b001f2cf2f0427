import { describe, expect, it } from 'vitest';
import { countingIds, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import type { CallInput } from '../../../../shared/contract/contract.ts';

const open = studiosOfThisFile();
const picture = (prompt: string) => ({ kind: 'imagine', prompt }) as const;
const quay = { kind: 'video', model: 'video-standard', prompt: 'A quay' } as const;
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

interface Program extends Omit<TestStudio, 'enqueue'> {
  /** Pictures whose prompts are numbers from 0; their ids. */
  fill(count: number): Promise<string[]>;
  /** As many that were canceled. */
  ended(count: number): Promise<string[]>;
  enqueue(request: CallInput<'jobs.enqueue'>['requests'][number], dependsOn?: string[]): Promise<string>;
  /** The numbers of those that wait, in their order. */
  line(): Promise<number[]>;
  waiting(): Promise<number>;
  reserved(): Promise<number>;
  job(id?: string): ReturnType<typeof jobOf>;
  /** Why the call was refused. */
  why<Name extends 'jobs.moveMany' | 'jobs.edit'>(name: Name, input: CallInput<Name>): Promise<string>;
}
const jobOf = ({ ask }: Pick<TestStudio, 'ask'>, id = '') => ask('jobs.get', { id });

async function studio(dataDir = tempDir('many'), ids = countingIds()): Promise<Program> {
  const program = await open({ ports: { clock: new TestClock(), ids }, dataDir });
  const { ask, call } = program;
  await ask('queue.pause');
  const fill = async (count: number) =>
    (await ask('jobs.enqueue', { requests: numbers(count).map((n) => picture(`${n}`)) })).jobs.map(({ id }) => id);
  return {
    ...program,
    fill,
    ended: async (count) => {
      const made = await fill(count);
      await ask('jobs.cancelMany', { ids: made });
      return made;
    },
    enqueue: async (request, dependsOn) => {
      const { jobs } = await ask('jobs.enqueue', { requests: [request], ...(dependsOn ? { dependsOn } : {}) });
      return jobs[0]?.id ?? '';
    },
    line: async () => {
      const { jobs } = await ask('jobs.list', { order: 'queue', states: ['queued', 'blocked'], limit: 500 });
      return jobs.map(({ request }) => Number('prompt' in request ? request.prompt : NaN));
    },
    waiting: async () => (await ask('queue.status')).waiting,
    reserved: async () => (await ask('ledger.totals', { groupBy: 'kind' })).sum.reservedNano,
    job: (id) => jobOf(program, id),
    why: async (name, input) => {
      const answer = await call(name, input);
      return answer.ok ? 'it was done' : answer.error.message;
    },
  };
}

describe('many jobs are moved at once', () => {
  it('first, last, and before one that waits, in their order and whatever the order of their ids', async () => {
    const { ask, fill, line } = await studio();
    const all = await fill(8);
    const ids = [6, 4, 5].map((n) => all[n] ?? '');
    expect(await ask('jobs.moveMany', { ids, to: 'first' })).toEqual({ moved: 3, place: 1 });
    expect(await line()).toEqual([4, 5, 6, 0, 1, 2, 3, 7]);
    expect(await ask('jobs.moveMany', { ids, to: 'last' })).toEqual({ moved: 3, place: 6 });
    expect(await line()).toEqual([0, 1, 2, 3, 7, 4, 5, 6]);
    await ask('jobs.moveMany', { ids, to: { before: all[2] ?? '' } });
    expect(await line()).toEqual([0, 1, 4, 5, 6, 2, 3, 7]);
    await ask('jobs.moveMany', { filter: { text: '7' }, to: 'first' });
    expect(await line()).toEqual([7, 0, 1, 4, 5, 6, 2, 3]);
  });

  it('into a gap that becomes too small', async () => {
    const { ask, fill, line } = await studio();
    const ids = await fill(30);
    for (let n = 0; n < 40; n++) {
      await ask('jobs.moveMany', { ids: ids.slice(10, 25), to: { before: ids[1 + (n % 2)] ?? '' } });
      expect((await line()).filter((each) => each >= 10 && each < 25)).toEqual(numbers(15, 10));
      await ask('jobs.moveMany', { ids: ids.slice(25, 30), to: { before: ids[10] ?? '' } });
    }
    expect((await line()).toSorted((a, b) => a - b)).toEqual(numbers(30));
  });

  it('and is refused where it means nothing', async () => {
    const { ask, fill, why } = await studio();
    const [one = '', two = ''] = await fill(2);
    const refused = (input: CallInput<'jobs.moveMany'>) => why('jobs.moveMany', input);
    expect(await refused({ ids: [one, 'job_gone'], to: 'last' })).toBe('ids.1: there is no such job.');
    expect(await refused({ ids: [one, two], to: { before: two } })).toContain('is one of those that are moved');
    expect(await refused({ ids: [one], to: { before: 'job_gone' } })).toContain('there is no such waiting job');
    expect(await refused({ to: 'last' })).toContain('are needed where no filter is given');
    await ask('jobs.cancel', { id: one });
    expect(await refused({ ids: [one], to: 'last' })).toContain('None of them waits');
  });
});

describe('many jobs are canceled at once', () => {
  it('with what depends on them, as the figures said before, and their money is given back', async () => {
    const { ask, fill, enqueue, line, reserved, job } = await studio();
    const ids = await fill(4);
    const after = await enqueue(picture('after'), ids.slice(0, 1));
    const before = await reserved();
    const chosen = { ids, except: ids.slice(3) };
    const figures = await ask('jobs.chosen', chosen);
    expect(figures).toMatchObject({ count: 3, waiting: 3, cancelable: 3, sent: 0, dependents: 1, bothSides: false });
    expect(await ask('jobs.cancelMany', chosen)).toMatchObject({ canceled: 3, failed: 1, leftCount: 0 });
    expect((await job(after)).state).toBe('failed');
    expect(before - (await reserved())).toBe(figures.givenBackNano);
    expect(await line()).toEqual([3]);
  });

  it('also where they depend on each other', async () => {
    const { ask, fill, enqueue, job } = await studio();
    const after = await enqueue(picture('1'), await fill(1));
    expect(await ask('jobs.cancelMany', { filter: {} })).toMatchObject({ canceled: 2, failed: 0 });
    expect((await job(after)).state).toBe('canceled');
  });
});

/** One that has been requested again is not requested a second time by a call about many, whatever price or filter that call names. */
describe('many that ended are requested again', () => {
  const again = ({ job }: Program, ids: string[]) => Promise.all(ids.map(async (id) => (await job(id)).retriedAs));

  it('once, at the price that was shown, also where a later call has another price, another choice and another key', async () => {
    const program = await studio();
    const { ask, call, ended, waiting } = program;
    const ids = await ended(30);
    const { againPrice, ended: count } = await ask('jobs.chosen', { ids, againPrice: true });
    expect(count).toBe(30);
    const wrong = { estimateNano: 1, lowNano: 1, unpriced: 0 };
    expect(await call('jobs.retryMany', { ids, shown: wrong })).toMatchObject({ error: { code: 'conflict' } });
    const input = { ids, ...(againPrice ? { shown: againPrice } : {}), requestKey: 'the first press' };
    const [one, two] = await Promise.all([ask('jobs.retryMany', input), ask('jobs.retryMany', input)]);
    expect(two).toEqual(one);
    expect([one.count, one.leftCount]).toEqual([30, 0]);
    expect(await again(program, ids)).toEqual(one.jobIds);
    expect(await ask('jobs.retryMany', input)).toEqual(one);
    const later: CallInput<'jobs.retryMany'>[] = [
      { ids, requestKey: 'the second press' },
      { ids, shown: { estimateNano: 7, lowNano: 7, unpriced: 0 } },
      { filter: { states: ['failed', 'canceled'] } },
      { filter: { states: ['canceled'], text: '1' }, requestKey: 'the third press' },
    ];
    for (const each of later)
      expect(await call('jobs.retryMany', each)).toMatchObject({ error: { code: 'wrong_state' } });
    expect(await waiting()).toBe(30);
    const none = { estimateNano: 0, lowNano: 0, unpriced: 0 };
    expect(await ask('jobs.chosen', { ids, againPrice: true })).toMatchObject({ ended: 0, againPrice: none });
  });

  it('by the newest of them: what was made from one stands for it', async () => {
    const program = await studio();
    const { ask, ended, waiting } = program;
    const [id = ''] = await ended(1);
    const second = await ask('jobs.retry', { id });
    await ask('jobs.cancel', { id: second.id });
    const filter = { states: ['canceled' as const] };
    expect((await ask('jobs.chosen', { filter })).ended).toBe(1);
    const { jobIds } = await ask('jobs.retryMany', { filter });
    expect(await again(program, [id, second.id])).toEqual([second.id, jobIds[0]]);
    expect(await waiting()).toBe(1);
  });

  it('once, where a call about one and calls about many are made at the same time', async () => {
    const program = await studio();
    const { ask, ended, waiting } = program;
    const ids = await ended(6);
    const one = { id: ids[3] ?? '', requestKey: 'a press on one' };
    const all = { ids, requestKey: 'a press on all' };
    const [alone, ...many] = await Promise.all([
      ask('jobs.retry', one),
      ask('jobs.retryMany', all),
      ask('jobs.retryMany', { ids: [...ids].reverse(), requestKey: 'another press on all' }),
    ]);
    expect(await waiting()).toBe(6);
    expect((await again(program, ids))[3]).toBe(alone.id);
    expect(many.reduce((sum, { count }) => sum + count, 0) + 1).toBe(6);
    const left = many.flatMap((answer) => answer.left.map(({ message }) => message));
    expect(new Set(left)).toEqual(new Set(['Already requested again.']));
    // Each repeat answers what its own call made, and makes nothing more.
    await ask('jobs.retryMany', all);
    expect((await ask('jobs.retry', one)).id).toBe(alone.id);
    expect(await waiting()).toBe(6);
  });

  it('the rest of them after an end in the middle, where the call is repeated, and none without its key', async () => {
    const dataDir = tempDir('many-killed');
    const everyId = countingIds();
    const { call, ended, waiting, job, close } = await studio(dataDir, everyId);
    const ids = await ended(20);
    const before = await Promise.all(ids.map(job));
    const input = { ids, requestKey: 'again-twenty' };
    const retried = call('jobs.retryMany', input);
    while ((await waiting()) < 5) await new Promise((turn) => setImmediate(turn));
    // The page is told of it by an event.
    expect((await job(ids[0])).revision).toBeGreaterThan(before[0]?.revision ?? Infinity);
    await Promise.all([close(), retried.catch(() => undefined)]);
    const next = await studio(dataDir, everyId);
    expect((await next.ask('jobs.retryMany', input)).count).toBe(20);
    expect((await next.line()).sort((a, b) => a - b)).toEqual(numbers(20));
    expect(await next.call('jobs.retryMany', { ids })).toMatchObject({ ok: false });
  });

  it('only those of one side; those whose gateway is gone are counted before, and named in the answer', async () => {
    const { ask, call, ended } = await studio();
    const [own = ''] = await ended(1);
    await ask('profiles.save', { id: 'gone', name: 'Lost', baseUrl: 'http://127.0.0.1:9' });
    await ask('profiles.activate', { id: 'gone' });
    const ids = await ended(2);
    const both = { ids: [...ids, own] };
    expect(await ask('jobs.chosen', both)).toMatchObject({ bothSides: true, givenBackNano: 0 });
    expect(await call('jobs.retryMany', both)).toMatchObject({ error: { code: 'invalid_input' } });
    await ask('profiles.activate', { id: 'sandbox' });
    await ask('profiles.remove', { id: 'gone' });
    expect(await ask('jobs.chosen', { ids, againPrice: true })).toMatchObject({ ended: 2, withoutProfile: 2 });
    expect((await ask('jobs.chosen', { ids: [own], againPrice: true })).withoutProfile).toBe(0);
    const input = { ids, requestKey: 'a press on both' };
    const answer = await ask('jobs.retryMany', input);
    expect(answer).toMatchObject({ count: 0, jobIds: [], leftCount: 2 });
    expect(answer.left.map(({ id }) => id)).toEqual(ids);
    expect(answer.left[0]?.message).toContain('gateway was removed');
    expect(await ask('jobs.retryMany', input)).toEqual(answer);
  });
});

it('a lane is paused alone and over a restart, apart from the queue, and the status says so', async () => {
  const dataDir = tempDir('lane');
  const { ask, fill, enqueue, job, close } = await studio(dataDir);
  await fill(1);
  const video = await enqueue(quay);
  const { profileId } = await job(video);
  const lane = { kind: 'video', profileId };
  await ask('queue.pause', { lane });
  await ask('queue.resume');
  expect(await job(video)).toMatchObject({ state: 'blocked', reason: 'paused' });
  const laneOf = async (from: TestStudio['ask']) =>
    (await from('queue.status')).lanes.find(({ kind, profileId: own }) => kind === 'video' && own === profileId);
  expect(await laneOf(ask)).toMatchObject({ paused: true, waiting: 1, running: 0 });
  expect((await ask('queue.status')).paused).toBe(false);
  await close();
  const next = await open({ ports: { clock: new TestClock() }, dataDir });
  expect(await laneOf(next.ask)).toMatchObject({ paused: true, waiting: 1 });
  expect(await jobOf(next, video)).toMatchObject({ state: 'blocked', reason: 'paused' });
  await next.ask('queue.pause');
  await next.ask('queue.resume', { lane });
  expect(await jobOf(next, video)).toMatchObject({ reason: 'paused' });
  const unknown = await next.call('queue.pause', { lane: { kind: 'poems', profileId } });
  expect(unknown).toMatchObject({ error: { data: { field: 'lane.kind' } } });
});

describe('a waiting job is edited', () => {
  it('keeps its place and what depends on it, and is priced anew', async () => {
    const { ask, call, fill, enqueue, line, reserved } = await studio();
    await fill(1);
    const id = await enqueue({ ...quay, prompt: '1', config: { durationSeconds: 4 } });
    await enqueue(picture('2'));
    await enqueue(picture('3'), [id]);
    const request = { ...quay, prompt: '10', config: { durationSeconds: 8 } } as const;
    const { estimateNano, lowNano, unpriced } = await ask('ledger.estimate', { requests: [request] });
    const stale = { estimateNano: 1, lowNano: 1, unpriced: 0 };
    expect(await call('jobs.edit', { id, request, shown: stale })).toMatchObject({ error: { code: 'conflict' } });
    const edited = await ask('jobs.edit', { id, request, shown: { estimateNano, lowNano, unpriced } });
    expect(edited.money).toMatchObject({ estimateNano, reservedNano: estimateNano });
    expect(await line()).toEqual([0, 10, 2, 3]);
    expect((await ask('jobs.list', { text: '10' })).jobs.map((job) => job.id)).toEqual([id]);
    expect((await ask('jobs.list', { waitsFor: id })).total).toBe(1);
    expect(await reserved()).toBe((await ask('jobs.list', { order: 'queue' })).waiting?.reservedNano);
  });

  it('from the request that it was made of: one that was edited elsewhere meanwhile, or at the same time, is left as it is', async () => {
    const { ask, call, fill, job } = await studio();
    const [id = ''] = await fill(3);
    const { revision } = await job(id);
    const answers = await Promise.all(
      ['10', '11'].map((words) => call('jobs.edit', { id, request: picture(words), revision })),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    const first = await job(id);
    expect(first.request).toMatchObject(picture('10'));
    expect(answers[1]).toMatchObject({
      error: { code: 'conflict', data: { field: 'revision', revision: first.revision } },
    });
    // Another place is no edit.
    expect((await ask('jobs.move', { id })).revision).toBeGreaterThan(first.revision);
    const late = { id, request: picture('11'), requestKey: 'a late edit' };
    expect(await ask('jobs.edit', { ...late, revision: first.revision })).toMatchObject({ id });
    // A caller that names no revision edits what is there.
    await ask('jobs.edit', { id, request: picture('12') });
    expect((await job(id)).request).toMatchObject(picture('12'));
    const negative = await call('jobs.edit', { ...late, revision: -1 });
    expect(negative).toMatchObject({ error: { code: 'invalid_input', message: 'revision: must be at least 0' } });
  });

  it('by another model only where nothing waits to extend its clip, which only its own model can', async () => {
    const { ask, call, enqueue } = await studio();
    const request = { ...quay, model: 'video-pro' };
    const id = await enqueue(request);
    const behind = await enqueue({
      ...request,
      prompt: 'On and on, over the quay and out to the open sea',
      video: { jobId: id },
      config: { durationSeconds: 7 },
    });
    await enqueue({ ...quay, image: { jobId: id, frame: 'last' } });
    const message =
      'request.model: “On and on, over the quay and out to the…” waits to extend this clip, and only video-pro can.';
    const refused = { code: 'invalid_input', message, data: { field: 'request.model' } };
    expect(await call('jobs.edit', { id, request: quay })).toMatchObject({ error: refused });
    await ask('jobs.edit', { id, request: { ...request, prompt: 'A quay at night' } });
    await ask('jobs.cancel', { id: behind });
    expect(await ask('jobs.edit', { id, request: quay })).toMatchObject({ model: 'video-standard' });
  });

  it('only while it waits and was never sent, as its own kind, and not out of itself', async () => {
    const { ask, fill, enqueue, why } = await studio();
    const [id = ''] = await fill(1);
    const refused = (input: CallInput<'jobs.edit'>) => why('jobs.edit', input);
    expect(await refused({ id, request: quay })).toContain('request.kind: must be imagine');
    const own = await enqueue(quay);
    const image = { jobId: await enqueue(picture('2'), [own]) };
    expect(await refused({ id: own, request: { ...quay, image } })).toContain('request.image: is made from this job');
    await ask('jobs.cancel', { id });
    expect(await refused({ id, request: picture('3') })).toBe('Only a waiting job can be edited.');
  });
});
