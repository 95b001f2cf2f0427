import { formatNano } from '../../../shared/money/money.ts';
import type { Cost } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import type { LedgerWriter, MismatchRow } from '../ledger/index.ts';
import type { WriteDb } from '../store/index.ts';
import type { JobRow } from './row.ts';

/** What a dispute changes in one charge: that of the job that blocked its price, and those of jobs that were in progress at the time. */

type MismatchAmounts = Pick<MismatchRow, 'expected_nano' | 'stated_nano' | 'stated_by'>;

/** Such as: "Expected $0.40, stated $0.80 (usage.cost). What is stated is charged." */
export const statedIsChargedText = (amounts: MismatchAmounts): string =>
  t`${expectedAndStatedText(amounts)} What is stated is charged.`;

export const expectedAndStatedText = ({ expected_nano, stated_nano, stated_by }: MismatchAmounts): string =>
  t`Expected ${formatNano(expected_nano)}, stated ${formatNano(stated_nano)} (${stated_by}).`;

const amountsOf = (job: JobRow, statedNano: number, expected: Cost): MismatchAmounts => ({
  expected_nano: expected.nano,
  stated_nano: statedNano,
  stated_by: job.stated_by ?? '',
});

/**
 * Charges the price book's cost instead of the stated one. The difference may be billed anyway, so it is in doubt. A charge that a bill or a
 * correction has changed since is no longer the disputed one, and stays. Returns whether the charge was changed.
 */
export function chargePriceBook(ledger: LedgerWriter, db: WriteDb, job: JobRow, expected: Cost): boolean {
  const { stated_nano: statedNano } = job;
  if (job.quantity === null || statedNano === null || job.charged_nano !== statedNano) return false;
  const change = {
    settledNano: expected.nano - statedNano,
    settledLowNano: Math.min(expected.lowNano, statedNano) - statedNano,
    uncertainNano: Math.max(0, statedNano - expected.nano),
  };
  ledger.adjust(db, job, change, 'disputed: the price book is kept, the rest is unconfirmed');
  const rest = change.uncertainNano > 0 ? ', the rest is unconfirmed' : '';
  ledger.explainCharge(
    db,
    job,
    t`${expectedAndStatedText(amountsOf(job, statedNano, expected))} Disputed: the price book is kept${rest}.`,
  );
  return true;
}

/**
 * Ends a dispute by charging the stated cost, unless a bill has settled the doubt meanwhile or something else has changed the charge.
 * Returns whether the charge was changed.
 */
export function chargeStated(ledger: LedgerWriter, db: WriteDb, job: JobRow, expected: Cost): boolean {
  const { stated_nano: statedNano } = job;
  if (job.quantity === null || statedNano === null || statedNano === expected.nano) return false;
  const uncertainNano = Math.max(0, statedNano - expected.nano);
  if (job.charged_nano !== expected.nano || job.uncertain_nano < uncertainNano) return false;
  const change = {
    settledNano: statedNano - expected.nano,
    settledLowNano: statedNano - Math.min(expected.lowNano, statedNano),
    uncertainNano: -uncertainNano,
  };
  ledger.adjust(db, job, change, 'what was stated is adopted');
  ledger.explainCharge(db, job, statedIsChargedText(amountsOf(job, statedNano, expected)));
  return true;
}
