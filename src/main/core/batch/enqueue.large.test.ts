import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { batchesOfThisFile, readTable } from '../../../../test/helpers/batches.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { BatchReading } from '../../../shared/jobs/batch.ts';

const studio = batchesOfThisFile();
const linesOf = (count: number): string => Array.from({ length: count }, (_, index) => `Prompt ${index}`).join('\n');

const read = (from: TestStudio, text: string, rest: Partial<CallInput<'batch.read'>> = {}) =>
  readTable(from, text, { format: 'lines', defaults: { kind: 'imagine' }, ...rest });

const shownOf = ({ estimateNano, lowNano, unpriced }: BatchReading) => ({ estimateNano, lowNano, unpriced });
const totals = async (from: TestStudio) => (await from.ask('ledger.totals', { groupBy: 'kind' })).sum;
const waiting = async (from: TestStudio) => (await from.ask('queue.status')).waiting;

describe('a batch', () => {
  it('is enqueued in its order, at the price that was shown, and once for its key', async () => {
    const program = await studio();
    const { readId, estimateNano, lowNano, unpriced } = await read(program, linesOf(130));
    const input = { readId, shown: { estimateNano, lowNano, unpriced }, requestKey: 'a-batch-of-130' };
    const [first, second] = await Promise.all([
      program.ask('batch.enqueue', input),
      program.ask('batch.enqueue', input),
    ]);
    expect(second).toEqual(first);
    expect([first.count, first.jobIds.length]).toEqual([130, 100]);
    const { jobs, total } = await program.ask('jobs.list', { order: 'queue', limit: 500 });
    expect(total).toBe(130);
    expect(jobs.map(({ request }) => 'prompt' in request && request.prompt)).toEqual(linesOf(130).split('\n'));
    expect(jobs.slice(0, 100).map(({ id }) => id)).toEqual(first.jobIds);
    expect((await totals(program)).reservedNano).toBe(estimateNano);
    expect(await program.ask('batch.enqueue', input)).toEqual(first);
    expect(await program.call('batch.enqueue', { ...input, night: true })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(await waiting(program)).toBe(130);
  });

  it('is in each list and count as soon as it is in one, while it is written', async () => {
    const program = await studio();
    const { readId } = await read(program, linesOf(200));
    let done = false;
    const enqueued = program.ask('batch.enqueue', { readId }).then(() => {
      done = true;
    });
    const seen = new Set<string>();
    while (!done) {
      const { total } = await program.ask('jobs.list', {});
      const queue = await program.ask('jobs.list', { order: 'queue' });
      seen.add(`${total} ${queue.total} ${queue.waiting?.count} ${await waiting(program)}`);
      await new Promise((turn) => setImmediate(turn));
    }
    await enqueued;
    expect([...seen].filter((counts) => new Set(counts.split(' ')).size > 1)).toEqual([]);
    expect(seen.size).toBeGreaterThan(3);
    expect(await waiting(program)).toBe(200);
  });

  it('keeps its place among what is enqueued meanwhile', async () => {
    const program = await studio();
    const request = { kind: 'imagine', prompt: 'before' } as const;
    await program.ask('jobs.enqueue', { requests: [request] });
    const { readId } = await read(program, linesOf(100));
    const enqueued = program.ask('batch.enqueue', { readId });
    for (let turn = 0; turn < 12; turn += 1) {
      await program.ask('jobs.enqueue', { requests: [{ ...request, prompt: `meanwhile ${turn}` }] });
      await new Promise((next) => setImmediate(next));
    }
    await enqueued;
    const { jobs } = await program.ask('jobs.list', { order: 'queue', limit: 500 });
    const prompts = jobs.map((job) => ('prompt' in job.request ? job.request.prompt : ''));
    const first = prompts.indexOf('Prompt 0');
    expect(prompts.slice(first, first + 100)).toEqual(linesOf(100).split('\n'));
    expect(prompts).toHaveLength(113);
    expect(new Set(jobs.map(({ position }) => position)).size).toBe(113);
  });

  it('waits for the night where it says so, under the project of its line', async () => {
    const program = await studio();
    const { id } = await program.ask('projects.create', { name: 'Last Ferry' });
    const text = 'kind,prompt,project,night\nimagine,One,Last Ferry,yes\nimagine,Two,,no';
    const { readId } = await read(program, text, { format: 'csv', defaults: {} });
    expect(await program.call('batch.enqueue', { readId })).toMatchObject({
      error: { code: 'wrong_state', data: { field: 'night' } },
    });
    expect(await waiting(program)).toBe(0);
    await program.ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
    const { id: other } = await program.ask('projects.create', { name: 'Other' });
    await program.ask('batch.enqueue', { readId, projectId: other });
    const { jobs } = await program.ask('jobs.list', { order: 'queue' });
    expect(jobs.map(({ projectId, runId, reason }) => [projectId, runId !== undefined, reason])).toEqual([
      [id, true, 'window'],
      [other, false, 'paused'],
    ]);
  });

  it('whose answer was lost is known again when its text is read anew, also at other prices', async () => {
    const program = await studio();
    const first = await read(program, linesOf(3));
    const requestKey = 'its answer was lost';
    const made = await program.ask('batch.enqueue', { readId: first.readId, shown: shownOf(first), requestKey });
    await program.ask('prices.set', { price: aPrice('image', 0.07, { kind: 'image', model: '*' }) });
    await program.ask('projects.create', { name: 'Last Ferry' });
    const again = await read(program, linesOf(3));
    expect(again.estimateNano).not.toBe(first.estimateNano);
    const input = { readId: again.readId, shown: shownOf(again), requestKey };
    expect(await program.ask('batch.enqueue', input)).toEqual(made);
    expect(await waiting(program)).toBe(3);
  });

  it('is refused whole: wrong lines, another price, another gateway, a text that is gone', async () => {
    const program = await studio();
    const refusedFor = async (input: CallInput<'batch.enqueue'>) => {
      const answer = await program.call('batch.enqueue', input);
      return answer.ok ? 'enqueued' : answer.error.message;
    };
    const wrong = await read(program, 'kind,prompt\nimagine,One\npoem,Two', { format: 'csv', defaults: {} });
    expect(await refusedFor({ readId: wrong.readId })).toBe('Line 3 is not right: fix or skip. Nothing was queued.');
    const right = await read(program, 'One');
    const { lowNano, unpriced } = right;
    expect(await refusedFor({ readId: right.readId, shown: { estimateNano: 1, lowNano, unpriced } })).toMatch(
      /^The price is .* by now; .* was shown\.$/,
    );
    expect(await refusedFor({ readId: (await read(program, '')).readId })).toBe('There is no job in it to queue.');
    expect(await refusedFor({ readId: 'read_gone' })).toBe(
      'readId: that text is no longer kept; read it again. Nothing was queued.',
    );
    expect(await refusedFor({ readId: right.readId, projectId: 'none' })).toBe(
      'projectId: there is no such project. Nothing was queued.',
    );
    const { id: projectId } = await program.ask('projects.create', { name: 'Last Ferry' });
    const inProject = await read(program, 'kind,prompt,project\nimagine,One,Last Ferry', {
      format: 'csv',
      defaults: {},
    });
    await program.ask('projects.remove', { id: projectId });
    expect(await refusedFor({ readId: inProject.readId })).toBe(
      'Line 2: project was removed since it was read. Nothing was queued.',
    );
    await program.ask('profiles.save', { id: 'other', name: 'Other', baseUrl: 'http://127.0.0.1:9' });
    await program.ask('profiles.activate', { id: 'other' });
    expect(await refusedFor({ readId: right.readId })).toContain('was read for another gateway');
    expect(await waiting(program)).toBe(0);
    expect((await totals(program)).reservedNano).toBe(0);
  });

  it('is refused where a line says what has become a key since it was read', async () => {
    const program = await studio();
    const apiKey = 'a-key-without-its-usual-beginning';
    const { readId } = await read(program, `A quay\n${apiKey}`);
    await program.ask('profiles.setKey', { id: 'sandbox', apiKey });
    expect(await program.call('batch.enqueue', { readId })).toMatchObject({ error: { data: { line: 2 } } });
    expect(await waiting(program)).toBe(0);
  });

  it('reserves in its order under a hard cap; what does not fit waits for money', async () => {
    const program = await studio();
    const one = await read(program, 'One');
    await program.ask('budgets.set', { scope: 'day', hardNano: one.estimateNano * 3 });
    const { readId } = await read(program, linesOf(50));
    await program.ask('batch.enqueue', { readId });
    const { jobs } = await program.ask('jobs.list', { order: 'queue', limit: 500 });
    expect(jobs.slice(0, 3).map(({ reason }) => reason)).toEqual(['paused', 'paused', 'paused']);
    expect(new Set(jobs.slice(3).map(({ reason }) => reason))).toEqual(new Set(['budget']));
    expect((await totals(program)).reservedNano).toBe(one.estimateNano * 3);
  });
});

it('is there whole or not at all after an end at any moment', async () => {
  const program = await studio();
  const { readId, estimateNano } = await read(program, linesOf(130));
  const requestKey = 'killed-in-the-middle';
  let done = false;
  const enqueued = program.ask('batch.enqueue', { readId, requestKey }).then((answer) => {
    done = true;
    return answer;
  });
  const left: string[] = [];
  while (!done) {
    const folder = tempDir('killed');
    cpSync(program.dataDir, folder, { recursive: true });
    left.push(folder);
    await new Promise((turn) => setImmediate(turn));
  }
  const answer = await enqueued;
  const found = new Set<number>();
  for (const dataDir of left) {
    const again = await studio(dataDir);
    const { jobs, total } = await again.ask('jobs.list', { order: 'queue', limit: 500 });
    found.add(total);
    expect((await totals(again)).reservedNano).toBe(total === 0 ? 0 : estimateNano);
    expect(jobs.map(({ id }) => id).slice(0, 100)).toEqual(total === 0 ? [] : answer.jobIds);
    const repeated = await again.call('batch.enqueue', { readId, requestKey });
    expect(repeated).toEqual(
      total === 0 ? expect.objectContaining({ ok: false }) : { ok: true, data: { count: 130, jobIds: answer.jobIds } },
    );
    await again.close();
  }
  expect([...found].sort()).toEqual([0, 130]);
});
