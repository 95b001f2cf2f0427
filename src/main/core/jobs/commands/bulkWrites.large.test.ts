import { cpSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { acceptance, aVideo } from '../../../../../test/helpers/engineHarness.ts';
import { DOLLAR, EVENING, HOUR, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
import { countingIds, settle, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import { databaseFile } from '../../store/index.ts';

/**
 * A change of many jobs is whole or has not begun, wherever the program ends: at every turn of the event loop the data folder is copied,
 * as a kill would leave it, and opened again.
 */

const open = studiosOfThisFile();
const PLAN = { start: '23:00', end: '07:00', capNano: 1_000 * DOLLAR };
const JOBS = 110;
/** Every start of the program makes ids of its own. */
const ids = countingIds();

async function studio(dataDir = tempDir('changes'), clock = new TestClock(EVENING)) {
  return { ...(await open({ ports: { clock, ids, freeBytes: () => 1e12 }, dataDir })), clock };
}

const pictures = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ kind: 'imagine' as const, prompt: `${n}` }));

async function filled(count = JOBS) {
  const program = await studio();
  await program.ask('queue.pause');
  await program.ask('night.plan', PLAN);
  return { ...program, ids: await program.enqueue(...pictures(count)) };
}

const jobsOf = async ({ ask }: Pick<TestStudio, 'ask'>): Promise<Job[]> =>
  (await ask('jobs.list', { limit: 500 })).jobs;

/** Copies the folder in each turn from the call's first one until it has answered; the copies, oldest first. */
async function copiesDuring({ dataDir }: TestStudio, work: Promise<unknown>): Promise<string[]> {
  const copies: string[] = [];
  let done = false;
  const end = work.finally(() => {
    done = true;
  });
  await nextTurn();
  while (!done) {
    const copy = tempDir('changes-killed');
    cpSync(dataDir, copy, { recursive: true });
    copies.push(copy);
    await nextTurn();
  }
  await end;
  return copies;
}

/** The change is on disk, and not finished. */
async function isDecided({ dataDir }: TestStudio): Promise<void> {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const unfinished = db.prepare('SELECT count(*) FROM bulk_writes WHERE task IS NOT NULL').pluck();
  while (unfinished.get() === 0) await nextTurn();
  db.close();
}

/** What each copy holds as soon as it is opened. */
async function reopened(copies: readonly string[], look: (jobs: Job[]) => string): Promise<string[]> {
  const seen: string[] = [];
  for (const copy of copies) {
    const again = await studio(copy);
    seen.push(look(await jobsOf(again)));
    await again.close();
  }
  return seen;
}

/** Some copies before it was decided hold none of it; from then on each holds it whole. */
function expectWhole(seen: readonly string[]): void {
  expect(seen).toContain('all');
  expect(seen.slice(seen.indexOf('all'))).not.toContain('none');
  expect(seen.filter((share) => share !== 'none' && share !== 'all')).toEqual([]);
}

const share = (jobs: Job[], holds: (job: Job) => boolean): string => {
  const count = jobs.filter(holds).length;
  return count === 0 ? 'none' : count === jobs.length ? 'all' : `${count} of ${jobs.length}`;
};

describe('killed at every turn, a change of many is whole at the next start', () => {
  it('canceling: none of them is left to be sent', async () => {
    const program = await filled();
    const copies = await copiesDuring(program, program.ask('jobs.cancelMany', { filter: {} }));
    expect(copies.length).toBeGreaterThan(3);
    const seen = await reopened(copies, (jobs) => share(jobs, ({ state }) => state === 'canceled'));
    expect(new Set(seen)).toEqual(new Set(['all']));
    const last = await studio(copies[0]);
    expect((await last.ask('ledger.totals', { groupBy: 'kind' })).sum.reservedNano).toBe(0);
  });

  it('into a night: all of them wait for it', async () => {
    const program = await filled();
    const figures = await program.ask('jobs.chosen', { ids: program.ids });
    const input = { ids: program.ids, night: true, shown: figures.waitingPrice, requestKey: 'all for tonight' };
    const copies = await copiesDuring(program, program.ask('night.assign', input));
    expect(copies.length).toBeGreaterThan(3);
    const seen = await reopened(copies, (jobs) => share(jobs, ({ runId }) => runId !== undefined));
    expectWhole(seen);
    const killed = await studio(copies[seen.indexOf('all')]);
    await killed.ask('night.assign', input);
    expect((await killed.ask('night.get')).current?.jobs.waiting).toBe(JOBS);
  });

  it('out of a night, and to another place: all of them, in their order', async () => {
    const program = await filled();
    await program.ask('night.assign', { ids: program.ids, night: true });
    const out = await copiesDuring(program, program.ask('night.assign', { ids: program.ids, night: false }));
    const left = await reopened(out, (jobs) => share(jobs, ({ runId }) => runId === undefined));
    expectWhole(left);
    const behind = await program.enqueue(...pictures(300));
    const moved = await copiesDuring(program, program.ask('jobs.moveMany', { ids: behind, to: 'first' }));
    expect(moved.length).toBeGreaterThan(0);
    for (const copy of moved) {
      const again = await studio(copy);
      const line = await again.ask('jobs.list', { order: 'queue', states: ['queued', 'blocked'], limit: 500 });
      expect(line.jobs.map(({ id }) => id)).toEqual([...behind, ...program.ids]);
      await again.close();
    }
  });
});

