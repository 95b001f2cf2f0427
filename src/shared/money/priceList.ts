import type { PriceKind } from '../kinds/pricings.ts';
import type { Price } from './price.ts';

/** A listed price beside the current one. */
export interface PriceChange {
  kind: PriceKind;
  /** The name in the list. */
  listed: string;
  /** The current price of that model, defaults included; null without one. */
  now: Price | null;
  /** The new entry, with its source. Image requests name no model, so theirs is `*`. */
  next: Price;
  /** Compared at the highest price; `new` if no price was set. */
  change: 'same' | 'dearer' | 'cheaper' | 'other' | 'new';
  /** The user set or settled the current price; it is replaced only if chosen. */
  yours: boolean;
  /** The profile has this model, or it is the list's only price for requests that name no model. */
  used: boolean;
}

/** A gateway's published prices, for review before an import. */
export interface PricePreview {
  id: string;
  from: string;
  at: number;
  /** The profile's models come first. */
  changes: PriceChange[];
  refused: { model: string; why: string }[];
  /** The number of prices beyond the limit of the list. */
  left: number;
}
