import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { acting, aJob, anAsset, fakeStudio, show, showOver, until } from '../../testing/page.tsx';
import {
  cacheAssets,
  cacheJobs,
  keepCached,
  patchEntities,
  useAsset,
  useEntities,
  useJob,
  useWholeJob,
} from './entities.ts';
import { readMoney, useStudio } from './studio.ts';
import { useCall } from './useCall.ts';

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ queue: undefined, budgets: [], today: undefined });
});

const fetching = aJob({ id: 'j', revision: 4, state: 'fetching' });
const done = aJob({ id: 'j', revision: 5, state: 'succeeded' });

describe('the cache of jobs and assets', () => {
  it('keeps the whole of a long chat when a list brings the same one cut', () => {
    const whole = aJob({ id: 'j', revision: 5, request: { kind: 'imagine', prompt: 'long '.repeat(2_000) } });
    const cut: Job = { ...whole, requestCut: true, request: { kind: 'imagine', prompt: 'long' } };
    cacheJobs([whole]);
    cacheJobs([cut]);
    expect(useEntities.getState().jobs.get('j')).toEqual(whole);
    cacheJobs([{ ...cut, revision: 6 }]);
    expect(useEntities.getState().jobs.get('j')?.requestCut).toBe(true);
  });

  it('forgets only what nothing shows', () => {
    const release = keepCached(['first']);
    cacheAssets([anAsset({ id: 'first' }), anAsset({ id: 'second' })]);
    for (let n = 0; n < 60; n++)
      cacheAssets(Array.from({ length: 100 }, (_, i) => anAsset({ id: `more ${n * 100 + i}` })));
    expect(useEntities.getState().assets.has('second')).toBe(false);
    expect(useEntities.getState().assets.has('first')).toBe(true);
    release();
    cacheAssets([anAsset({ id: 'one more' })]);
    expect(useEntities.getState().assets.has('first')).toBe(false);
  });

  it.each(['job', 'asset'] as const)('is copied once for all changes of a %s that come in one go', async (kind) => {
    let copies = 0;
    const stop = useEntities.subscribe(() => copies++);
    for (let n = 0; n < 50; n++)
      patchEntities(
        kind === 'job'
          ? { type: 'job.changed', job: aJob({ id: `j${n}` }) }
          : { type: 'asset.changed', asset: anAsset({ id: `a${n}` }) },
      );
    await until(() => expect(useEntities.getState()[`${kind}s`].size).toBe(50));
    stop();
    expect(copies).toBe(1);
  });

  it('takes over what a studio says that was lost and came back with an older database', async () => {
    const Shown = () => <p>{useJob('j')?.state}</p>;
    let answer = done;
    const studio = await showOver(<Shown />, { 'jobs.get': () => answer });
    await until(() => expect(document.body.textContent).toBe('succeeded'));
    answer = { ...fetching, revision: 2 };
    await studio.link('lost');
    await studio.link('up');
    await until(() => expect(document.body.textContent).toBe('fetching'));
  });

  it('reads the whole of a request that came cut, once for each', async () => {
    const Shown = () => <p>{useWholeJob('j')?.requestCut ? 'cut' : 'whole'}</p>;
    let now = done;
    const studio = fakeStudio({ 'jobs.get': () => now });
    cacheJobs([{ ...done, requestCut: true }]);
    await show(<Shown />);
    await until(() => expect(document.body.textContent).toBe('whole'));
    now = { ...done, revision: done.revision + 1 };
    await acting(() => cacheJobs([{ ...now, requestCut: true }]));
    await until(() => expect(document.body.textContent).toBe('whole'));
    await acting(() => cacheJobs([{ ...now, requestCut: true }]));
    expect(studio.callsOf('jobs.get')).toHaveLength(2);
  });

  it.each(['job', 'asset'])(
    'a %s whose reading failed is read again when the studio comes back once more',
    async (kind) => {
      const Shown = () => {
        const job = useJob(kind === 'job' ? 'j' : undefined);
        const asset = useAsset(kind === 'asset' ? 'a' : undefined);
        return <p>{job?.state ?? asset?.state}</p>;
      };
      let isAway = true;
      const away = fail('unreachable', 'away');
      const studio = fakeStudio({
        'jobs.get': () => (isAway ? away : ok(done)),
        'library.get': () => (isAway ? away : ok(anAsset({ id: 'a', state: 'local' }))),
      });
      const asked = () => studio.callsOf('jobs.get').length + studio.callsOf('library.get').length;
      cacheJobs([fetching]);
      cacheAssets([anAsset({ id: 'a', state: 'remote' })]);
      await show(<Shown />);
      await studio.link('lost');
      await studio.link('up');
      await until(() => expect(asked()).toBe(1));
      isAway = false;
      await studio.link('lost');
      await studio.link('up');
      await until(() => expect(document.body.textContent).toBe(kind === 'job' ? 'succeeded' : 'local'));
    },
  );
});

/** A studio that answers when the test says so. */
function slowStudio() {
  const waiting: ((answer: Result<unknown>) => void)[] = [];
  const slow = () => new Promise<Result<unknown>>((done) => waiting.push(done)) as never;
  fakeStudio({ 'budgets.list': slow, 'ledger.totals': slow, 'library.stats': slow });
  return waiting;
}

it('of two readings of the budgets the one asked for last counts, though it is answered first', async () => {
  const waiting = slowStudio();
  const reading = [readMoney(), readMoney()];
  const budget = (nano: number) => ok({ budgets: [{ scope: 'day', softNano: nano, used: {} }] });
  const sum = (settledNano: number) => ok({ rows: [], sum: { settledNano } });
  await until(() => expect(waiting).toHaveLength(4));
  const [oldBudgets, oldTotals, newBudgets, newTotals] = waiting;
  newBudgets?.(budget(2));
  newTotals?.(sum(2));
  oldBudgets?.(budget(1));
  oldTotals?.(sum(1));
  await Promise.all(reading);
  expect(useStudio.getState().budgets[0]?.softNano).toBe(2);
  expect(useStudio.getState().today?.settledNano).toBe(2);
});

it('the figures of today are asked for up to midnight', async () => {
  // Midnight must not pass during the test.
  vi.setSystemTime(new Date(2026, 10, 21, 12));
  onTestFinished(() => void vi.useRealTimers());
  const studio = fakeStudio({
    'budgets.list': () => ({ budgets: [] }),
    'ledger.totals': () => ({ rows: [], sum: NO_MONEY, play: false }),
  });
  await readMoney();
  const day = new Date();
  const today = { from: day.setHours(0, 0, 0, 0), to: day.setHours(24, 0, 0, 0) };
  expect(studio.callsOf('ledger.totals')).toEqual([{ groupBy: 'day', ...today }]);
});

it('of two answers to one question a page shows that of the later asking, though it came first', async () => {
  const waiting = slowStudio();
  let reload = () => {};
  function Shown() {
    const stats = useCall('library.stats', {});
    reload = stats.reload;
    return <p>{stats.data?.assets}</p>;
  }
  await show(<Shown />);
  await until(() => expect(waiting).toHaveLength(1));
  reload();
  await until(() => expect(waiting).toHaveLength(2));
  waiting[1]?.(ok({ assets: 2 }));
  await until(() => expect(document.body.textContent).toBe('2'));
  waiting[0]?.(ok({ assets: 1 }));
  await new Promise((done) => setTimeout(done, 0));
  expect(document.body.textContent).toBe('2');
});
