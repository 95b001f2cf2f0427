import type { Nano } from '../../../shared/money.ts';
import type { Cost, Price } from '../../../shared/price.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { doubtsOf } from './doubts.ts';
import type { Journal } from './journal.ts';
import { type MoneyRow, unpricedAside } from './moneyRow.ts';

const savePrice = sql(
  'ledger.savePrice',
  'UPDATE jobs SET price = $price, estimate_nano = $nano, estimate_low_nano = $lowNano WHERE id = $id',
);
const billedOf = sql(
  'ledger.billed',
  `SELECT coalesce(sum(settled_nano), 0) AS nano FROM ledger_entries WHERE job_id = $jobId AND type = 'bill'`,
);

const PRICE_CHANGED = 'the price was changed';

/** What a new price does to an order, as entries. Each is called inside the transaction that makes the price durable. */
export class PriceChanges {
  private readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** A later, exact price for something already charged: a new entry, nothing is rewritten. What was billed or stated needs no price. */
  correct(db: WriteDb, row: MoneyRow & { stated_nano: Nano | null }, exact: Cost, price: Price): void {
    const billedNano = db.one<{ nano: Nano }>(billedOf, { jobId: row.id })?.nano ?? 0;
    const chargedNano = row.charged_nano - billedNano;
    const isStated = chargedNano > 0 && chargedNano === row.stated_nano;
    const settledNano = isStated ? 0 : exact.nano - chargedNano;
    const settledLowNano = isStated ? 0 : exact.lowNano - (row.charged_low_nano - billedNano);
    const unpriced = row.unpriced - row.unpriced_doubt;
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
    const before = row.estimate_nano;
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
    this.repriceDoubts(db, row, before, cost);
  }

  /** The price of something already charged becomes known; earlier orders of the same job that may be billed as well are held at it. */
  learnPrice(db: WriteDb, row: MoneyRow, price: Price, cost: Cost): void {
    const before = row.estimate_nano;
    this.savePrice(db, row, price, cost);
    this.repriceDoubts(db, row, before, cost);
  }

  /** Orders of a job that may be on the bill at another price than `before`; it may have been sent several times, and each may be billed. */
  private repriceDoubts(db: WriteDb, row: MoneyRow, before: Nano, cost: Cost): void {
    for (const { countedAt, runId, nano, unpriced } of doubtsOf(db, row.id)) {
      const priced = nano > 0 ? Math.max(1, Math.round(nano / Math.max(1, before))) : 0;
      const uncertainNano = (priced + unpriced) * cost.nano - nano;
      if (uncertainNano === 0 && unpriced === 0) continue;
      const change = { uncertainNano, unpriced: -unpriced, unpricedDoubt: -unpriced, price: row.price };
      const type = uncertainNano > 0 ? 'doubt' : 'resolve';
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
