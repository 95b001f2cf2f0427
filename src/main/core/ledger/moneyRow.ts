import type { Nano } from '../../../shared/money.ts';
import type { Price, Quantity } from '../../../shared/price.ts';

/** The columns of a job that money is about; every function here keeps them, the entries and the sums in step. */
export interface MoneyRow {
  id: string;
  kind: string;
  model: string | null;
  profile_id: string;
  /** 1: its money is play money. */
  play: number;
  project_id: string | null;
  /** The night it belongs to. */
  run_id: string | null;
  /** The night its money counts to: the one it was in when it was set aside. */
  money_run: string | null;
  /** JSON of a {@link Price}, or `null` where nobody knows it. */
  price: string;
  /** What was counted when it was charged, as JSON. */
  quantity: string | null;
  estimate_nano: Nano;
  estimate_low_nano: Nano;
  reserved_nano: Nano;
  charged_nano: Nano;
  charged_low_nano: Nano;
  uncertain_nano: Nano;
  /** Orders of unknown price that are set aside, in doubt or charged; they stand beside the amounts, which leave them out. */
  unpriced: number;
  /** Of these, the ones in doubt. */
  unpriced_doubt: number;
  /** What the answer to the last order stated as its cost. */
  stated_nano: Nano | null;
  reserved_at: number | null;
}

/** The price a job was made with; null where nobody knows it. */
export const priceOf = (row: Pick<MoneyRow, 'price'>): Price | null => JSON.parse(row.price) as Price | null;

/** What was charged for. */
export interface Counted extends Quantity {
  /** Where more was ordered than was made: the most that may be on the bill. */
  atMost?: Quantity;
}

export const countedOf = (row: Pick<MoneyRow, 'quantity'>): Counted => JSON.parse(row.quantity ?? '{}') as Counted;

/** Whether an order of unknown price is set aside: what is neither in doubt nor charged. */
export const unpricedAside = (row: Pick<MoneyRow, 'unpriced' | 'unpriced_doubt' | 'quantity'>): number =>
  row.quantity === null ? row.unpriced - row.unpriced_doubt : 0;

/** Whether the order to come has set aside what it may cost, or, at an unknown price, its place among the unpriced. */
export const isSetAside = (row: MoneyRow): boolean =>
  priceOf(row) === null ? unpricedAside(row) > 0 : row.reserved_nano >= row.estimate_nano;

/** What happens to the figures of a job. */
export interface Change {
  settledNano?: Nano;
  settledLowNano?: Nano;
  reservedNano?: Nano;
  uncertainNano?: Nano;
  unpriced?: number;
  unpricedDoubt?: number;
}
