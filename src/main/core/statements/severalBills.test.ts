import { afterEach, expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { type StatementHarness, startStatements } from '../../../../test/helpers/statementHarness.ts';

/** A job on several bills of its gateway. */

const harnesses: StatementHarness[] = [];
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.close();
});
function start(): StatementHarness {
  const harness = startStatements();
  harnesses.push(harness);
  return harness;
}

const HEADER = 'started_at,operation,model,amount_usd';
const bill = (...lines: string[]): string => [HEADER, ...lines].join('\n');

/** Bug: where the bill has only the end of a task's name, a job of another month was not found: its refund was foreign. */
test('a line names a job of any time by the end of its id', async () => {
  const { make, ask } = start();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const read = await ask('statement.read', { text: bill('2026-12-05T10:00:00Z,v-1,video-standard,-1.6') });
  expect(read.onlyBill).toMatchObject([{ jobId, matchedBy: 'id', finding: { type: 'refund' } }]);
});
