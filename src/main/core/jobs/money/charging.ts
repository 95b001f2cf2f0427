import { type Difference, wordsOfDifferences } from '../../../../shared/jobs/difference.ts';
import { kindOf, kindsWhere, priceKindOf } from '../../../../shared/kinds/index.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import type { Cost } from '../../../../shared/money/price.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { StatedCost } from '../../gateway/index.ts';
import {
  type AcceptedCost,
  acceptStatedCost,
  expectedIfMismatch,
  type MismatchRow,
  type PriceKey,
  recordMismatch,
  stoppingMismatchFor,
  writeStatedCost,
} from '../../ledger/index.ts';
import { currentNightRun, endNightRun } from '../../night/index.ts';
import { sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { recordEvent, recordStated } from '../recordEvidence.ts';
import type { JobRow } from '../row.ts';
import { chargePriceBook, statedIsChargedText } from './disputes.ts';

/** The facts about cost in an answer. */
export interface AnswerCost {
  quantity: Quantity;
  note?: string | undefined;
  /** Why the service's usage was rejected: a sentence that the caller completes with the amount that is charged instead. */
  rejectedBecause?: string | undefined;
  stated?: StatedCost | undefined;
}

/** The price that a job uses; a mismatch blocks every job of the same price. */
export const priceKeyOf = (row: JobRow): PriceKey => ({
  profileId: row.profile_id,
  kind: priceKindOf(row.kind),
  model: row.model ?? '*',
});

/** The parameters of the SQL condition {@link SAME_PRICE}. */
export const samePriceParams = ({ profileId, kind, model }: PriceKey) => ({
  profileId,
  kinds: JSON.stringify(kindsWhere(({ pricing }) => pricing.name === kind)),
  model,
});
export const SAME_PRICE = `profile_id = $profileId AND kind IN (SELECT value FROM json_each($kinds)) AND coalesce(model, '*') = $model`;

/**
 * Saves the stated cost of an answer, including that of an acceptance. The last amount counts. A later zero, or an amount in units without
 * a rate, is ignored: polls often have an unfilled cost field.
 */
export function saveStatedCost(db: WriteDb, row: JobRow, stated: StatedCost | undefined): void {
  if (!stated) return;
  const { by, as } = stated;
  const nano = stated.part ? null : (stated.nano ?? null);
  const isNew = row.stated_by !== by || row.stated_as !== as;
  const isAmount = nano !== null && nano > 0;
  if (isAmount || !row.stated_nano) writeStatedCost(db, row, { nano, by, as });
  if (isNew) recordStated(db, row, stated);
}

/** Saves the cost that an answer states and returns the charge. Of a rejected cost only its text is saved. */
export function acceptStated(db: WriteDb, row: JobRow, stated: StatedCost | undefined): AcceptedCost {
  saveStatedCost(db, row, stated);
  const { stated_by: by, stated_nano: nano } = row;
  const accepted = by === null || nano === null ? {} : acceptStatedCost({ by, nano }, row.estimate_nano);
  if (accepted.rejectedBecause !== undefined) writeStatedCost(db, row, { nano: null, by, as: row.stated_as });
  return accepted;
}

/**
 * Marks the cost of an attempt as unconfirmed, because only the bill can tell it: its reservation, or the stated cost if that is higher.
 */
export function setUncertain(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { note, stated }: { note: string; stated?: StatedCost | undefined },
): void {
  const { chargeNano, rejectedBecause } = acceptStated(db, row, stated);
  if (rejectedBecause !== undefined) ledger.explainCharge(db, row, rejectedBecause);
  ledger.setUncertain(db, row, note, chargeNano);
}

/** The job is sent again: the cost that was stated for the earlier attempt is not the cost of this one. */
export const clearStatedCost = (db: WriteDb, row: JobRow): void =>
  writeStatedCost(db, row, { nano: null, by: null, as: null });

/**
 * Charges an answer: the stated cost if it is accepted, else the price book's cost of the counted quantity. A stated cost that differs from
 * the price book blocks the waiting jobs of that price, in the same transaction.
 */
export function chargeAnswer(
  deps: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { quantity, note, rejectedBecause, stated }: AnswerCost,
): void {
  const accepted = acceptStated(db, row, stated);
  const { stated_by: by } = row;
  const statedNano = accepted.chargeNano;
  const input =
    statedNano === undefined || rejectedBecause !== undefined || by === null
      ? undefined
      : { ...mismatchInput(row, quantity), statedNano, statedBy: by };
  const expected = input && expectedIfMismatch(db, row, input);
  const remarks = [
    ...(rejectedBecause
      ? [
          statedNano === undefined
            ? t`${rejectedBecause}: the estimate is charged.`
            : t`${rejectedBecause}: the stated cost is charged.`,
        ]
      : []),
    ...(accepted.rejectedBecause ? [accepted.rejectedBecause] : []),
    ...(expected ? [statedIsChargedText(amountsOf(input, expected))] : []),
  ].join(' ');
  const why = remarks || (statedNano === undefined ? note : `stated by ${by}`);
  deps.ledger.charge(db, row, quantity, { note: why, statedNano });
  if (remarks !== '') deps.ledger.explainCharge(db, row, remarks);
  if (expected) stopPrice(deps, db, row, input, expected);
}

/** Compares a cost that was stated after the charge, and has corrected it, with the price book too. */
export function recordLateMismatch(
  deps: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  stated: { statedNano: number; statedBy: string },
): void {
  const quantity = JSON.parse(row.quantity ?? '{}') as Quantity;
  const input = { ...mismatchInput(row, quantity), ...stated };
  const expected = expectedIfMismatch(db, row, input);
  if (!expected) return;
  deps.ledger.explainCharge(db, row, statedIsChargedText(amountsOf(input, expected)));
  stopPrice(deps, db, row, input, expected);
}

type Stated = ReturnType<typeof mismatchInput> & { statedNano: number; statedBy: string };

const amountsOf = ({ statedNano, statedBy }: Stated, { nano }: Cost) => ({
  expected_nano: nano,
  stated_nano: statedNano,
  stated_by: statedBy,
});

/** Corrects the charge to what was made, unless a stated cost is charged: that one does not depend on what was made. */
export function correctUnlessStated(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { differs, counted }: { differs: readonly Difference[]; counted: { made: Quantity; most: Quantity } },
): void {
  const isStated = row.stated_nano !== null && row.stated_nano > 0 && row.stated_nano === row.charged_nano;
  if (!isStated) ledger.correctCharge(db, row, counted, wordsOfDifferences(differs));
}

/** The fields by which an answer is compared with the price book. */
export const mismatchInput = (row: JobRow, quantity: Quantity) => ({
  ...priceKeyOf(row),
  quantity,
  sentAt: row.sent_at ?? row.created_at,
});

/** Stops the price after a charge that the price book does not allow, unless the price is already disputed. */
function stopPrice(
  { ledger, clock }: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  input: Stated,
  expected: Cost,
): void {
  const at = clock.now();
  const mismatch = recordMismatch(db, row, { ...input, id: `mismatch_${row.id}_${at}`, at });
  if (stoppingMismatchFor(db, input)?.state === 'disputed') chargePriceBook(ledger, db, row, expected);
  if (mismatch) blockSamePrice(db, row, mismatch, at);
}

const blockQueuedAtPrice = sql(
  'jobs.blockQueuedAtPrice',
  `UPDATE jobs SET state = 'blocked', reason = 'price', next_at = NULL WHERE state = 'queued' AND ${SAME_PRICE}`,
);
const waitingAtPriceInRun = sql(
  'jobs.waitingAtPriceInRun',
  `SELECT 1 FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked') AND ${SAME_PRICE} LIMIT 1`,
);

/**
 * Blocks the queued jobs of a price at once; jobs claimed later check for themselves. Ends the open overnight run if it has jobs of this
 * price.
 */
function blockSamePrice(db: WriteDb, row: JobRow, mismatch: MismatchRow, now: number): void {
  const samePrice = samePriceParams(priceKeyOf(row));
  const run = currentNightRun(db);
  const isOpen = run !== undefined && run.starts_at <= now && now < run.ends_at;
  const isConcerned =
    isOpen && (row.run_id === run.id || db.one(waitingAtPriceInRun, { ...samePrice, runId: run.id }) !== undefined);
  const waiting = db.run(blockQueuedAtPrice, samePrice);
  recordEvent(db, row, 'stopped', {
    model: row.model ?? undefined,
    expectedNano: mismatch.expected_nano,
    statedNano: mismatch.stated_nano,
    waiting,
    ...(isConcerned ? { night: true } : {}),
  });
  if (isConcerned) {
    const { expected_nano, stated_nano } = mismatch;
    const what = row.model ?? kindOf(row).pricing.title;
    const text = t`The run was stopped: ${what} was expected to cost ${formatNano(expected_nano)}, and an answer states ${formatNano(stated_nano)}.`;
    endNightRun(db, run, 'price', text, now);
  }
}
