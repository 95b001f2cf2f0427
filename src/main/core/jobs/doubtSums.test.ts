import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { sql } from '../store/index.ts';
import { doubtSums, IN_DOUBT } from './statements.ts';

const values = fc.record({
  state: fc.constantFrom('queued', 'uncertain', 'succeeded'),
  play: fc.constantFrom(0, 1),
  nano: fc.constantFrom(0, 7, 2_000_000_000_000),
  unpriced: fc.constantFrom(0, 0, 1, 2),
});
const change = fc.record({ at: fc.nat(5), how: fc.constantFrom('change', 'change', 'remove'), values });
const insert = sql(
  'test.insert',
  `INSERT INTO jobs (id, kind, state, request, profile_id, play, uncertain_nano, unpriced_doubt, lane, idempotency_key, hook_secret, price,
     estimate_nano, estimate_low_nano, position, created_at)
   VALUES ($id, 'imagine', $state, '{}', 'p', $play, $nano, $unpriced, 'l', $id, 's', '{}', 0, 0, 1, 0)`,
);
const update = sql(
  'test.update',
  'UPDATE jobs SET state = $state, play = $play, uncertain_nano = $nano, unpriced_doubt = $unpriced WHERE id = $id',
);
const remove = sql('test.remove', 'DELETE FROM jobs WHERE id = $id');
const counted = sql(
  'test.counted',
  `SELECT play, count(*) AS count, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced FROM jobs WHERE ${IN_DOUBT} GROUP BY play`,
);

test('whatever is added, changed and removed, the sums in doubt are those of the jobs', () => {
  fc.assert(
    fc.property(fc.array(values, { maxLength: 6 }), fc.array(change, { maxLength: 10 }), (jobs, changes) => {
      const db = memoryDb();
      for (const [index, job] of jobs.entries()) db.run(insert, { id: `j${index}`, ...job });
      for (const { at, how, values: to } of changes)
        db.run(how === 'remove' ? remove : update, how === 'remove' ? { id: `j${at}` } : { id: `j${at}`, ...to });
      const sums = db.all<{ count: number }>(doubtSums).filter(({ count }) => count > 0);
      expect(sums).toEqual(db.all(counted));
    }),
  );
});
