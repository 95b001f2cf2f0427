import type { Nano } from '../../../shared/money.ts';
import { type Cost, costOf, type Price } from '../../../shared/price.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { doubtsOf } from './doubts.ts';
import type { Journal } from './journal.ts';
import { countedOf, type MoneyRow, unpricedAside } from './moneyRow.ts';

const savePrice = sql(
  'ledger.savePrice',
  'UPDATE jobs SET price = $price, estimate_nano = $nano, estimate_low_nano = $lowNano WHERE id = $id',
);
const billedOf = sql(
  'ledger.billed',
  `SELECT coalesce(sum(settled_nano), 0) AS nano FROM ledger_entries WHERE job_id = $jobId AND type = 'bill'`,
);

const PRICE_CHANGED = 'the price was changed';

const billedFor = (db: ReadDb, row: MoneyRow): Nano => db.one<{ nano: Nano }>(billedOf, { jobId: row.id })?.nano ?? 0;

/** What is charged is what the answer stated: no price corrects it. */
export function isChargedAsStated(db: ReadDb, row: MoneyRow): boolean {
  const chargedNano = row.charged_nano - billedFor(db, row);
  return chargedNano > 0 && chargedNano === row.stated_nano;
}

/** What a new price does to an order, as entries. Each is called inside the transaction that makes the price durable. */
export class PriceChanges {
  private readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** A later, exact price for something already charged: a new entry, nothing is rewritten. What was billed or stated needs no price. */
  correct(db: WriteDb, row: MoneyRow, exact: Cost, price: Price): void {
    const billedNano = billedFor(db, row);
    const chargedNano = row.charged_nano - billedNano;
    const isStated = isChargedAsStated(db, row);
    const settledNano = isStated ? 0 : exact.nano - chargedNano;
    const settledLowNano = isStated ? 0 : exact.lowNano - (row.charged_low_nano - billedNano);
    const unpriced = row.unpriced - row.unpriced_doubt;
    this.repriceRest(db, row, price, { exact, isFirst: unpriced > 0 });
    if (settledNano === 0 && settledLowNano === 0 && unpriced === 0) return;
    const note = unpriced > 0 ? 'the price was set' : 'the price was settled';
    this.journal.post(db, row, {
      type: 'correction',
      countedAt: this.journal.now(),
      settledNano,
      settledLowNano,
      unpriced: -unpriced,
      price: JSON.stringify(price),
      note,
    });
  }

  /**
   * What was ordered and not made is in doubt at the difference; under another price that is another one, and under the first one that is
   * known it begins.
   */
  private repriceRest(
    db: WriteDb,
    row: MoneyRow,
    price: Price,
    { exact, isFirst }: { exact: Cost; isFirst: boolean },
  ): void {
    const { atMost } = countedOf(row);
    if (!atMost) return;
    const uncertainNano = Math.max(0, costOf(price, atMost).nano - exact.nano);
    const begun = { countedAt: this.journal.reservedTime(row), runId: row.money_run, nano: 0 };
    for (const { countedAt, runId, nano } of isFirst ? [begun] : doubtsOf(db, row.id).filter(({ moved }) => moved)) {
      if (nano === uncertainNano) continue;
      const change = { uncertainNano: uncertainNano - nano, price: JSON.stringify(price), note: PRICE_CHANGED };
      this.journal.post(db, row, { type: 'correction', countedAt, runId, ...change });
    }
  }

  /**
   * A job that is not ordered yet costs something else, or (with `null`) nobody knows any more what. What is too much is given back; what
   * is missing is set aside before it is sent.
   */
  repriceWaiting(db: WriteDb, row: MoneyRow, price: Price | null, cost: Cost): void {
    const unpriced = unpricedAside(row);
    this.savePrice(db, row, price, cost);
    const tooMuch = Math.max(0, row.reserved_nano - row.estimate_nano);
    if (tooMuch === 0 && unpriced === 0) return;
    const given = { reservedNano: -tooMuch, unpriced: -unpriced };
    this.journal.post(db, row, {
      type: 'release',
      countedAt: this.journal.reservedTime(row),
      ...given,
      note: PRICE_CHANGED,
    });
  }

  /** What the service has, or may have, will be on the bill at another price: reservation and doubt follow, up or down. */
  repriceSent(db: WriteDb, row: MoneyRow & { state: string }, price: Price, cost: Cost): void {
    const unpriced = unpricedAside(row);
    const isInDoubt = row.uncertain_nano > 0 || row.unpriced_doubt > 0;
    this.savePrice(db, row, price, cost);
    const change = { price: row.price, note: PRICE_CHANGED };
    const place = { countedAt: this.journal.reservedTime(row), runId: row.money_run };
    if (row.state === 'uncertain' && !isInDoubt) {
      if (cost.nano > 0) this.journal.post(db, row, { type: 'doubt', ...place, uncertainNano: cost.nano, ...change });
      return;
    }
    const hasOrder = row.reserved_nano > 0 || unpriced > 0 || !isInDoubt;
    const reservedNano = hasOrder ? cost.nano - row.reserved_nano : 0;
    const type = reservedNano > 0 ? 'reserve' : 'release';
    if (reservedNano !== 0 || unpriced > 0)
      this.journal.post(db, row, { type, ...place, reservedNano, unpriced: -unpriced, ...change });
    this.repriceDoubts(db, row, cost);
  }

  /** The price of something already charged becomes known; earlier orders of the same job that may be billed as well are held at it. */
  learnPrice(db: WriteDb, row: MoneyRow, price: Price, cost: Cost): void {
    this.savePrice(db, row, price, cost);
    this.repriceDoubts(db, row, cost);
  }

  /**
   * Orders of a job that may be on the bill at another price; it may have been sent several times, and each may be billed. What an answer
   * stated needs no price: that much stays in doubt, of a charge that was taken back and of an order that was never charged.
   */
  repriceDoubts(db: WriteDb, row: MoneyRow, cost: Cost): void {
    const doubts = doubtsOf(db, row.id);
    // The last order is in doubt itself: what its answer stated may be less than was set aside, and more than the price makes of it.
    const isLastOpen = row.quantity === null && row.reserved_nano === 0 && unpricedAside(row) === 0;
    for (const { countedAt, runId, moved, orders, stated, nano, unpriced } of doubts) {
      if (moved && (row.stated_nano ?? 0) > 0) continue;
      const isLast = isLastOpen && countedAt === doubts.at(-1)?.countedAt;
      const each = isLast && stated.length === 0 ? [row.stated_nano ?? 0] : stated;
      const most = each.slice(0, orders).reduce((sum, one) => sum + Math.max(0, one - cost.nano), orders * cost.nano);
      const uncertainNano = most - nano;
      if (uncertainNano === 0 && unpriced === 0) continue;
      const change = { uncertainNano, unpriced: -unpriced, unpricedDoubt: -unpriced, price: row.price };
      const type = moved ? 'correction' : uncertainNano > 0 ? 'doubt' : 'resolve';
      this.journal.post(db, row, { type, countedAt, runId, ...change, note: PRICE_CHANGED });
    }
  }

  private savePrice(db: WriteDb, row: MoneyRow, price: Price | null, { nano, lowNano }: Cost): void {
    row.price = JSON.stringify(price);
    db.run(savePrice, { id: row.id, price: row.price, nano, lowNano });
    row.estimate_nano = nano;
    row.estimate_low_nano = lowNano;
  }
}
