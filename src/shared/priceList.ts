import type { PriceKind } from './kinds/pricings.ts';
import type { Price } from './price.ts';

/** A price of a service's list beside the one that holds now. */
export interface PriceChange {
  kind: PriceKind;
  /** The name in the list. */
  listed: string;
  /** What holds now for that model, a default included; null where nothing says what it costs. */
  now: Price | null;
  /** What would hold: an entry of the book, with its source. Pictures are ordered without a model, so theirs is the entry `*`. */
  next: Price;
  /** By the dearer reading; `new` where no price was known. */
  change: 'same' | 'dearer' | 'cheaper' | 'other' | 'new';
  /** The user has set or settled the present one; it is replaced only where that is chosen. */
  yours: boolean;
  /** The profile has this model, so a job may be made with it. */
  used: boolean;
}

/** What a service publishes, to be looked at before any of it is taken over. */
export interface PricePreview {
  id: string;
  /** Host and path of the list. */
  from: string;
  at: number;
  /** Those that the profile uses first. */
  changes: PriceChange[];
  /** Not taken, each with the reason. */
  refused: { model: string; why: string }[];
  /** Listed, and left out here because there are too many. */
  left: number;
}
