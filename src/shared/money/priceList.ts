import type { PriceKind } from '../kinds/pricings.ts';
import type { Price } from './price.ts';

/** A price of a service's list beside the current one. */
export interface PriceChange {
  kind: PriceKind;
  /** The name in the list. */
  listed: string;
  /** The current price of that model, defaults included; null if it has none. */
  now: Price | null;
  /** The new entry of the price book, with its source. Image requests name no model, so their entry is `*`. */
  next: Price;
  /** Compared by the highest price; `new` if no price was known. */
  change: 'same' | 'dearer' | 'cheaper' | 'other' | 'new';
  /** The user has set or settled the current price; it is replaced only if that is chosen. */
  yours: boolean;
  /** The profile has this model, so a job may use it; or it is the list's only price for requests that name no model. */
  used: boolean;
}

/** A service's published prices, for review before any is imported. */
export interface PricePreview {
  id: string;
  /** Host and path of the list. */
  from: string;
  at: number;
  /** Models of the profile come first. */
  changes: PriceChange[];
  /** Refused prices, each with the reason. */
  refused: { model: string; why: string }[];
  /** The number of listed prices that are left out because there are too many. */
  left: number;
}
