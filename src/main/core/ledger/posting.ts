import type { Nano } from '../../../shared/money.ts';
import { costOf, type Quantity } from '../../../shared/price.ts';
import type { Clock, Ids } from '../ports.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { doubtsOf, isFree, openOrder } from './doubts.ts';
import { fits, Journal, type Posting } from './journal.ts';
import { type Counted, countedOf, isSetAside, type MoneyRow, priceOf, unpricedAside } from './moneyRow.ts';
import { PriceChanges } from './priceChanges.ts';

const saveQuantity = sql('ledger.saveQuantity', 'UPDATE jobs SET quantity = $quantity WHERE id = $id');
const saveRemark = sql('ledger.saveRemark', 'UPDATE jobs SET money_note = $remark WHERE id = $id');

/** The things that happen to money. Each is called inside the transaction that changes the job's state, and never on its own. */
export class Poster {
  readonly priceChanges: PriceChanges;
  private readonly journal: Journal;

  constructor(deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> }) {
    this.journal = new Journal(deps);
    this.priceChanges = new PriceChanges(this.journal);
  }

  /**
   * Sets the estimate aside, for the day it is to be sent on where that is known (a night that has not begun), else for today. False
   * where the ledger's sums would be beyond counting: nothing is set aside then.
   */
  reserve(db: WriteDb, row: MoneyRow, sendAt: number = this.journal.now()): boolean {
    if (isSetAside(row)) return true;
    const isKnown = priceOf(row) !== null;
    return this.journal.post(db, row, {
      type: 'reserve',
      countedAt: Math.max(sendAt, this.journal.now()),
      runId: row.run_id,
      ...(isKnown ? { reservedNano: row.estimate_nano - row.reserved_nano, price: row.price } : { unpriced: 1 }),
    });
  }

  /** Gives the whole reservation back. */
  release(db: WriteDb, row: MoneyRow, note?: string): void {
    const unpriced = unpricedAside(row);
    if (row.reserved_nano === 0 && unpriced === 0) return;
    const given = { reservedNano: -row.reserved_nano, unpriced: -unpriced };
    this.journal.post(db, row, { type: 'release', countedAt: this.journal.reservedTime(row), ...given, note });
  }

  /**
   * What was set aside for the order, or was in doubt for it, becomes a charge: what the answer stated, or else the dearest open reading.
   * One entry. A charge that would take the ledger's sums beyond counting is not held: what was set aside is charged.
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
    const open = openOrder(db, row);
    const charge: Posting = {
      type: 'charge',
      // The day whose cap it was held against; an answer after midnight must not break the cap of a day that has hardly begun.
      ...this.placeOf(db, row),
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
   * What came is not what was ordered: the charge follows what was made. What was ordered and not made may be on the bill all the same, so
   * the difference to the most that may be billed stands in doubt. A correction, nothing is rewritten. Called again as more is known of
   * what came, it moves no more than the difference.
   */
  recount(db: WriteDb, row: MoneyRow, { made, most }: { made: Quantity; most: Quantity }, differs: string): void {
    if (row.quantity === null) return;
    const price = priceOf(row);
    if (price === null) return this.keepQuantity(db, row, { ...made, atMost: most });
    const counted = countedOf(row);
    const before = costOf(price, counted);
    const heldNano = counted.atMost ? Math.max(0, costOf(price, counted.atMost).nano - before.nano) : 0;
    const cost = costOf(price, made);
    const settledNano = Math.max(cost.nano - before.nano, -row.charged_nano);
    const settledLowNano = Math.max(cost.lowNano - before.lowNano, -row.charged_low_nano);
    const restNano = Math.max(0, costOf(price, most).nano - cost.nano);
    const uncertainNano = restNano - heldNano;
    if (settledNano === 0 && settledLowNano === 0 && uncertainNano === 0) return;
    const posted = this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.reservedTime(row),
      settledNano,
      settledLowNano,
      uncertainNano,
      price: row.price,
      quantity: JSON.stringify({ ...made, ...(restNano > 0 ? { atMost: most } : {}) }),
      note: differs,
    });
    if (posted) this.remark(db, row, `${differs} ${restNano > 0 ? REST_IN_DOUBT : CHARGED_AS_MADE}`);
  }

  /** What a price that becomes known later is charged for. */
  private keepQuantity(db: WriteDb, row: MoneyRow, quantity: Counted): void {
    row.quantity = JSON.stringify(quantity);
    db.run(saveQuantity, { id: row.id, quantity: row.quantity });
  }

  /**
   * Moves what is charged and what is in doubt, on the day and in the night of the charge. What was charged at an unknown price has an
   * amount from now on. Nothing is rewritten.
   */
  adjust(
    db: WriteDb,
    row: MoneyRow,
    change: { settledNano: Nano; settledLowNano: Nano; uncertainNano: Nano },
    note: string,
  ): void {
    const unpriced = row.unpriced_doubt - row.unpriced;
    if (unpriced === 0 && Object.values(change).every((nano) => nano === 0)) return;
    const place = { countedAt: this.journal.reservedTime(row), runId: row.money_run };
    this.journal.post(db, row, { type: 'correction', ...place, ...change, unpriced, price: row.price, note });
  }

  /**
   * The result was refused where it was to be, so what was charged for it is taken back; `inDoubt` where it may be on the bill all the
   * same. No later price makes a charge of it.
   */
  takeBack(db: WriteDb, row: MoneyRow, inDoubt: boolean, note: string): void {
    if (row.quantity === null) return;
    const unpriced = row.unpriced - row.unpriced_doubt;
    const back = { settledNano: -row.charged_nano, settledLowNano: -row.charged_low_nano };
    const left = inDoubt ? { uncertainNano: row.charged_nano, unpricedDoubt: unpriced } : { unpriced: -unpriced };
    this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.reservedTime(row),
      ...back,
      ...left,
      note,
    });
    row.quantity = null;
    db.run(saveQuantity, { id: row.id, quantity: null });
  }

  /** Says with the job why its charge is not the price times the order: one sentence. */
  remark(db: WriteDb, row: MoneyRow, remark: string): void {
    db.run(saveRemark, { id: row.id, remark });
  }

  /**
   * The answer was lost, or does not say whether the order is billed: the reservation stands, counted as in doubt from now on, at what the
   * answer stated where that is more.
   */
  doubt(db: WriteDb, row: MoneyRow, note?: string, statedNano: Nano = 0): void {
    const amount = row.reserved_nano;
    const aside = unpricedAside(row);
    if (amount === 0 && aside === 0) return this.raiseDoubt(db, row, statedNano, note);
    const doubt: Posting = {
      type: 'doubt',
      countedAt: this.journal.reservedTime(row),
      reservedNano: -amount,
      note,
    };
    const stated = { uncertainNano: Math.max(amount, statedNano), unpriced: -aside };
    if (statedNano > 0 && this.journal.post(db, row, { ...doubt, ...stated })) return;
    this.journal.post(db, row, { ...doubt, uncertainNano: amount, unpricedDoubt: aside });
  }

  /**
   * An order that is in doubt already turns out to cost more: its doubt ends, and begins again at what was stated. One that was settled
   * meanwhile stays so.
   */
  private raiseDoubt(db: WriteDb, row: MoneyRow, statedNano: Nano, note?: string): void {
    const open = openOrder(db, row);
    const isOpen = open.uncertainNano < 0 || open.unpriced < 0;
    const more = statedNano + open.uncertainNano;
    if (more <= 0 || !(isOpen || isFree(row)) || !fits(db, { uncertainNano: more })) return;
    const place = this.placeOf(db, row);
    if (isOpen) this.journal.post(db, row, { type: 'resolve', ...place, ...open, note });
    this.journal.post(db, row, { type: 'doubt', ...place, uncertainNano: statedNano, note });
  }

  /** The order now under way is over and is not billed: what it has set aside, or has in doubt, is given back. */
  closeOrder(db: WriteDb, row: MoneyRow, note?: string): void {
    const open = openOrder(db, row);
    if (open.reservedNano === 0 && open.uncertainNano === 0 && open.unpriced === 0) return;
    const type = open.uncertainNano === 0 && open.unpricedDoubt === 0 ? 'release' : 'resolve';
    this.journal.post(db, row, { type, ...this.placeOf(db, row), ...open, note });
  }

  /** Every order of the job turned out to be one and the same: nothing about earlier ones is open, on whatever day and night they count. */
  clearDoubt(db: WriteDb, row: MoneyRow, note?: string): void {
    for (const { countedAt, runId, moved, nano, unpriced } of doubtsOf(db, row.id)) {
      const over = { uncertainNano: -nano, unpriced: -unpriced, unpricedDoubt: -unpriced };
      this.journal.post(db, row, { type: moved ? 'correction' : 'resolve', countedAt, runId, ...over, note });
    }
  }

  /**
   * The bill has come, and says what the orders in doubt cost: the doubt ends, and that much is settled, to the nano-dollar. False, with
   * nothing changed, where the sums would be beyond counting.
   */
  settleDoubt(db: WriteDb, row: MoneyRow, billedNano: Nano, source = 'the bill'): boolean {
    if (!fits(db, { settledNano: billedNano, uncertainNano: -row.uncertain_nano })) return false;
    const [first] = doubtsOf(db, row.id);
    this.clearDoubt(db, row, `${source} has come`);
    if (billedNano === 0) return true;
    return this.journal.post(db, row, {
      type: 'bill',
      countedAt: first?.countedAt ?? this.journal.reservedTime(row),
      ...(first ? { runId: first.runId } : {}),
      settledNano: billedNano,
      settledLowNano: billedNano,
      note: `as ${source} says`,
    });
  }

  /**
   * Where the order now under way counts: to the day and night of its reservation, or, where its answer was lost, of its doubt. A
   * reservation made since then for sending it again, and given back unsent, counted elsewhere.
   */
  private placeOf(db: WriteDb, row: MoneyRow): { countedAt: number; runId: string | null } {
    const isAside = row.reserved_nano > 0 || unpricedAside(row) > 0;
    const doubt = isAside ? undefined : doubtsOf(db, row.id).at(-1);
    const { countedAt, runId } = doubt ?? { countedAt: this.journal.reservedTime(row), runId: row.money_run };
    return { countedAt, runId };
  }
}

const CHARGED_AS_MADE = 'It is charged as it was made.';
const REST_IN_DOUBT =
  'It is charged as it was made; the rest of what was ordered may be on the bill, and stands in doubt.';
const NOT_COUNTABLE = 'more than can be counted: what was set aside is charged';
