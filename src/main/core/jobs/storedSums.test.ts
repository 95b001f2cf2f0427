import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { changeRows, noneOr, rowChanges } from '../../../../test/helpers/rowChanges.ts';
import { JOB_STATES } from '../../../shared/jobs/job.ts';
import { type JobFilter, jobFilterSchema, jobsListSchema } from '../../../shared/jobs/lists.ts';
import { sql } from '../store/index.ts';
import { conditionsOf, isSummed } from './queries/filter.ts';
import { doubtSums, IN_DOUBT } from './queries/jobSql.ts';
import { listJobs, sumJobs } from './queries/listJobs.ts';

/** Whatever is added, changed and removed, what the database keeps of all jobs follows. */

const values = fc.record({
  state: fc.constantFrom(...JOB_STATES),
  kind: fc.constantFrom('video', 'imagine'),
  play: fc.constantFrom(0, 1),
  project_id: noneOr('p1', 'p2'),
  // An empty name is a name.
  model: noneOr('', 'a', 'b'),
  verdict: noneOr('keep', 'no'),
  uncertain_nano: fc.constantFrom(0, 7, 2_000_000_000_000),
  unpriced_doubt: fc.constantFrom(0, 0, 1, 2),
});
const COLUMNS = ['state', 'kind', 'play', 'project_id', 'model', 'verdict', 'uncertain_nano', 'unpriced_doubt'];
const request = `'{"kind":"video","text":"","config":{}}'`;
const insert = sql(
  'test.insert',
  `INSERT INTO jobs (seq, id, position, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     created_at, ${COLUMNS}) VALUES ($seq, $id, $seq, ${request}, 'p', 'l', $id, 's', 'null', 0, 0, 0, ${COLUMNS.map((name) => `$${name}`)})`,
);
const update = sql('test.update', `UPDATE jobs SET ${COLUMNS.map((name) => `${name} = $${name}`)} WHERE seq = $seq`);
const changes = rowChanges(values);
const changed = (all: Parameters<typeof changeRows>[1]) => {
  const db = memoryDb();
  changeRows(db, all, { table: 'jobs', insert, update });
  return db;
};
const filters = fc.record(
  {
    states: fc.subarray([...JOB_STATES]),
    kinds: fc.subarray(['video', 'imagine'] as const),
    models: fc.subarray(['', 'a']),
    projectId: fc.constantFrom('p1', 'p2', 'p3'),
    verdict: fc.constantFrom('keep', 'no', 'none'),
    play: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('the sums in doubt are those of the jobs', () => {
  const counted = sql(
    'test.counted',
    `SELECT play, count(*) AS count, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced FROM jobs WHERE ${IN_DOUBT} GROUP BY play`,
  );
  fc.assert(
    fc.property(changes, (all) => {
      const db = changed(all);
      const sums = db.all<{ count: number }>(doubtSums).filter(({ count }) => count > 0);
      expect(sums).toEqual(db.all(counted));
    }),
    { numRuns: 50 },
  );
});

test('the sum that a filter matches is the count', () => {
  fc.assert(
    fc.property(changes, fc.array(filters, { minLength: 5, maxLength: 5 }), (all, asked) => {
      const db = changed(all);
      for (const filter of asked as JobFilter[]) {
        const conditions = conditionsOf(jobFilterSchema.parse(filter));
        const count = sql('test.count', `SELECT count(*) AS n FROM jobs WHERE ${conditions.where}`);
        expect(sumJobs(db, conditions)).toBe(db.one<{ n: number }>(count, conditions.params)?.n);
      }
    }),
    { numRuns: 30 },
  );
});

test('what the sums have no column for is counted', () => {
  const filter = (more: object) => jobsListSchema.parse({ limit: 10, offset: 3, order: 'queue', ...more });
  expect(isSummed(filter({}))).toBe(true);
  expect(isSummed(filter({ text: ' ', states: ['failed'], play: true }))).toBe(true);
  for (const more of [{ text: 'a' }, { from: 1 }, { to: 1 }, { costInDoubt: true }, { waitsFor: 'j' }])
    expect(isSummed(filter(more)), JSON.stringify(more)).toBe(false);
});

interface Listed {
  id: string;
  state: string;
  position: number;
}
const OPEN = [
  ['sending', 'running', 'fetching'],
  ['queued', 'blocked'],
];
const placeOf = ({ state }: Listed): number => {
  const at = OPEN.findIndex((group) => group.includes(state));
  return at < 0 ? OPEN.length : at;
};
/** The order of the queue, from the newest first. */
const inQueue = (rows: readonly Listed[]): Listed[] =>
  [...rows].sort((a, b) => placeOf(a) - placeOf(b) || (placeOf(a) < OPEN.length ? a.position - b.position : 0));

test('each page by its place or behind another is that of the whole list', () => {
  const page = fc.record({ offset: fc.nat(30), limit: fc.integer({ min: 1, max: 9 }), filter: filters });
  fc.assert(
    fc.property(changes, fc.array(page, { minLength: 6, maxLength: 6 }), (all, pages) => {
      const db = changed(all);
      for (const { offset, limit, filter: asked } of pages) {
        const { where, params } = conditionsOf(jobFilterSchema.parse(asked) as JobFilter);
        const listed = sql('test.listed', `SELECT seq, id, state, position FROM jobs WHERE ${where} ORDER BY seq DESC`);
        const newest = db.all<Listed>(listed, params);
        for (const order of ['newest', 'queue'] as const) {
          const whole = (order === 'queue' ? inQueue(newest) : newest).map(({ id }) => id);
          const list = (at: object) => listJobs(db, jobsListSchema.parse({ ...asked, order, limit, ...at }), true);
          const found = list({ offset });
          expect(found.jobs.map(({ id }) => id)).toEqual(whole.slice(offset, offset + limit));
          expect(found.total).toBe(whole.length);
          if (found.nextCursor === undefined) continue;
          const next = list({ cursor: found.nextCursor }).jobs.map(({ id }) => id);
          expect(next).toEqual(whole.slice(offset + limit, offset + 2 * limit));
        }
      }
    }),
    { numRuns: 40 },
  );
});
