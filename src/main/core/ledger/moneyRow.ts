import type { Nano } from '../../../shared/money/money.ts';
import type { Price } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';

/** The money columns of a job; every function of this module keeps them consistent with the entries and the sums. */
export interface MoneyRow {
  id: string;
  kind: string;
  model: string | null;
  profile_id: string;
  /** 1 for play money. */
  play: number;
  project_id: string | null;
  /** The night it belongs to. */
  run_id: string | null;
  /** The night its money counts to: the one it was in when it was reserved. */
  money_run: string | null;
  /** JSON of a {@link Price}, or `null` if it is unknown. */
  price: string;
  /** The charged quantity as JSON. */
  quantity: string | null;
  estimate_nano: Nano;
  estimate_low_nano: Nano;
  reserved_nano: Nano;
  /** What of the reservation counts under the cap of a night that counts the lower price; 0 outside nights. */
  reserved_low_nano: Nano;
  charged_nano: Nano;
  charged_low_nano: Nano;
  uncertain_nano: Nano;
  /** Attempts of unknown price that are reserved, in doubt or charged; the amounts do not include them. */
  unpriced: number;
  /** How many of these are in doubt. */
  unpriced_doubt: number;
  /** The cost that the answer to the last attempt stated. */
  stated_nano: Nano | null;
  reserved_at: number | null;
  /** When its last attempt was sent. */
  sent_at: number | null;
}

/** The price that a job was submitted at; null if unknown. */
export const priceOf = (row: Pick<MoneyRow, 'price'>): Price | null => JSON.parse(row.price) as Price | null;

/** The quantity that a charge is for. */
export interface ChargedQuantity extends Quantity {
  /** If more was requested than made: the highest amount that may be billed. */
  atMost?: Quantity;
}

export const chargedQuantityOf = (row: Pick<MoneyRow, 'quantity'>): ChargedQuantity =>
  JSON.parse(row.quantity ?? '{}') as ChargedQuantity;

/** Number of reserved attempts of unknown price: those neither in doubt nor charged. */
export const unpricedReserved = (row: Pick<MoneyRow, 'unpriced' | 'unpriced_doubt' | 'quantity'>): number =>
  row.quantity === null ? row.unpriced - row.unpriced_doubt : 0;

/** Whether the next attempt has reserved what it may cost or, at an unknown price, its place among the unpriced. */
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
