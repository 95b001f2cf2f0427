import type { Nano } from '../../../../shared/money/money.ts';
import { type Cost, costOf, type Price } from '../../../../shared/money/price.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import { countReservedLow, type Journal } from '../journal.ts';
import { chargedQuantityOf, type MoneyChange, type MoneyRow, priceOf, unpricedReserved } from '../moneyRow.ts';

const savePrice = sql(
  'ledger.savePrice',
  'UPDATE jobs SET price = $price, estimate_nano = $nano, estimate_low_nano = $lowNano WHERE id = $id',
);
const billedOf = sql(
  'ledger.billed',
  `SELECT coalesce(sum(settled_nano), 0) AS nano FROM ledger_entries WHERE job_id = $jobId AND type = 'bill'`,
);

/** The price of an unconfirmed amount on a day and in a run: its reservation's, or the last one set since. */
const priceOfDoubt = sql(
  'ledger.priceOfDoubt',
  `SELECT price FROM ledger_entries e WHERE job_id = $jobId AND +counted_at = $countedAt AND run_id IS $runId AND price IS NOT NULL
     AND (type <> 'reserve' OR seq < (SELECT min(seq) FROM ledger_entries
       WHERE job_id = e.job_id AND +counted_at = e.counted_at AND run_id IS e.run_id AND type = 'doubt' AND price IS NULL))
   ORDER BY seq DESC LIMIT 1`,
);

const PRICE_CHANGED = 'the price was changed';
/** The notes of corrections caused by a price, however long after the charge, and of their reversals. */
const PRICE_SETTLED = { first: 'the price was set', reading: 'the price was settled' } as const;
export const IS_PRICE_SETTLED = `coalesce(note, '') IN ('${PRICE_SETTLED.first}', '${PRICE_SETTLED.reading}')`;

const billedFor = (db: ReadDb, row: MoneyRow): Nano => db.one<{ nano: Nano }>(billedOf, { jobId: row.id })?.nano ?? 0;

const unpricedCharged = (row: MoneyRow): number => row.unpriced - row.unpriced_doubt;

/**
 * Whether a price may still correct the charge: it has none, or several interpretations. Stated and billed charges are exact, also if an
 * earlier attempt has no price.
 */
export function isChargeOpen(db: ReadDb, row: MoneyRow): boolean {
  if (unpricedCharged(row) === 0 && row.charged_nano === row.charged_low_nano) return false;
  const chargedNano = row.charged_nano - billedFor(db, row);
  return chargedNano <= 0 || chargedNano !== row.stated_nano;
}

/** The most that the attempts may be billed: each at this price, or at its stated cost if that is more. */
const mostFor = ({ attempts, stated }: Doubt, cost: Cost): Nano =>
  stated.slice(0, attempts).reduce((sum, one) => sum + Math.max(0, one - cost.nano), attempts * cost.nano);

const periodOf = ({ countedAt, runId }: Doubt) => ({ countedAt, runId });

