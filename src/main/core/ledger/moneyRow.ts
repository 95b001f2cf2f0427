import type { Nano } from '../../../shared/money/money.ts';
import type { Price } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';

/** The money columns of a job; this module keeps them consistent with entries and sums. */
export interface MoneyRow {
  id: string;
  kind: string;
  model: string | null;
  profile_id: string;
  /** 1 for test money. */
  play: number;
  project_id: string | null;
  /** The run it belongs to. */
  run_id: string | null;
  /** The run its money counts to: the one in which it was reserved. */
  money_run: string | null;
  /** JSON of a {@link Price}, or `null` if none is set. */
  price: string;
  quantity: string | null;
  estimate_nano: Nano;
  estimate_low_nano: Nano;
  reserved_nano: Nano;
  /** The reservation at the lower price, for the budget of a run that counts that price; 0 outside of runs. */
  reserved_low_nano: Nano;
  charged_nano: Nano;
  charged_low_nano: Nano;
  uncertain_nano: Nano;
  /** Attempts with no price set that are reserved, unconfirmed or charged; the amounts exclude them. */
  unpriced: number;
  /** How many of these are unconfirmed. */
  unpriced_doubt: number;
  /** The cost stated by the answer to the last attempt. */
  stated_nano: Nano | null;
  reserved_at: number | null;
  /** When its last attempt was sent. */
  sent_at: number | null;
}

/** The price that a job is estimated, reserved and charged at; null if none is set. */
export const priceOf = (row: Pick<MoneyRow, 'price'>): Price | null => JSON.parse(row.price) as Price | null;

/** The charged quantity. */
export interface ChargedQuantity extends Quantity {
  /** If more was requested than made: the highest quantity that may be billed. */
  atMost?: Quantity;
}

export const chargedQuantityOf = (row: Pick<MoneyRow, 'quantity'>): ChargedQuantity =>
  JSON.parse(row.quantity ?? '{}') as ChargedQuantity;

/** The number of reserved attempts with no price set, without those that are unconfirmed or charged. */
export const unpricedReserved = (row: Pick<MoneyRow, 'unpriced' | 'unpriced_doubt' | 'quantity'>): number =>
  row.quantity === null ? row.unpriced - row.unpriced_doubt : 0;

/** Whether the next attempt has its reservation or, with no price set, is counted as unpriced. */
export const isReserved = (row: MoneyRow): boolean =>
  priceOf(row) === null ? unpricedReserved(row) > 0 : row.reserved_nano >= row.estimate_nano;

/** A change of a job's figures. */
export interface MoneyChange {
  settledNano?: Nano;
  settledLowNano?: Nano;
  reservedNano?: Nano;
  uncertainNano?: Nano;
  unpriced?: number;
  unpricedDoubt?: number;
}

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** The local calendar day, `2026-11-21`: a daily budget ends at the user's midnight. */
export function dayOf(time: number): string {
  return `${monthOf(time)}-${twoDigits(new Date(time).getDate())}`;
}

/** `2026-11`. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`;
}

/** The month of a day `2026-11-21`. */
export const monthOfDay = (day: string): string => day.slice(0, '2026-11'.length);
