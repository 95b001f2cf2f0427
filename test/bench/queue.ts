import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import type { CallInput, CallName } from '../../src/shared/contract/contract.ts';
import type { JobPage } from '../../src/shared/jobs/lists.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { openStudio, type TestStudio } from '../helpers/testStudio.ts';
import { type Figure, realClock } from './figures.ts';
import { longest, measured } from './turns.ts';

/**
 * The calls of queue and overnight run with 5,000 queued jobs: the longest turn of the event loop, by wall clock and processor time,
 * compared with the bare statements.
 */

const WAITING = 5_000;
const ASSIGNED = 1_000;

export async function benchQueue(): Promise<Figure[]> {
  const program = await openStudio({ ports: { clock: fromNoon() } });
  const turns = turnsOf(program);
  await program.ask('queue.pause');
  const { readId } = await program.ask('batch.read', { text: table(), format: 'csv' });
  await program.ask('batch.enqueue', { readId });
  const waiting = { filter: { states: ['queued' as const, 'blocked' as const] } };
  await turns('queue.status', 'queue.status', {});
  await turns('jobs.list in the order of the queue', 'jobs.list', { order: 'queue', limit: 100 });
  await turns('jobs.chosen, all', 'jobs.chosen', waiting);
  const first = await idsOf(program, ASSIGNED);
  await turns('jobs.moveMany, 1,000 to the end', 'jobs.moveMany', { ids: first, to: 'last' });
  await turns('jobs.cancelMany, 500', 'jobs.cancelMany', { ids: first.slice(0, 500) });
  await turns('jobs.chosen, with the price of requesting 500 again', 'jobs.chosen', {
    filter: { states: ['canceled'] },
    againPrice: true,
  });
  await turns('jobs.retryMany, 500', 'jobs.retryMany', { ids: first.slice(0, 500), requestKey: 'press-again-500' });
  await turns('queue.resume, then queue.pause', 'queue.resume', {});
  await turns('queue.pause', 'queue.pause', {});
  await turns('night.plan', 'night.plan', plan(10_000));
  const assigned = await turns('night.assign, 1,000', 'night.assign', {
    ids: await idsOf(program, ASSIGNED),
    night: true,
  });
  await turns('night.assign, 5,000', 'night.assign', { ...waiting, night: true });
  await turns('night.get', 'night.get', {});
  await turns('night.dryRun, all fit', 'night.dryRun', {});
  await turns('night.dryRun, most do not fit', 'night.dryRun', { plan: plan(100) });
  await turns('night.plan, the cap lower', 'night.plan', plan(1_000));
  await turns('night.plan, the cap higher', 'night.plan', plan(10_000));
  await turns('night.stop', 'night.stop', {});
  const bare = bareUpdates();
  await program.close();
  return [
    ...turns.figures,
    { name: '1,000 moved by bare SQL: one turn', value: bare, unit: 'ms' },
    { name: 'night.assign of 1,000 beside it, in all', value: assigned / bare, unit: '×' },
  ];
}

/** Real time, beginning at noon: a run can then always be planned for the evening. */
function fromNoon(): typeof realClock {
  const ahead = new Date(2026, 10, 21, 12).getTime() - Date.now();
  return { ...realClock, now: () => Date.now() + ahead };
}

const plan = (dollars: number) => ({ start: '23:00', end: '22:00', capNano: dollars * 1_000_000_000 });

const table = (): string =>
  [
    'kind,prompt,model,seconds',
    ...Array.from({ length: WAITING }, (_, index) =>
      index % 2 === 0 ? `video,"Harbour ${index} at night",video-standard,8` : `imagine,Lamp ${index},,`,
    ),
  ].join('\n');

async function idsOf(program: TestStudio, count: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: { cursor?: string } = {};
  while (ids.length < count) {
    const { jobs, nextCursor }: JobPage = await program.ask('jobs.list', { order: 'queue', limit: 500, ...cursor });
    ids.push(...jobs.map(({ id }) => id));
    cursor = nextCursor === undefined ? {} : { cursor: nextCursor };
  }
  return ids.slice(0, count);
}

/** Makes calls and keeps the longest turn of each. Returns the duration of the call. */
function turnsOf(program: TestStudio) {
  const figures: Figure[] = [];
  const call = async <Name extends CallName>(title: string, name: Name, input: CallInput<Name>): Promise<number> => {
    const { ms, turns, busy } = await measured(() => program.ask(name, input));
    figures.push({ name: `longest turn of ${title}`, value: longest(turns), unit: 'ms' });
    figures.push({ name: '  of it on a processor', value: longest(busy), unit: 'ms' });
    return ms;
  };
  return Object.assign(call, { figures });
}

/** The minimum work of moving 1,000 jobs into a run: their rows, their membership and two ledger entries each. */
function bareUpdates(): number {
  const db = new Database(join(tempDir('bench-bare'), 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`CREATE TABLE jobs (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, state TEXT, position REAL, run_id TEXT, reserved INTEGER, request TEXT);
    CREATE INDEX waiting ON jobs (state, position); CREATE INDEX runs ON jobs (run_id, state, position);
    CREATE TABLE members (run_id TEXT, job_id TEXT, PRIMARY KEY (run_id, job_id));
    CREATE TABLE entries (seq INTEGER PRIMARY KEY, job_id TEXT, nano INTEGER)`);
  const insert = db.prepare(`INSERT INTO jobs VALUES (?, ?, 'queued', ?, NULL, 1, ?)`);
  db.transaction(() => {
    for (let n = 0; n < WAITING; n++) insert.run(n, `job_${n}`, n, JSON.stringify({ prompt: `Harbour ${n} at night` }));
  })();
  const move = db.prepare(`UPDATE jobs SET run_id = 'night', state = 'blocked' WHERE id = ?`);
  const joinNight = db.prepare(`INSERT INTO members VALUES ('night', ?)`);
  const entry = db.prepare('INSERT INTO entries (job_id, nano) VALUES (?, ?)');
  const start = performance.now();
  db.transaction(() => {
    for (let n = 0; n < ASSIGNED; n++) {
      const id = `job_${n}`;
      move.run(id);
      joinNight.run(id);
      entry.run(id, -1);
      entry.run(id, 1);
    }
  })();
  const ms = performance.now() - start;
  db.close();
  return ms;
}
