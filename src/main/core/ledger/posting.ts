import type { LedgerEntry } from '../../../shared/ledger.ts';
import { MOST_NANO, type Nano } from '../../../shared/money.ts';
import { type Cost, costOf, type Price, type Quantity } from '../../../shared/price.ts';
import type { Clock, Ids } from '../ports.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, monthOf } from './calendar.ts';
import { type Change, isSetAside, type MoneyRow, openOrder, priceOf, unpricedAside } from './moneyRow.ts';

interface Posting extends Change {
  type: LedgerEntry['type'];
  /** The time whose day it counts to: a release counts where its reservation did, so that no day falls below zero. */
  countedAt: number;
  /** The night it counts to, where that is not the one of the last reservation. */
  runId?: string | null;
  price?: string;
  /** What was counted, as JSON; kept with the job. */
  quantity?: string;
  note?: string;
}

const insertEntry = sql(
  'ledger.insert',
  `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, settled_low_nano, reserved_nano, uncertain_nano,
     unpriced, unpriced_doubt, model, kind, project_id, run_id, play, profile_id, price, note)
   VALUES ($id, $jobId, $at, $countedAt, $day, $type, $settledNano, $settledLowNano, $reservedNano, $uncertainNano,
     $unpriced, $unpricedDoubt, $model, $kind, $projectId, $runId, $play, $profileId, $price, $note)`,
);
const addSpend = sql(
  'ledger.addSpend',
  `INSERT INTO spend (play, scope, key, settled_nano, settled_low_nano, reserved_nano, uncertain_nano, unpriced)
   VALUES ($play, $scope, $key, $settledNano, $settledLowNano, $reservedNano, $uncertainNano, $unpriced)
   ON CONFLICT DO UPDATE SET settled_nano = settled_nano + $settledNano, settled_low_nano = settled_low_nano + $settledLowNano,
     reserved_nano = reserved_nano + $reservedNano, uncertain_nano = uncertain_nano + $uncertainNano, unpriced = unpriced + $unpriced`,
);
const addToJob = sql(
  'ledger.addToJob',
  `UPDATE jobs SET charged_nano = charged_nano + $settledNano, charged_low_nano = charged_low_nano + $settledLowNano,
     reserved_nano = reserved_nano + $reservedNano, uncertain_nano = uncertain_nano + $uncertainNano,
     unpriced = unpriced + $unpriced, unpriced_doubt = unpriced_doubt + $unpricedDoubt, reserved_at = $reservedAt, money_run = $moneyRun, quantity = coalesce($quantity, quantity)
   WHERE id = $id`,
);
/** Of all time. A float, as no sum of integers that has grown too large may throw. */
const everything = sql(
  'ledger.everything',
  `SELECT total(abs(settled_nano) + abs(reserved_nano) + abs(uncertain_nano)) AS nano FROM spend WHERE scope = 'month'`,
);
const saveQuantity = sql('ledger.saveQuantity', 'UPDATE jobs SET quantity = $quantity WHERE id = $id');
const saveRemark = sql('ledger.saveRemark', 'UPDATE jobs SET money_note = $remark WHERE id = $id');

const savePrice = sql(
  'ledger.savePrice',
  'UPDATE jobs SET price = $price, estimate_nano = $nano, estimate_low_nano = $lowNano WHERE id = $id',
);
const PRICE_CHANGED = 'the price was changed';

interface Doubt {
  countedAt: number;
  runId: string | null;
  nano: Nano;
  unpriced: number;
}
const doubtsOf = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, run_id AS runId, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

const billedOf = sql(
  'ledger.billed',
  `SELECT coalesce(sum(settled_nano), 0) AS nano FROM ledger_entries WHERE job_id = $jobId AND type = 'bill'`,
);