describe('while many are changed, none of them is sent', () => {
  const start = nightsOfThisFile();
  const wideOpen = { profile: { limits: { videosAtOnce: 1_000 } } };

  it('in a queue that runs, also where one change of them ends before another', async () => {
    const { engine, enqueue, many, script, service, clock, plan, job } = start(wideOpen);
    service.submit = () => acceptance(clock);
    await engine.commands.setPaused(true);
    plan();
    const own = await many(90);
    const some = engine.many.assignNight({ ids: own.slice(0, 30), night: true });
    const back = engine.many.assignNight({ ids: own.slice(0, 60), night: false });
    const canceled = engine.many.cancel({ ids: own });
    await engine.commands.setPaused(false);
    await some;
    await settle();
    await Promise.all([back, canceled]);
    await settle();
    expect(script.sent).toBe(0);
    expect(new Set(own.map((id) => job(id).state))).toEqual(new Set(['canceled']));
    const { id } = await enqueue(aVideo);
    await settle();
    expect([script.sent, job(id).state]).toEqual([1, 'running']);
  });

  it('and of two changes of the same jobs the later one counts', async () => {
    const program = await filled();
    const input = (night: boolean): CallInput<'night.assign'> => ({ ids: program.ids, night });
    await Promise.all([program.ask('night.assign', input(true)), program.ask('night.assign', input(false))]);
    expect((await program.ask('jobs.chosen', { filter: {} })).inNight).toBe(0);
    await Promise.all([program.ask('night.assign', input(false)), program.ask('night.assign', input(true))]);
    expect((await program.ask('jobs.chosen', { filter: {} })).inNight).toBe(JOBS);
  });
});

describe('a night that ends while they are put into it', () => {
  it('is told, they wait, and nothing of them is sent unasked', async () => {
    const program = await filled();
    await program.clock.advance(4 * HOUR);
    const input = { ids: program.ids, night: true, requestKey: 'for a night that ends' };
    const change = program.call('night.assign', input);
    await isDecided(program);
    await program.ask('night.stop');
    const answer = await change;
    expect(answer).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    expect(answer.ok ? '' : answer.error.message).toContain('are not sent by themselves');
    expect(await program.call('night.assign', input)).toEqual(answer);
    await program.ask('queue.resume');
    await program.clock.advance(HOUR);
    const jobs = await jobsOf(program);
    expect(share(jobs, ({ state, reason }) => state === 'blocked' && reason === 'window')).toBe('all');
    expect(share(jobs, ({ attempts }) => attempts.length > 0)).toBe('none');
    expect((await program.ask('night.get')).leftOver.length).toBe(JOBS);
    expect((await program.ask('ledger.totals', { groupBy: 'kind' })).sum.reservedNano).toBe(0);
  });

  it('also where the program ended before, and the night was over at the next start', async () => {
    const program = await filled();
    const copies = await copiesDuring(program, program.ask('night.assign', { ids: program.ids, night: true }));
    const again = await studio(copies[1], new TestClock(EVENING + 24 * HOUR));
    const jobs = await jobsOf(again);
    expect(share(jobs, ({ state, reason }) => state === 'blocked' && reason === 'window')).toBe('all');
    expect((await again.ask('night.get')).leftOver.length).toBe(JOBS);
  });
});

describe('a change whose text is damaged', () => {
  it.each([
    ['the change itself', "UPDATE bulk_writes SET task = '{'"],
    ['a job of it', "UPDATE bulk_rows SET staged = '{' WHERE n = 100"],
  ])('is given up at the next start, and holds no job of a queue that is paused then: %s', async (_, damage) => {
    const program = await filled(2);
    await program.ask('queue.resume');
    const text = ['kind,prompt', ...pictures(JOBS).map(({ prompt }) => `imagine,${prompt}`)].join('\n');
    const { readId } = await program.ask('batch.read', { text, format: 'csv' });
    const copies = await copiesDuring(program, program.ask('batch.enqueue', { readId }));
    const copy = copies.find((folder) => damaged(folder, damage)) ?? '';
    const again = await studio(copy);
    expect(left(copy)).toEqual([0, 0]);
    expect((await again.ask('queue.status')).paused).toBe(true);
    await again.clock.advance(5_000);
    expect(again.events).toContainEqual(expect.objectContaining({ type: 'notice', level: 'error' }));
    await again.ask('jobs.cancelMany', { filter: {} });
    expect(share(await jobsOf(again), ({ state }) => state === 'canceled')).toBe('all');
    await again.close();
    const third = await studio(copy);
    await third.clock.advance(5_000);
    expect(third.events.filter(({ type }) => type === 'notice')).toEqual([]);
  });

  /** Whether the folder holds a change that was decided, which is damaged then. */
  function damaged(folder: string, statement: string): boolean {
    const db = new Database(databaseFile(folder));
    const isDecided = db.prepare('SELECT 1 FROM bulk_writes WHERE task IS NOT NULL').get() !== undefined;
    if (isDecided) db.exec(statement);
    db.close();
    return isDecided;
  }

  function left(folder: string): unknown[] {
    const db = new Database(databaseFile(folder), { readonly: true });
    const counts = ['bulk_writes', 'bulk_rows'].map((table) =>
      db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    db.close();
    return counts;
  }
});
