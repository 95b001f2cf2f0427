import { afterEach, describe, expect, it } from 'vitest';
import { countingIds, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { openStudio, type TestStudio } from '../../../../test/helpers/testStudio.ts';
import type { CallInput } from '../../../shared/contract.ts';

/** A job that has been requested again is not requested a second time by a call about many, whatever price or filter that call names. */

const open: TestStudio[] = [];

async function studio(dataDir = tempDir('retried'), ids = countingIds()): Promise<TestStudio> {
  const opened = await openStudio({ ports: { clock: new TestClock(), ids }, dataDir });
  open.push(opened);
  await opened.ask('queue.pause');
  return opened;
}

afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
});

const picture = (prompt: string) => ({ kind: 'imagine', prompt }) as const;

/** So many jobs that were canceled. */
async function ended({ ask }: TestStudio, count: number): Promise<string[]> {
  const { jobs } = await ask('jobs.enqueue', { requests: Array.from({ length: count }, (_, n) => picture(`${n}`)) });
  const ids = jobs.map(({ id }) => id);
  await ask('jobs.cancelMany', { ids });
  return ids;
}

const waiting = async ({ ask }: TestStudio) => (await ask('queue.status')).waiting;
const again = async ({ ask }: TestStudio, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await ask('jobs.get', { id })).retriedAs));

describe('many that ended are requested again', () => {
  it('once, also where a later call has another price, another choice and another key', async () => {
    const program = await studio();
    const ids = await ended(program, 4);
    const first = await program.ask('jobs.retryMany', { ids, requestKey: 'the first press' });
    expect(await again(program, ids)).toEqual(first.jobIds);
    const later: CallInput<'jobs.retryMany'>[] = [
      { ids, requestKey: 'the second press' },
      { ids, shown: { estimateNano: 7, lowNano: 7, unpriced: 0 } },
      { filter: { states: ['failed', 'canceled'] } },
      { filter: { states: ['canceled'], text: '1' }, requestKey: 'the third press' },
    ];
    for (const input of later)
      expect(await program.call('jobs.retryMany', input)).toMatchObject({ error: { code: 'wrong_state' } });
    expect(await waiting(program)).toBe(4);
    expect(await program.ask('jobs.chosen', { ids, againPrice: true })).toMatchObject({
      ended: 0,
      againPrice: { estimateNano: 0, lowNano: 0, unpriced: 0 },
    });
  });

  it('and only those that were not, where some were', async () => {
    const program = await studio();
    const ids = await ended(program, 3);
    const alone = await program.ask('jobs.retry', { id: ids[1] ?? '' });
    expect((await program.ask('jobs.chosen', { ids })).ended).toBe(2);
    const { count } = await program.ask('jobs.retryMany', { ids });
    expect([count, await waiting(program)]).toEqual([2, 3]);
    expect((await again(program, ids))[1]).toBe(alone.id);
  });

  it('by the newest of them: what was made from one stands for it', async () => {
    const program = await studio();
    const [id = ''] = await ended(program, 1);
    const second = await program.ask('jobs.retry', { id });
    await program.ask('jobs.cancel', { id: second.id });
    const filter = { states: ['canceled' as const] };
    expect((await program.ask('jobs.chosen', { filter })).ended).toBe(1);
    const { jobIds } = await program.ask('jobs.retryMany', { filter });
    expect(await again(program, [id, second.id])).toEqual([second.id, jobIds[0]]);
    expect(await waiting(program)).toBe(1);
  });

  it('once, where a call about one and calls about many are made at the same time', async () => {
    const program = await studio();
    const ids = await ended(program, 6);
    const [alone, ...many] = await Promise.all([
      program.ask('jobs.retry', { id: ids[3] ?? '', requestKey: 'a press on one' }),
      program.ask('jobs.retryMany', { ids, requestKey: 'a press on all' }),
      program.ask('jobs.retryMany', { ids: [...ids].reverse(), requestKey: 'another press on all' }),
    ]);
    expect(await waiting(program)).toBe(6);
    expect((await again(program, ids))[3]).toBe(alone.id);
    const left = many.flatMap((answer) => answer.left);
    expect(many.reduce((sum, { count }) => sum + count, 0) + 1).toBe(6);
    expect(new Set(left.map(({ message }) => message))).toEqual(new Set(['It was requested again already.']));
    // Each repeat answers what its own call made, and makes nothing more.
    await program.ask('jobs.retryMany', { ids, requestKey: 'a press on all' });
    expect((await program.ask('jobs.retry', { id: ids[3] ?? '', requestKey: 'a press on one' })).id).toBe(alone.id);
    expect(await waiting(program)).toBe(6);
  });

  it('once, also over a restart, and the page is told of it by an event', async () => {
    const dataDir = tempDir('retried-restart');
    const everyId = countingIds();
    const program = await studio(dataDir, everyId);
    const ids = await ended(program, 2);
    const before = (await program.ask('jobs.get', { id: ids[0] ?? '' })).revision;
    await program.ask('jobs.retryMany', { ids });
    expect((await program.ask('jobs.get', { id: ids[0] ?? '' })).revision).toBeGreaterThan(before);
    await program.close();
    const later = await studio(dataDir, everyId);
    expect(await later.call('jobs.retryMany', { ids })).toMatchObject({ ok: false });
    expect(await waiting(later)).toBe(2);
  });
});

describe('those whose gateway is gone', () => {
  it('are counted before, and named in the answer', async () => {
    const program = await studio();
    const [own = ''] = await ended(program, 1);
    await program.ask('profiles.save', { id: 'gone', name: 'Gone', baseUrl: 'http://127.0.0.1:9' });
    await program.ask('profiles.activate', { id: 'gone' });
    const [real = '', other = ''] = await ended(program, 2);
    await program.ask('profiles.activate', { id: 'sandbox' });
    await program.ask('profiles.remove', { id: 'gone' });
    const ids = [real, other];
    expect(await program.ask('jobs.chosen', { ids, againPrice: true })).toMatchObject({ ended: 2, withoutProfile: 2 });
    expect((await program.ask('jobs.chosen', { ids: [own], againPrice: true })).withoutProfile).toBe(0);
    const answer = await program.ask('jobs.retryMany', { ids, requestKey: 'a press on both' });
    expect(answer).toMatchObject({ count: 0, jobIds: [], leftCount: 2 });
    expect(answer.left.map(({ id }) => id)).toEqual(ids);
    expect(answer.left[0]?.message).toContain('profile it was made for is gone');
    expect(await program.ask('jobs.retryMany', { ids, requestKey: 'a press on both' })).toEqual(answer);
  });
});
