import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { type SqlParams, sql } from '../store/index.ts';
import * as statements from './statements.ts';
import { hiddenParams } from './unfinishedBatch.ts';

const start = engineHarnesses();

/** Bug: what is asked several times a second, or for every webhook, walks the rows of all jobs, and takes longer with every job ever made. */
test('sums of open jobs, and the job of a task, are read from their indexes alone', () => {
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
});
