import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { type JobFilter, jobFilterSchema, jobsListSchema } from '../../../shared/lists.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { conditionsOf } from './filter.ts';
import { isSummed, sumJobs } from './jobCounts.ts';

const STATES = ['queued', 'running', 'succeeded', 'failed'] as const;
const NONE_OR = (...values: string[]) => fc.constantFrom(null, ...values);
const values = fc.record({
  state: fc.constantFrom(...STATES),
  kind: fc.constantFrom('video', 'chat'),
  play: fc.constantFrom(0, 1),
  // An empty name is a name.
  project_id: NONE_OR('p1', 'p2'),
  model: NONE_OR('', 'a', 'b'),
  verdict: NONE_OR('keep', 'no'),
});
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('add' as const), values }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('change' as const), at: fc.nat(), values }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), at: fc.nat() }) },
);
const filters = fc.record(
  {
    states: fc.subarray([...STATES]),
    kinds: fc.subarray(['video', 'chat'] as const),
    models: fc.subarray(['', 'a']),
    projectId: fc.constantFrom('p1', 'p2', 'p3'),
    verdict: fc.constantFrom('keep', 'no', 'none'),
    play: fc.boolean(),
  },
  { requiredKeys: [] },
);

const insert = sql(
  'test.insert',
  `INSERT INTO jobs (id, kind, state, request, profile_id, play, project_id, model, verdict, lane, idempotency_key, hook_secret, price,
     estimate_nano, estimate_low_nano, position, created_at)
   VALUES ($id, $kind, $state, '{}', 'p', $play, $project_id, $model, $verdict, 'l', $id, 's', '{}', 0, 0, 1, 0)`,
);
const update = sql(
  'test.update',
  `UPDATE jobs SET state = $state, kind = $kind, play = $play, project_id = $project_id, model = $model, verdict = $verdict WHERE id = $id`,
);
const remove = sql('test.remove', 'DELETE FROM jobs WHERE id = $id');

test('whatever is added, changed and removed, the sum that a filter matches is the count', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40 }),
      fc.array(filters, { minLength: 5, maxLength: 5 }),
      (changes, asked) => {
        const db = memoryDb();
        const ids: string[] = [];
        for (const [index, step] of changes.entries()) apply(db, step, `j${index}`, ids);
        for (const filter of asked as JobFilter[]) {
          const conditions = conditionsOf(jobFilterSchema.parse(filter));
          const count = sql('test.count', `SELECT count(*) AS n FROM jobs WHERE ${conditions.where}`);
          expect(sumJobs(db, conditions)).toBe(db.one<{ n: number }>(count, conditions.params)?.n);
        }
      },
    ),
    { numRuns: 30 },
  );
});

function apply(
  db: WriteDb,
  step: { type: 'add' | 'change' | 'remove'; at?: number; values?: Record<string, string | number | null> },
  id: string,
  ids: string[],
): void {
  if (step.type === 'add') {
    db.run(insert, { id, ...step.values });
    ids.push(id);
    return;
  }
  const of = ids[(step.at ?? 0) % Math.max(1, ids.length)];
  if (of === undefined) return;
  if (step.type === 'change') db.run(update, { id: of, ...step.values });
  else db.run(remove, { id: ids.splice(ids.indexOf(of), 1)[0] ?? '' });
}

test('what the sums have no column for is counted, and so is a list from which jobs are hidden', () => {
  const filter = (more: object) => jobsListSchema.parse({ limit: 10, offset: 3, order: 'queue', ...more });
  expect(isSummed(filter({}), true)).toBe(true);
  expect(isSummed(filter({ text: ' ', states: ['failed'], play: true }), true)).toBe(true);
  expect(isSummed(filter({}), false)).toBe(false);
  for (const more of [{ text: 'a' }, { from: 1 }, { to: 1 }, { costInDoubt: true }, { waitsFor: 'j' }])
    expect(isSummed(filter(more), true), JSON.stringify(more)).toBe(false);
});
