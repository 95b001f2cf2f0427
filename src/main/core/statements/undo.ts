import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { t } from '../../../shared/text/texts.ts';
import type { JobBills } from '../jobs/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { WriteDb } from '../store/index.ts';
import { type DecisionRow, statementTable } from './table.ts';

const NOTE = 'a decision about the bill was taken back';

/** Takes a decision back, in the caller's transaction: each of its entries gets its counter-entry. Returns the jobs that changed. */
export function undoDecision(
  { bills, ledger }: { bills: Pick<JobBills, 'undo'>; ledger: LedgerWriter },
  db: WriteDb,
  { seq, done, jobId }: DecisionRow,
  at: number,
): Result<string[]> {
  statementTable.undo(db, seq, at);
  if (done === null) return ok([]);
  if ('before' in done) return bills.undo(db, jobId ?? '', done, NOTE);
  return ledger.bills.reverse(db, undefined, done.entryIds, NOTE)
    ? ok([])
    : fail('too_large', t`With it, the sums would be more than can be counted exactly. Nothing was changed.`);
}