/** The consequences of a new price. Each method runs inside the transaction that makes the price durable. */
export class PriceChanges {
  private readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Corrects a charge to a price settled later, as a new entry. Billed and stated amounts need no price. */
  correct(db: WriteDb, row: MoneyRow, exact: Cost, price: Price): void {
    const billedNano = billedFor(db, row);
    const chargedNano = row.charged_nano - billedNano;
    const isOpen = isChargeOpen(db, row);
    const settledNano = isOpen ? exact.nano - chargedNano : 0;
    const settledLowNano = isOpen ? exact.lowNano - (row.charged_low_nano - billedNano) : 0;
    const unpriced = unpricedCharged(row);
    this.repriceRemainder(db, row, price, { exact, isFirst: unpriced > 0 });
    if (settledNano === 0 && settledLowNano === 0 && unpriced === 0) return;
    this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.now(),
      settledNano,
      settledLowNano,
      unpriced: -unpriced,
      price: JSON.stringify(price),
      note: unpriced > 0 ? PRICE_SETTLED.first : PRICE_SETTLED.reading,
    });
  }

  /**
   * The part of a request that was not made is unconfirmed at the difference in price. It follows the price, from the first one that is set.
   */
  private repriceRemainder(
    db: WriteDb,
    row: MoneyRow,
    price: Price,
    { exact, isFirst }: { exact: Cost; isFirst: boolean },
  ): void {
    const { atMost } = chargedQuantityOf(row);
    if (!atMost) return;
    const uncertainNano = Math.max(0, costOf(price, atMost).nano - exact.nano);
    const begun = { countedAt: this.journal.reservedAt(row), runId: row.money_run, nano: 0 };
    for (const { countedAt, runId, nano } of isFirst
      ? [begun]
      : doubtsOf(db, row.id).filter(({ wasCharged }) => wasCharged)) {
      if (nano === uncertainNano) continue;
      const change = { uncertainNano: uncertainNano - nano, price: JSON.stringify(price), note: PRICE_CHANGED };
      this.journal.post(db, row, { type: 'correction', countedAt, runId, ...change });
    }
  }

  /** A queued job has another price, or (with `null`) none. An excess reservation is released; a shortfall is reserved before it is sent. */
  repriceWaiting(db: WriteDb, row: MoneyRow, price: Price | null, cost: Cost): void {
    const unpriced = unpricedReserved(row);
    this.savePrice(db, row, price, cost);
    const tooMuch = Math.max(0, row.reserved_nano - row.estimate_nano);
    if (tooMuch === 0 && unpriced === 0) return;
    const given = { reservedNano: -tooMuch, unpriced: -unpriced };
    this.journal.post(db, row, {
      type: 'release',
      countedAt: this.journal.reservedAt(row),
      ...given,
      note: PRICE_CHANGED,
    });
  }

  /**
   * A resend at another price came to nothing: the job gets back the price of the unconfirmed attempt sent at `sentAt`. Without a price, it
   * gets the first one that is set.
   */
  backToDoubt(db: WriteDb, row: MoneyRow, { quantity, sentAt }: { quantity: Quantity; sentAt: number }): void {
    const price = this.priceSentAt(db, row, sentAt);
    if (price) this.repriceWaiting(db, row, price, costOf(price, quantity));
  }

  /** The price of the unconfirmed attempt sent at `sentAt`, if it is known and differs from the job's. */
  priceSentAt(db: ReadDb, row: MoneyRow, sentAt: number): Price | undefined {
    const doubt = doubtSentAt(db, row.id, sentAt);
    const known = doubt && db.one<{ price: string }>(priceOfDoubt, { ...periodOf(doubt), jobId: row.id })?.price;
    return known === undefined || known === row.price || doubt?.unpriced ? undefined : (JSON.parse(known) as Price);
  }

  /** A request at the gateway, or possibly there, will be billed at another price: reservation and unconfirmed amount follow, up or down. */
  repriceSent(db: WriteDb, row: MoneyRow & { state: string }, price: Price, cost: Cost): void {
    const unpriced = unpricedReserved(row);
    const isInDoubt = row.uncertain_nano > 0 || row.unpriced_doubt > 0;
    this.savePrice(db, row, price, cost);
    const change = { price: row.price, note: PRICE_CHANGED };
    const period = { countedAt: this.journal.reservedAt(row), runId: row.money_run };
    if (row.state === 'uncertain' && !isInDoubt) {
      if (cost.nano > 0) this.journal.post(db, row, { type: 'doubt', ...period, uncertainNano: cost.nano, ...change });
      return;
    }
    const hasAttempt = row.reserved_nano > 0 || unpriced > 0 || !isInDoubt;
    const reservedNano = hasAttempt ? cost.nano - row.reserved_nano : 0;
    const type = reservedNano > 0 ? 'reserve' : 'release';
    if (reservedNano !== 0 || unpriced > 0)
      this.journal.post(db, row, { type, ...period, reservedNano, unpriced: -unpriced, ...change });
    this.repriceDoubts(db, row, cost);
  }

  /** A charge gets its first price; earlier attempts of the job that may be billed too become unconfirmed at it. */
  setFirstPrice(db: WriteDb, row: MoneyRow, price: Price, cost: Cost): void {
    this.savePrice(db, row, price, cost);
    this.repriceDoubts(db, row, cost);
  }

  /**
   * Unconfirmed attempts follow another price; a job may have been sent several times. A stated amount needs no price and stays, for a
   * reversed charge and for an attempt that was never charged.
   */
  repriceDoubts(db: WriteDb, row: MoneyRow, cost: Cost): void {
    const doubts = doubtsOf(db, row.id);
    // The last attempt itself is unconfirmed: its stated cost may be below its reservation and above its cost at the new price.
    const isLastOpen = row.quantity === null && row.reserved_nano === 0 && unpricedReserved(row) === 0;
    const statedNano = row.stated_nano ?? 0;
    for (const doubt of doubts) {
      if (doubt.wasCharged && statedNano > 0) continue;
      const isLast = isLastOpen && doubt.countedAt === doubts.at(-1)?.countedAt;
      const stated = isLast && doubt.stated.length === 0 ? [statedNano] : doubt.stated;
      this.repriceDoubt(db, row, { ...doubt, stated }, cost);
    }
  }

  private repriceDoubt(db: WriteDb, row: MoneyRow, doubt: Doubt, cost: Cost): void {
    const { countedAt, runId, wasCharged, nano, unpriced } = doubt;
    const uncertainNano = mostFor(doubt, cost) - nano;
    if (uncertainNano === 0 && unpriced === 0) return;
    const change = { uncertainNano, unpriced: -unpriced, unpricedDoubt: -unpriced, price: row.price };
    const moved = uncertainNano > 0 ? 'doubt' : 'resolve';
    const type = wasCharged ? 'correction' : moved;
    this.journal.post(db, row, { type, countedAt, runId, ...change, note: PRICE_CHANGED });
  }

  private savePrice(db: WriteDb, row: MoneyRow, price: Price | null, { nano, lowNano }: Cost): void {
    row.price = JSON.stringify(price);
    db.run(savePrice, { id: row.id, price: row.price, nano, lowNano });
    row.estimate_nano = nano;
    row.estimate_low_nano = lowNano;
    countReservedLow(db, row);
  }
}

