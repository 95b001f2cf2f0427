import type { BatchReading, BatchRow } from '../../../../shared/batch.ts';
import { kindOf, promptOf, type StudioRequest } from '../../../../shared/kinds/index.ts';
import { shortened } from '../../../../shared/shortened.ts';
import { ROW_TITLE_LENGTH } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import type { OrderedJob } from '../../../spending/index.ts';

/** As many rows are read at once. */
const ROWS_AT_ONCE = 500;

/** Each job of a text with its price, in its order; undefined where the reading is gone. */
export async function orderedJobs({ readId }: BatchReading): Promise<readonly OrderedJob[] | undefined> {
  const jobs: OrderedJob[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call('batch.rows', { readId, only: 'good', limit: ROWS_AT_ONCE, ...(cursor ? { cursor } : {}) });
    if (!page.ok) return undefined;
    jobs.push(
      ...page.data.rows.flatMap((row) => (row.request && !row.isLeftOut ? [orderedJob(row, row.request)] : [])),
    );
    cursor = page.data.nextCursor;
    if (cursor === undefined) return jobs;
  }
}

const orderedJob = (row: BatchRow, request: StudioRequest): OrderedJob => ({
  title: shortened(promptOf(request).trim(), ROW_TITLE_LENGTH) || kindOf(request).words.title,
  nano: row.estimateNano ?? 0,
  lowNano: row.lowNano ?? 0,
  ...(row.unpriced ? { unpriced: true } : {}),
});
