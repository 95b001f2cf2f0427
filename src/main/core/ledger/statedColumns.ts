import type { Nano } from '../../../shared/money/money.ts';
import { sql, type WriteDb } from '../store/index.ts';

/** Money that is said of a job beside its entries: what its answer stated, and that it may be sent at an unknown price. */

const saveStated = sql(
  'ledger.saveStated',
  'UPDATE jobs SET stated_nano = $nano, stated_by = $by, stated_as = $as WHERE id = $id',
);
const saveUnpricedAllowed = sql(
  'ledger.saveUnpricedAllowed',
  'UPDATE jobs SET unpriced_allowed = $allowed WHERE id = $id',
);

export interface StatedColumns {
  id: string;
  stated_nano: Nano | null;
  stated_by: string | null;
  stated_as: string | null;
}

/** `nano` is null where the amount is not in dollars; all are null where no answer has stated one. */
export function writeStatedCost(
  db: WriteDb,
  row: StatedColumns,
  { nano, by, as }: { nano: Nano | null; by: string | null; as: string | null },
): void {
  row.stated_nano = nano;
  row.stated_by = by;
  row.stated_as = as;
  db.run(saveStated, { id: row.id, nano, by, as });
}

/** Whether the user lets it be sent once although nobody knows what it costs. */
export function setUnpricedAllowed(db: WriteDb, row: { id: string; unpriced_allowed: number }, allowed: boolean): void {
  row.unpriced_allowed = allowed ? 1 : 0;
  db.run(saveUnpricedAllowed, { id: row.id, allowed: row.unpriced_allowed });
}
