import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { jobsBeingFetched } from '../library/index.ts';
import { type SqlParams, sql } from '../store/index.ts';
import * as statements from './statements.ts';
import { hiddenParams } from './unfinishedBatch.ts';

const start = engineHarnesses();

test('sums of open jobs, the job of a task, and results that are still to come are read from their indexes', () => {
  const { store } = start();
  const planOf = (text: string, params: SqlParams) =>
    store.read
      .all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`), params)
      .map(({ detail }) => detail);
  expect(planOf(statements.openCounts.text, hiddenParams(store.read))).toEqual([
    'SCAN jobs USING COVERING INDEX jobs_open',
  ]);
  expect(planOf(statements.doubtSums.text, {})).toEqual(['SCAN doubt_sums']);
  expect(planOf(statements.jobByRemoteId.text, { kinds: '[]', profileId: 'p', remoteId: 't' })[0]).toBe(
    'SEARCH jobs USING INDEX jobs_by_remote (remote_id=?)',
  );
  const db = withPlans(store.read);
  jobsBeingFetched(db, 'p');
  expect(db.plans[0]?.plan).toContain('SEARCH assets USING INDEX assets_by_state (state=?)');
});
