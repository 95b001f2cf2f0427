import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile } from '../store/index.ts';
import { restorableJobs } from './restorableJobs.ts';

/** The row is read by its number at most, and of it only what stands before the long columns. */
const CHEAP = /COVERING INDEX|INTEGER PRIMARY KEY/;

test('the verdicts of two sides are compared in their indexes, without the rows of jobs', async () => {
  const dataDir = tempDir('verdicts');
  const store = openTestStore({ dataDir, clock: new TestClock() });
  const past = path.join(tempDir('past'), 'past.db');
  fs.copyFileSync(databaseFile(dataDir), past);
  const plan = store.readWithPast(past, (read) => {
    const db = withPlans(read);
    restorableJobs({ isOrdering: () => false, finish: () => undefined }).preview(db);
    return db.plans.find(({ name }) => name === 'jobs.otherVerdictsThanBackup')?.plan ?? '';
  });
  await store.close();
  const ofJobs = plan.split('; ').filter((step) => /^(SCAN|SEARCH) .*\b(p|m|jobs)\b/.test(step));
  expect(ofJobs.filter((step) => !CHEAP.test(step))).toEqual([]);
  expect(ofJobs).toHaveLength(6);
});
