import { expect, test } from 'vitest';
import { aVideo, startEngine } from '../../../../test/helpers/engineHarness.ts';
import { sql } from '../store/index.ts';
import { anyInProgress, nextTimedWork } from './statements.ts';

/** Decides whether the machine stays awake. It is read at every change of the queue, so it uses an index and stops at its first row. */

test('the next due time is that of the first job that waits for a time, in whatever order they were enqueued', async () => {
  const harness = startEngine();
  const now = harness.clock.now();
  expect(harness.engine.queries.nextDueAt()).toBeUndefined();
  await harness.enqueue(aVideo, { notBefore: now + 3_600_000 });
  await harness.enqueue(aVideo, { notBefore: now + 60_000 });
  expect(harness.engine.queries.nextDueAt()).toBe(now + 60_000);
  harness.engine.commands.setPaused(true);
  expect(harness.engine.queries.nextDueAt()).toBeUndefined();
});

test.each([
  [anyInProgress, {}, /USING (COVERING )?INDEX jobs_by_state/],
  [nextTimedWork, { exceptRun: '' }, /USING INDEX jobs_due/],
])('$name reads an index, and sorts nothing', (statement, params, index) => {
  const harness = startEngine();
  const explain = sql('test.plan', `EXPLAIN QUERY PLAN ${statement.text}`);
  const plan = harness.store.read
    .all<{ detail: string }>(explain, params)
    .map(({ detail }) => detail)
    .join('; ');
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN jobs$/);
});