/** The unconfirmed amount of a job on one day and in one run. */
interface Doubt {
  countedAt: number;
  /** When it was reserved: before the day it counts to, if a planned run began early. */
  since: number;
  runId: string | null;
  /** 1: charged before, then made unconfirmed by a correction; 0: the replies were lost. */
  wasCharged: number;
  /** The number of unconfirmed attempts. */
  attempts: number;
  /** Their stated costs above the reservation, highest first. */
  stated: Nano[];
  nano: Nano;
  unpriced: number;
}

/**
 * Entries that begin or end an unconfirmed amount have no price; those of a price change have one. An undone end has a counter-entry of the
 * same type.
 */
const inDoubt = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, min(counted_at, min(at)) AS since, run_id AS runId, type = 'correction' AS wasCharged, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced,
     iif(type = 'correction', 1, max(1, sum(type = 'doubt' AND price IS NULL) - sum(iif(type = 'resolve' AND price IS NULL, iif(uncertain_nano > 0 OR unpriced_doubt > 0, -1, 1), 0))
       - sum(type = 'charge' AND (uncertain_nano < 0 OR unpriced_doubt < 0)))) AS attempts,
     json_group_array(uncertain_nano) FILTER (WHERE type = 'doubt' AND price IS NULL AND uncertain_nano + reserved_nano > 0) AS stated
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id, wasCharged HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

export const doubtsOf = (db: ReadDb, jobId: string): Doubt[] =>
  db.all<Omit<Doubt, 'stated'> & { stated: string }>(inDoubt, { jobId }).map((doubt) => {
    const stated = JSON.parse(doubt.stated) as Nano[];
    return { ...doubt, stated: stated.sort((a, b) => b - a) };
  });

/** The unconfirmed amount of the attempt sent at `sentAt`: reserved before that, and any later one after it. */
export const doubtSentAt = (db: ReadDb, jobId: string, sentAt: number): Doubt | undefined =>
  doubtsOf(db, jobId)
    .filter(({ wasCharged, since }) => wasCharged === 0 && since <= sentAt)
    .sort((one, other) => one.since - other.since)
    .at(-1);

/**
 * The open amounts of the current attempt: its reservation or, after a lost reply, its unconfirmed amount. Those of earlier attempts remain,
 * since the job was knowingly sent again and both may be billed.
 */
export function openAttempt(db: ReadDb, row: MoneyRow): OpenAttempt {
  const reserved = unpricedReserved(row);
  if (row.reserved_nano > 0 || reserved > 0)
    return { reservedNano: 0 - row.reserved_nano, uncertainNano: 0, unpriced: 0 - reserved, unpricedDoubt: 0 };
  // A free attempt has no reservation: only its own stated cost can be unconfirmed.
  const last = costsNothing(row) && !row.stated_nano ? undefined : doubtsOf(db, row.id).at(-1);
  if (!last) return { reservedNano: 0, uncertainNano: 0, unpriced: 0, unpricedDoubt: 0 };
  const unpriced = priceOf(row) === null ? Math.min(1, last.unpriced) : 0;
  const most = last.attempts === 1 ? last.nano : Math.max(row.estimate_nano, last.stated[0] ?? 0);
  const uncertainNano = 0 - Math.min(last.nano, most);
  return { reservedNano: 0, uncertainNano, unpriced: 0 - unpriced, unpricedDoubt: 0 - unpriced };
}

type OpenAttempt = Required<Pick<MoneyChange, 'reservedNano' | 'uncertainNano' | 'unpriced' | 'unpricedDoubt'>>;

/** Whether the price is known to be zero, so that nothing is reserved. */
export const costsNothing = (row: MoneyRow): boolean => priceOf(row) !== null && row.estimate_nano === 0;
