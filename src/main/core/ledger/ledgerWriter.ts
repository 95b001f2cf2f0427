import type { Nano } from '../../../shared/money/money.ts';
import { costOf } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Clock, Ids } from '../ports.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { BillWriter } from './billWriter.ts';
import { Journal, type Posting, staysExact } from './journal.ts';
import {
  type ChargedQuantity,
  chargedQuantityOf,
  isReserved,
  type MoneyRow,
  priceOf,
  unpricedReserved,
} from './moneyRow.ts';
import { costsNothing, doubtSentAt, doubtsOf, openAttempt, PriceChanges } from './prices/priceChanges.ts';

const saveQuantity = sql('ledger.saveQuantity', 'UPDATE jobs SET quantity = $quantity WHERE id = $id');
const saveExplanation = sql('ledger.saveExplanation', 'UPDATE jobs SET money_note = $explanation WHERE id = $id');

/** Writes money changes into the ledger. Every method runs inside the transaction that changes the job's state. */
export class LedgerWriter {
  readonly priceChanges: PriceChanges;
  readonly bills: BillWriter;
  private readonly journal: Journal;

  constructor(deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> }) {
    this.journal = new Journal(deps);
    this.priceChanges = new PriceChanges(this.journal);
    this.bills = new BillWriter(this.journal);
  }

  /**
   * Reserves the estimate on the day of sending if that is known (a run that has not begun), else today. A shortfall is reserved on the day
   * and in the run of the existing reservation. False, with nothing reserved, if the ledger's sums would no longer be exact.
   */
  reserve(db: WriteDb, row: MoneyRow, sendAt: number = this.journal.now()): boolean {
    if (isReserved(row)) return true;
    const isKnown = priceOf(row) !== null;
    // A shortfall counts with the rest of the reservation, which is released as a whole.
    const period =
      row.reserved_nano > 0
        ? { countedAt: this.journal.reservedAt(row), runId: row.money_run }
        : { countedAt: Math.max(sendAt, this.journal.now()), runId: row.run_id };
    return this.journal.post(db, row, {
      type: 'reserve',
      ...period,
      ...(isKnown ? { reservedNano: row.estimate_nano - row.reserved_nano, price: row.price } : { unpriced: 1 }),
    });
  }

  release(db: WriteDb, row: MoneyRow, note?: string): void {
    const unpriced = unpricedReserved(row);
    if (row.reserved_nano === 0 && unpriced === 0) return;
    const given = { reservedNano: -row.reserved_nano, unpriced: -unpriced };
    this.journal.post(db, row, { type: 'release', countedAt: this.journal.reservedAt(row), ...given, note });
  }

  /**
   * Turns what is reserved or unconfirmed for the current attempt into a charge, as one entry: the stated amount, else the highest open
   * interpretation of the price. If the ledger's sums would become inexact, the reserved amount is charged instead.
   */
  charge(
    db: WriteDb,
    row: MoneyRow,
    quantity: Quantity,
    { note, statedNano }: { note?: string | undefined; statedNano?: Nano | undefined } = {},
  ): void {
    const price = priceOf(row);
    const byBook = price === null ? { nano: 0, lowNano: 0 } : costOf(price, quantity);
    const cost = statedNano === undefined ? byBook : { nano: statedNano, lowNano: statedNano };
    const open = openAttempt(db, row);
    const charge: Posting = {
      type: 'charge',
      // The day whose budget it was reserved under: an answer after midnight must not use up the next day's.
      ...this.accountingPeriodOf(db, row),
      ...open,
      settledNano: cost.nano,
      settledLowNano: cost.lowNano,
      unpriced: open.unpriced + (price === null && statedNano === undefined ? 1 : 0),
      ...(price === null ? {} : { price: row.price }),
      quantity: JSON.stringify(quantity),
      note,
    };
    if (this.journal.post(db, row, charge)) return;
    const heldNano = -(open.reservedNano + open.uncertainNano);
    this.journal.post(db, row, { ...charge, settledNano: heldNano, settledLowNano: 0, note: NOT_COUNTABLE });
  }

  /**
   * Corrects a charge to what was made, when the result differs from the request. The missing part may still be billed, so the difference to
   * the highest possible bill is unconfirmed. A later call, with better facts, moves only the difference. Nothing is rewritten.
   */
  correctCharge(db: WriteDb, row: MoneyRow, { made, most }: { made: Quantity; most: Quantity }, differs: string): void {
    if (row.quantity === null) return;
    const price = priceOf(row);
    if (price === null) return this.saveQuantityOf(db, row, { ...made, atMost: most });
    const counted = chargedQuantityOf(row);
    const before = costOf(price, counted);
    const heldNano = counted.atMost ? Math.max(0, costOf(price, counted.atMost).nano - before.nano) : 0;
    const cost = costOf(price, made);
    const settledNano = Math.max(cost.nano - before.nano, -row.charged_nano);
    const settledLowNano = Math.max(cost.lowNano - before.lowNano, -row.charged_low_nano);
    const remainderNano = Math.max(0, costOf(price, most).nano - cost.nano);
    const uncertainNano = remainderNano - heldNano;
    if (settledNano === 0 && settledLowNano === 0 && uncertainNano === 0) return;
    const posted = this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.reservedAt(row),
      settledNano,
      settledLowNano,
      uncertainNano,
      price: row.price,
      quantity: JSON.stringify({ ...made, ...(remainderNano > 0 ? { atMost: most } : {}) }),
      note: differs,
    });
    if (posted) this.explainCharge(db, row, `${differs} ${remainderNano > 0 ? REST_IN_DOUBT : CHARGED_AS_MADE}`);
  }

  /** Saves the quantity that a later price applies to. */
  private saveQuantityOf(db: WriteDb, row: MoneyRow, quantity: ChargedQuantity): void {
    row.quantity = JSON.stringify(quantity);
    db.run(saveQuantity, { id: row.id, quantity: row.quantity });
  }

  /**
   * Moves charged and unconfirmed amounts, on the day and in the run of the charge. A charge with no price set gets an amount. Nothing is
   * rewritten.
   */
  adjust(
    db: WriteDb,
    row: MoneyRow,
    change: { settledNano: Nano; settledLowNano: Nano; uncertainNano: Nano },
    note: string,
  ): void {
    const unpriced = row.unpriced_doubt - row.unpriced;
    if (unpriced === 0 && Object.values(change).every((nano) => nano === 0)) return;
    const period = { countedAt: this.journal.reservedAt(row), runId: row.money_run };
    this.journal.post(db, row, { type: 'correction', ...period, ...change, unpriced, price: row.price, note });
  }

  /**
   * Reverses a charge because the result's address answers that the request was refused; with `inDoubt` it may still be billed. No later
   * price turns it back into a charge.
   */
  reverseCharge(db: WriteDb, row: MoneyRow, inDoubt: boolean, note: string): void {
    if (row.quantity === null) return;
    const unpriced = row.unpriced - row.unpriced_doubt;
    const back = { settledNano: -row.charged_nano, settledLowNano: -row.charged_low_nano };
    const left = inDoubt ? { uncertainNano: row.charged_nano, unpricedDoubt: unpriced } : { unpriced: -unpriced };
    this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.reservedAt(row),
      ...back,
      ...left,
      note,
    });
    row.quantity = null;
    db.run(saveQuantity, { id: row.id, quantity: null });
  }

  /** Records with the job, in one sentence, why its charge is not price × quantity; null removes that. */
  explainCharge(db: WriteDb, row: MoneyRow, explanation: string | null): void {
    db.run(saveExplanation, { id: row.id, explanation });
  }

  /**
   * The reply was lost, or does not say whether it is billed: the reservation becomes unconfirmed, at the stated amount if that is higher.
   */
  setUncertain(db: WriteDb, row: MoneyRow, note?: string, statedNano: Nano = 0): void {
    const amount = row.reserved_nano;
    const unpriced = unpricedReserved(row);
    if (amount === 0 && unpriced === 0) return this.raiseDoubtTo(db, row, statedNano, note);
    const doubt: Posting = {
      type: 'doubt',
      countedAt: this.journal.reservedAt(row),
      reservedNano: -amount,
      note,
    };
    const stated = { uncertainNano: Math.max(amount, statedNano), unpriced: -unpriced };
    if (statedNano > 0 && this.journal.post(db, row, { ...doubt, ...stated })) return;
    this.journal.post(db, row, { ...doubt, uncertainNano: amount, unpricedDoubt: unpriced });
  }

  /**
   * The gateway has the unconfirmed attempt and its result is to come: the unconfirmed amount becomes its reservation again, on the same day
   * and in the same run. Repeating the call changes nothing.
   */
  reserveDoubt(db: WriteDb, row: MoneyRow, note: string): void {
    if (row.reserved_nano > 0 || unpricedReserved(row) > 0) return;
    const { uncertainNano, unpriced, unpricedDoubt } = openAttempt(db, row);
    if (uncertainNano === 0 && unpricedDoubt === 0) return;
    const period = this.accountingPeriodOf(db, row);
    this.journal.post(db, row, { type: 'resolve', ...period, uncertainNano, unpriced, unpricedDoubt, note });
    const price = priceOf(row) === null ? {} : { price: row.price };
    this.journal.post(db, row, {
      type: 'reserve',
      ...period,
      reservedNano: 0 - uncertainNano,
      unpriced: 0 - unpriced,
      ...price,
      note,
    });
  }

  /** The bill has one more entry for this job. False, with nothing changed, if the ledger's sums would no longer be exact. */
  billOneMore(db: WriteDb, row: MoneyRow, billedNano: Nano, note: string): boolean {
    const settled = { settledNano: billedNano, settledLowNano: billedNano };
    return this.journal.post(db, row, { type: 'bill', countedAt: this.journal.now(), ...settled, note });
  }

  /**
   * An unconfirmed attempt turns out to cost more: its unconfirmed amount is replaced by the stated one. An amount that was settled
   * meanwhile stays settled.
   */
  private raiseDoubtTo(db: WriteDb, row: MoneyRow, statedNano: Nano, note?: string): void {
    const open = openAttempt(db, row);
    const isOpen = open.uncertainNano < 0 || open.unpriced < 0;
    const more = statedNano + open.uncertainNano;
    if (more <= 0 || !(isOpen || costsNothing(row)) || !staysExact(db, { uncertainNano: more })) return;
    const period = this.accountingPeriodOf(db, row);
    if (isOpen) this.journal.post(db, row, { type: 'resolve', ...period, ...open, note });
    this.journal.post(db, row, { type: 'doubt', ...period, uncertainNano: statedNano, note });
  }

  /** The current attempt is over and not billed: releases what it has reserved or unconfirmed. */
  releaseAttempt(db: WriteDb, row: MoneyRow, note?: string): void {
    const open = openAttempt(db, row);
    if (open.reservedNano === 0 && open.uncertainNano === 0 && open.unpriced === 0) return;
    const type = open.uncertainNano === 0 && open.unpricedDoubt === 0 ? 'release' : 'resolve';
    this.journal.post(db, row, { type, ...this.accountingPeriodOf(db, row), ...open, note });
  }

  /**
   * The attempt sent at `sentAt` turned out to be a separate job, which `to` follows at the price it was sent at: its unconfirmed amount
   * moves there, on its day and in its run.
   */
  moveDoubt(db: WriteDb, row: MoneyRow, { to, sentAt, note }: { to: MoneyRow; sentAt: number; note: string }): void {
    const doubt = doubtSentAt(db, row.id, sentAt);
    if (!doubt) return;
    const period = { countedAt: doubt.countedAt, runId: doubt.runId, note };
    const nano = doubt.attempts === 1 ? doubt.nano : Math.min(doubt.nano, to.estimate_nano);
    const unpriced = Math.min(1, doubt.unpriced);
    const over = { uncertainNano: 0 - nano, unpriced: 0 - unpriced, unpricedDoubt: 0 - unpriced };
    this.journal.post(db, row, { type: 'resolve', ...period, ...over });
    const reservedNano = unpriced > 0 ? 0 : to.estimate_nano;
    const price = unpriced > 0 ? {} : { price: to.price };
    this.journal.post(db, to, { type: 'reserve', ...period, reservedNano, unpriced, ...price });
    const lost = { reservedNano: 0 - reservedNano, uncertainNano: nano, unpricedDoubt: unpriced };
    this.journal.post(db, to, { type: 'doubt', ...period, ...lost });
  }

  /**
   * Attempts of the job turned out to be one request: no earlier unconfirmed amount remains, except for `others`, which may be separate
   * requests.
   */
  clearDoubt(db: WriteDb, row: MoneyRow, note?: string, others = 0): void {
    let left = others;
    for (const doubt of doubtsOf(db, row.id)) {
      const { countedAt, runId, wasCharged, attempts } = doubt;
      const kept = Math.min(left, attempts);
      left -= kept;
      const each = Math.max(row.estimate_nano, doubt.stated[0] ?? 0);
      const nano = kept === attempts ? 0 : doubt.nano - Math.min(doubt.nano, kept * each);
      const unpriced = doubt.unpriced - Math.min(doubt.unpriced, kept);
      if (nano === 0 && unpriced === 0) continue;
      const over = { uncertainNano: -nano, unpriced: -unpriced, unpricedDoubt: -unpriced };
      this.journal.post(db, row, { type: wasCharged ? 'correction' : 'resolve', countedAt, runId, ...over, note });
    }
  }

  /**
   * The bill states the cost of the unconfirmed attempts: exactly that amount is charged. False, with nothing changed, if the ledger's sums
   * would no longer be exact.
   */
  settleDoubt(db: WriteDb, row: MoneyRow, billedNano: Nano, source = 'the bill'): boolean {
    if (!staysExact(db, { settledNano: billedNano, uncertainNano: -row.uncertain_nano })) return false;
    const [first] = doubtsOf(db, row.id);
    this.clearDoubt(db, row, `${source} has come`);
    if (billedNano === 0) return true;
    return this.journal.post(db, row, {
      type: 'bill',
      countedAt: first?.countedAt ?? this.journal.reservedAt(row),
      ...(first ? { runId: first.runId } : {}),
      settledNano: billedNano,
      settledLowNano: billedNano,
      note: `as ${source} says`,
    });
  }

  /**
   * The day and run that the current attempt counts to: those of its reservation or, after a lost reply, of its unconfirmed amount. A later
   * reservation for a resend, released unsent, counted elsewhere.
   */
  private accountingPeriodOf(db: WriteDb, row: MoneyRow): { countedAt: number; runId: string | null } {
    const isAside = row.reserved_nano > 0 || unpricedReserved(row) > 0;
    const doubt = isAside ? undefined : doubtsOf(db, row.id).at(-1);
    const { countedAt, runId } = doubt ?? { countedAt: this.journal.reservedAt(row), runId: row.money_run };
    return { countedAt, runId };
  }
}

const CHARGED_AS_MADE = t`The result is charged.`;
const REST_IN_DOUBT = t`The finished part is charged. The rest may be billed and is unconfirmed.`;
const NOT_COUNTABLE = 'more than can be counted: what was reserved is charged';