/** The things that happen to money. Each is called inside the transaction that changes the job's state, and never on its own. */
export class Poster {
  private readonly deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> };

  constructor(deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> }) {
    this.deps = deps;
  }

  /**
   * Sets the estimate aside, for the day it is to be sent on where that is known (a night that has not begun), else for today. False
   * where the ledger's sums would be beyond counting: nothing is set aside then.
   */
  reserve(db: WriteDb, row: MoneyRow, sendAt: number = this.deps.clock.now()): boolean {
    if (isSetAside(row)) return true;
    const isKnown = priceOf(row) !== null;
    return this.post(db, row, {
      type: 'reserve',
      countedAt: Math.max(sendAt, this.deps.clock.now()),
      runId: row.run_id,
      ...(isKnown ? { reservedNano: row.estimate_nano - row.reserved_nano, price: row.price } : { unpriced: 1 }),
    });
  }

  /** Gives the whole reservation back. */
  release(db: WriteDb, row: MoneyRow, note?: string): void {
    const unpriced = unpricedAside(row);
    if (row.reserved_nano === 0 && unpriced === 0) return;
    const given = { reservedNano: -row.reserved_nano, unpriced: -unpriced };
    this.post(db, row, { type: 'release', countedAt: this.reservedTime(row), ...given, note });
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
    const open = openOrder(row);
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
    if (this.post(db, row, charge)) return;
    const heldNano = -(open.reservedNano + open.uncertainNano);
    this.post(db, row, { ...charge, settledNano: heldNano, settledLowNano: 0, note: NOT_COUNTABLE });
  }

  /**
   * What came is not what was ordered. A second that was made and not ordered is billed all the same, so the charge follows; one that was
   * ordered and not made may still be billed, so the charge stays, with the cheaper reading beside it. A correction, nothing is rewritten.
   */
  recount(db: WriteDb, row: MoneyRow, counted: { most: Quantity; least: Quantity }, differs: string): void {
    if (row.quantity === null) return;
    const price = priceOf(row);
    if (price === null) return this.keepQuantity(db, row, counted.most);
    const before = costOf(price, JSON.parse(row.quantity) as Quantity);
    const settledNano = Math.max(0, costOf(price, counted.most).nano - before.nano);
    const settledLowNano = costOf(price, counted.least).lowNano - before.lowNano;
    if (settledNano === 0 && settledLowNano === 0) return;
    const posted = this.post(db, row, {
      type: 'correction',
      countedAt: this.reservedTime(row),
      settledNano,
      settledLowNano,
      price: row.price,
      quantity: JSON.stringify(counted.most),
      note: differs,
    });
    if (posted) this.remark(db, row, `${differs} ${settledNano > 0 ? CHARGED_AS_MADE : CHARGED_AS_ORDERED}`);
  }

  /** What a price that becomes known later is charged for. */
  private keepQuantity(db: WriteDb, row: MoneyRow, quantity: Quantity): void {
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
    const place = { countedAt: this.reservedTime(row), runId: row.money_run };
    this.post(db, row, { type: 'correction', ...place, ...change, unpriced, price: row.price, note });
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
    this.post(db, row, { type: 'correction', countedAt: this.reservedTime(row), ...back, ...left, note });
    row.quantity = null;
    db.run(saveQuantity, { id: row.id, quantity: null });
  }

  /** Says with the job why its charge is not the price times the order: one sentence. */
  remark(db: WriteDb, row: MoneyRow, remark: string): void {
    db.run(saveRemark, { id: row.id, remark });
  }

  /** The answer was lost: the reservation stands, counted as in doubt from now on. */
  doubt(db: WriteDb, row: MoneyRow, note?: string): void {
    const amount = row.reserved_nano;
    const unpricedDoubt = unpricedAside(row);
    if (amount === 0 && unpricedDoubt === 0) return;
    this.post(db, row, {
      type: 'doubt',
      countedAt: this.reservedTime(row),
      reservedNano: -amount,
      uncertainNano: amount,
      unpricedDoubt,
      note,
    });
  }

  /** The order now under way is over and is not billed: what it has set aside, or has in doubt, is given back. */
  closeOrder(db: WriteDb, row: MoneyRow, note?: string): void {
    const open = openOrder(row);
    if (open.reservedNano === 0 && open.uncertainNano === 0 && open.unpriced === 0) return;
    const type = open.uncertainNano === 0 && open.unpricedDoubt === 0 ? 'release' : 'resolve';
    this.post(db, row, { type, ...this.placeOf(db, row), ...open, note });
  }

  /** Every order of the job turned out to be one and the same: nothing about earlier ones is open, on whatever day and night they count. */
  clearDoubt(db: WriteDb, row: MoneyRow, note?: string): void {
    for (const { countedAt, runId, nano, unpriced } of db.all<Doubt>(doubtsOf, { jobId: row.id })) {
      const over = { uncertainNano: -nano, unpriced: -unpriced, unpricedDoubt: -unpriced };
      this.post(db, row, { type: 'resolve', countedAt, runId, ...over, note });
    }
  }

  /**
   * The bill has come, and says what the orders in doubt cost: the doubt ends, and that much is settled, to the nano-dollar. False, with
   * nothing changed, where the sums would be beyond counting.
   */
  settleDoubt(db: WriteDb, row: MoneyRow, billedNano: Nano, source = 'the bill'): boolean {
    if (!fits(db, { settledNano: billedNano, uncertainNano: -row.uncertain_nano })) return false;
    const [first] = db.all<Doubt>(doubtsOf, { jobId: row.id });
    this.clearDoubt(db, row, `${source} has come`);
    if (billedNano === 0) return true;
    return this.post(db, row, {
      type: 'bill',
      countedAt: first?.countedAt ?? this.reservedTime(row),
      ...(first ? { runId: first.runId } : {}),
      settledNano: billedNano,
      settledLowNano: billedNano,
      note: `as ${source} says`,
    });
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
    this.post(db, row, {
      type: 'correction',
      countedAt: this.deps.clock.now(),
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
    this.post(db, row, { type: 'release', countedAt: this.reservedTime(row), ...given, note: PRICE_CHANGED });
  }

  /** What the service has, or may have, will be on the bill at another price: reservation and doubt follow, up or down. */
  repriceSent(db: WriteDb, row: MoneyRow & { state: string }, price: Price, cost: Cost): void {
    const before = row.estimate_nano;
    const unpriced = unpricedAside(row);
    const isInDoubt = row.uncertain_nano > 0 || row.unpriced_doubt > 0;
    this.savePrice(db, row, price, cost);
    const change = { price: row.price, note: PRICE_CHANGED };
    const place = { countedAt: this.reservedTime(row), runId: row.money_run };
    if (row.state === 'uncertain' && !isInDoubt) {
      if (cost.nano > 0) this.post(db, row, { type: 'doubt', ...place, uncertainNano: cost.nano, ...change });
      return;
    }
    const hasOrder = row.reserved_nano > 0 || unpriced > 0 || !isInDoubt;
    const reservedNano = hasOrder ? cost.nano - row.reserved_nano : 0;
    const type = reservedNano > 0 ? 'reserve' : 'release';
    if (reservedNano !== 0 || unpriced > 0)
      this.post(db, row, { type, ...place, reservedNano, unpriced: -unpriced, ...change });
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
    for (const { countedAt, runId, nano, unpriced } of db.all<Doubt>(doubtsOf, { jobId: row.id })) {
      const priced = nano > 0 ? Math.max(1, Math.round(nano / Math.max(1, before))) : 0;
      const uncertainNano = (priced + unpriced) * cost.nano - nano;
      if (uncertainNano === 0 && unpriced === 0) continue;
      const change = { uncertainNano, unpriced: -unpriced, unpricedDoubt: -unpriced, price: row.price };
      const type = uncertainNano > 0 ? 'doubt' : 'resolve';
      this.post(db, row, { type, countedAt, runId, ...change, note: PRICE_CHANGED });
    }
  }

  private savePrice(db: WriteDb, row: MoneyRow, price: Price | null, { nano, lowNano }: Cost): void {
    row.price = JSON.stringify(price);
    db.run(savePrice, { id: row.id, price: row.price, nano, lowNano });
    row.estimate_nano = nano;
    row.estimate_low_nano = lowNano;
  }

  /**
   * Where the order now under way counts: to the day and night of its reservation, or, where its answer was lost, of its doubt. A
   * reservation made since then for sending it again, and given back unsent, counted elsewhere.
   */
  private placeOf(db: WriteDb, row: MoneyRow): { countedAt: number; runId: string | null } {
    const isAside = row.reserved_nano > 0 || unpricedAside(row) > 0;
    const doubt = isAside ? undefined : db.all<Doubt>(doubtsOf, { jobId: row.id }).at(-1);
    const { countedAt, runId } = doubt ?? { countedAt: this.reservedTime(row), runId: row.money_run };
    return { countedAt, runId };
  }

  private reservedTime(row: MoneyRow): number {
    return row.reserved_at ?? this.deps.clock.now();
  }

  /**
   * One entry, the job's own figures, and the sums of its side's day, month, project and night, all in step. False, with nothing written,
   * where an amount is no whole number of nano-dollars, or the sums would be beyond counting.
   */
  private post(db: WriteDb, row: MoneyRow, posting: Posting): boolean {
    if (!fits(db, posting)) return false;
    const change = {
      settledNano: posting.settledNano ?? 0,
      settledLowNano: posting.settledLowNano ?? 0,
      reservedNano: posting.reservedNano ?? 0,
      uncertainNano: posting.uncertainNano ?? 0,
      unpriced: posting.unpriced ?? 0,
    };
    const unpricedDoubt = posting.unpricedDoubt ?? 0;
    const day = dayOf(posting.countedAt);
    const runId = posting.runId === undefined ? row.money_run : posting.runId;
    db.run(insertEntry, {
      id: this.deps.ids.id('le'),
      jobId: row.id,
      at: this.deps.clock.now(),
      countedAt: posting.countedAt,
      day,
      type: posting.type,
      ...change,
      unpricedDoubt,
      play: row.play,
      profileId: row.profile_id,
      model: row.model ?? row.kind,
      kind: row.kind,
      projectId: row.project_id,
      runId,
      price: posting.price ?? null,
      note: posting.note ?? null,
    });
    const moneyRun = posting.type === 'reserve' ? runId : row.money_run;
    const reservedAt = posting.type === 'reserve' ? posting.countedAt : row.reserved_at;
    const quantity = posting.quantity ?? null;
    db.run(addToJob, { id: row.id, ...change, unpricedDoubt, reservedAt, moneyRun, quantity });
    const add = (scope: string, key: string) => db.run(addSpend, { play: row.play, scope, key, ...change });
    add('day', day);
    add('month', monthOf(posting.countedAt));
    if (row.project_id) add('project', row.project_id);
    if (runId !== null) add('run', runId);
    row.charged_nano += change.settledNano;
    row.charged_low_nano += change.settledLowNano;
    row.reserved_nano += change.reservedNano;
    row.uncertain_nano += change.uncertainNano;
    row.unpriced += change.unpriced;
    row.unpriced_doubt += unpricedDoubt;
    row.quantity = quantity ?? row.quantity;
    row.reserved_at = reservedAt;
    row.money_run = moneyRun;
    return true;
  }
}

const CHARGED_AS_MADE = 'It is charged as it was made.';
const CHARGED_AS_ORDERED = 'It is charged as it was ordered, since that may be on the bill.';
const NOT_COUNTABLE = 'more than can be counted: what was set aside is charged';

/** Whether the ledger's sums stay exact with this change. */
function fits(db: ReadDb, change: Change): boolean {
  const { settledNano = 0, settledLowNano = 0, reservedNano = 0, uncertainNano = 0 } = change;
  if (![settledNano, settledLowNano, reservedNano, uncertainNano].every(Number.isSafeInteger)) return false;
  const more = settledNano + reservedNano + uncertainNano;
  return more <= roomInLedger(db);
}

/** How much more the ledger can hold. What only moves from one figure to another, or is given back, always fits. */
export function roomInLedger(db: ReadDb): Nano {
  const held = db.one<{ nano: number }>(everything)?.nano ?? 0;
  // A ledger that is beyond it already must not refuse everything for ever.
  return held > MOST_NANO ? MOST_NANO : MOST_NANO - held;
}
