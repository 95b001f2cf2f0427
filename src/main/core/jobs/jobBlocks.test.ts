import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { changeRows, noneOr, rowChanges } from '../../../../test/helpers/rowChanges.ts';
import { JOB_STATES } from '../../../shared/job.ts';
import { type JobFilter, jobFilterSchema, jobsListSchema } from '../../../shared/lists.ts';
import { sql } from '../store/index.ts';
import { conditionsOf } from './filter.ts';
import { listJobs } from './listJobs.ts';

const values = fc.record({
  state: fc.constantFrom(...JOB_STATES),
  kind: fc.constantFrom('video', 'imagine'),
  play: fc.constantFrom(0, 1),
  project_id: noneOr('p1', 'p2'),
  model: noneOr('', 'a', 'b'),
  verdict: noneOr('keep', 'no'),
});
const states = fc.subarray([...JOB_STATES]);
const filter = fc.oneof(
  fc.record({ states }),
  fc.record({ states, kinds: fc.subarray(['video', 'imagine'] as const) }),
  fc.record({ models: fc.subarray(['', 'a']) }),
  fc.record({ states, projectId: fc.constantFrom('p1', 'p3') }),
  fc.record({ verdict: fc.constantFrom('keep', 'no', 'none') }),
  fc.record({ play: fc.boolean() }),
  fc.record({ play: fc.boolean(), kinds: fc.subarray(['video'] as const) }),
);
const page = fc.record({ offset: fc.nat(30), limit: fc.integer({ min: 1, max: 9 }), filter });

const insert = sql(
  'test.insert',
  `INSERT INTO jobs (seq, id, kind, state, request, profile_id, play, project_id, model, verdict, lane, idempotency_key, hook_secret, price,
     estimate_nano, estimate_low_nano, position, created_at)
   VALUES ($seq, $id, $kind, $state, '{"kind":"video","text":"","config":{}}', 'p', $play, $project_id, $model, $verdict, 'l', $id, 's',
     'null', 0, 0, $seq, 0)`,
);
const update = sql(
  'test.update',
  `UPDATE jobs SET state = $state, kind = $kind, play = $play, project_id = $project_id, model = $model, verdict = $verdict WHERE seq = $seq`,
);
const listed = ({ where }: { where: string }) =>
  sql('test.listed', `SELECT seq, id, state, position FROM jobs WHERE ${where} ORDER BY seq DESC`);

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

test('whatever is added, changed and removed, each page by its place or behind another is that of the whole list', () => {
  fc.assert(
    fc.property(rowChanges(values), fc.array(page, { minLength: 6, maxLength: 6 }), (changes, pages) => {
      const db = memoryDb();
      changeRows(db, changes, { table: 'jobs', insert, update });
      for (const { offset, limit, filter: asked } of pages) {
        const conditions = conditionsOf(jobFilterSchema.parse(asked) as JobFilter);
        const newest = db.all<Listed>(listed(conditions), conditions.params);
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
