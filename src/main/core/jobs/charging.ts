import { type Difference, wordsOfDifferences } from '../../../shared/difference.ts';
import { kindOf, kindsWhere, priceKindOf } from '../../../shared/kinds/index.ts';
import { formatNano } from '../../../shared/money.ts';
import type { Quantity } from '../../../shared/quantity.ts';
import type { StatedCost } from '../gateway/index.ts';
import {
  type AcceptedCost,
  acceptStatedCost,
  expectedIfMismatch,
  type MismatchRow,
  type PriceKey,
  recordMismatch,
  stoppingMismatchFor,
} from '../ledger/index.ts';
import { currentNightRun, endNightRun } from '../night/index.ts';
import { sql, type WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { chargePriceBook, statedIsChargedText } from './disputes.ts';
import type { JobRow } from './row.ts';
import * as statements from './statements.ts';

/** What an answer says about its cost, and what follows. */
export interface AnswerCost {
  quantity: Quantity;
  note?: string | undefined;
  /** The service's count is not believed: a sentence that ends in what is charged instead. */
  rejectedBecause?: string | undefined;
  stated?: StatedCost | undefined;
}

/** What shares its price with this job: it stops and goes on with it. */
export const priceKeyOf = (row: JobRow): PriceKey => ({
  profileId: row.profile_id,
  kind: priceKindOf(row.kind),
  model: row.model ?? '*',
});

/** The same, for statements: `ALIKE` is their condition. */
export const samePriceParams = ({ profileId, kind, model }: PriceKey) => ({
  profileId,
  kinds: JSON.stringify(kindsWhere(({ pricing }) => pricing.name === kind)),
  model,
});
export const SAME_PRICE = `profile_id = $profileId AND kind IN (SELECT value FROM json_each($kinds)) AND coalesce(model, '*') = $model`;

/** The answer to an acceptance may state a cost already; what the last one states counts. */
export function saveStatedCost(db: WriteDb, row: JobRow, stated: StatedCost | undefined): void {
  if (!stated) return;
  writeStatedCost(db, row, stated.part ? null : (stated.nano ?? null), stated);
}

/** Keeps what an answer states, and says what it is worth. What is not believed is kept in its own words alone. */
export function acceptStated(db: WriteDb, row: JobRow, stated: StatedCost | undefined): AcceptedCost {
  saveStatedCost(db, row, stated);
  const { stated_by: by, stated_nano: nano } = row;
  const worth = by === null || nano === null ? {} : acceptStatedCost({ by, nano }, row.estimate_nano);
  if (worth.rejectedBecause !== undefined) saveStatedCost(db, row, { by: by ?? '', as: row.stated_as ?? '' });
  return worth;
}

/** What an order came to only the bill can tell: it is in doubt at what was set aside for it, or at what was stated where that is more. */
export function markInDoubt(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { note, stated }: { note: string; stated?: StatedCost | undefined },
): void {
  const { chargeNano, rejectedBecause } = acceptStated(db, row, stated);
  if (rejectedBecause !== undefined) ledger.explainCharge(db, row, rejectedBecause);
  ledger.markInDoubt(db, row, note, chargeNano);
}

/** A further order is made: what the answer to the one before stated is not its cost. */
export const clearStatedCost = (db: WriteDb, row: JobRow): void =>
  writeStatedCost(db, row, null, { by: null, as: null });

function writeStatedCost(
  db: WriteDb,
  row: JobRow,
  nano: number | null,
  { by, as }: { by: string | null; as: string | null },
): void {
  row.stated_nano = nano;
  row.stated_by = by;
  row.stated_as = as;
  db.run(statements.saveStated, { id: row.id, nano, by, as });
}

/**
 * Charges an answer: what it stated, where that is believed, else what the price book makes of what was counted. A stated cost that is
 * apart from the book stops what would be ordered at that price, in the same transaction. Returns the ids of jobs that stopped.
 */
export function chargeAnswer(
  deps: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { quantity, note, rejectedBecause, stated }: AnswerCost,
): string[] {
  const worth = acceptStated(db, row, stated);
  const { stated_by: by } = row;
  const statedNano = worth.chargeNano;
  const found =
    statedNano === undefined || rejectedBecause !== undefined || by === null
      ? undefined
      : { ...mismatchInput(row, quantity), statedNano, statedBy: by };
  const expected = found && expectedIfMismatch(db, row, found);
  const mismatch = expected && saveMismatch(deps, db, row, found);
  const remarks = [
    ...(rejectedBecause
      ? [`${rejectedBecause}: ${statedNano === undefined ? 'the estimate' : 'what it states'} is charged.`]
      : []),
    ...(worth.rejectedBecause ? [worth.rejectedBecause] : []),
    ...(expected
      ? [
          statedIsChargedText({
            expected_nano: expected.nano,
            stated_nano: found.statedNano,
            stated_by: found.statedBy,
          }),
        ]
      : []),
  ].join(' ');
  const why = remarks || (statedNano === undefined ? note : `stated by ${by}`);
  deps.ledger.charge(db, row, quantity, { note: why, statedNano });
  if (remarks !== '') deps.ledger.explainCharge(db, row, remarks);
  if (expected && stoppingMismatchFor(db, found)?.state === 'disputed') chargePriceBook(deps.ledger, db, row, expected);
  return mismatch ? blockSamePrice(db, row, mismatch, deps.clock.now()) : [];
}

/** A cost that was stated after the charge, and has corrected it, is set beside the book as well. */
export function recordLateMismatch(
  deps: Pick<EngineDeps, 'clock' | 'ledger'>,
  db: WriteDb,
  row: JobRow,
  stated: { statedNano: number; statedBy: string },
): string[] {
  const quantity = JSON.parse(row.quantity ?? '{}') as Quantity;
  const found = { ...mismatchInput(row, quantity), ...stated };
  const expected = expectedIfMismatch(db, row, found);
  if (!expected) return [];
  const apart = { expected_nano: expected.nano, stated_nano: found.statedNano, stated_by: found.statedBy };
  deps.ledger.explainCharge(db, row, statedIsChargedText(apart));
  const mismatch = saveMismatch(deps, db, row, found);
  if (stoppingMismatchFor(db, found)?.state === 'disputed') chargePriceBook(deps.ledger, db, row, expected);
  return mismatch ? blockSamePrice(db, row, mismatch, deps.clock.now()) : [];
}

/** The charge follows what was made, except where it is what the answer stated: that is charged whatever came. */
export function correctUnlessStated(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { differs, counted }: { differs: readonly Difference[]; counted: { made: Quantity; most: Quantity } },
): void {
  const isStated = row.stated_nano !== null && row.stated_nano > 0 && row.stated_nano === row.charged_nano;
  if (!isStated) ledger.correctCharge(db, row, counted, wordsOfDifferences(differs));
}

/** What an answer is set beside the price book by. */
export const mismatchInput = (row: JobRow, quantity: Quantity) => ({
  ...priceKeyOf(row),
  quantity,
  sentAt: row.sent_at ?? row.created_at,
});

function saveMismatch(
  deps: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  row: JobRow,
  found: ReturnType<typeof mismatchInput> & { statedNano: number; statedBy: string },
): MismatchRow | undefined {
  const at = deps.clock.now();
  return recordMismatch(db, row, { ...found, id: `mismatch_${row.id}_${at}`, at });
}

const queuedAtPrice = sql(
  'jobs.queuedAlike',
  `SELECT id FROM jobs WHERE state = 'queued' AND ${SAME_PRICE} ORDER BY position`,
);
const blockQueuedAtPrice = sql(
  'jobs.stopAlike',
  `UPDATE jobs SET state = 'blocked', reason = 'price', next_at = NULL WHERE state = 'queued' AND ${SAME_PRICE}`,
);
const waitingAtPriceInRun = sql(
  'jobs.waitsAlikeInRun',
  `SELECT 1 FROM jobs WHERE run_id = $runId AND state IN ('queued', 'blocked') AND ${SAME_PRICE} LIMIT 1`,
);

/** What is claimed from now on asks for itself; what is queued already says at once why it waits. An open night that is concerned ends. */
function blockSamePrice(db: WriteDb, row: JobRow, mismatch: MismatchRow, now: number): string[] {
  const alike = samePriceParams(priceKeyOf(row));
  const run = currentNightRun(db);
  const isOpen = run !== undefined && run.starts_at <= now && now < run.ends_at;
  const concerned =
    isOpen && (row.run_id === run.id || db.one(waitingAtPriceInRun, { ...alike, runId: run.id }) !== undefined);
  const ids = db.all<{ id: string }>(queuedAtPrice, alike).map(({ id }) => id);
  db.run(blockQueuedAtPrice, alike);
  if (concerned) {
    const { expected_nano, stated_nano } = mismatch;
    const what = row.model ?? kindOf(row).pricing.one;
    const text = `The night was stopped: ${what} was expected to cost ${formatNano(expected_nano)}, and an answer states ${formatNano(stated_nano)}.`;
    endNightRun(db, run, 'price', text, now);
  }
  return ids;
}
