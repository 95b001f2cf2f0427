import type { StatedCost, SubmitOutcome } from '../../src/main/core/gateway/index.ts';
import type { Price } from '../../src/shared/money/price.ts';
import { PIXEL } from './engineHarness.ts';

/** Prices, and the costs that a gateway states. */

export const nano = (dollars: number): number => Math.round(dollars * 1e9);

/** A video price set by the user. */
export const aPrice = (unit: 'second' | 'video' | 'image', dollars: number, fields: Partial<Price> = {}): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit, nano: nano(dollars) }],
  settledReading: 0,
  source: 'x',
  ...fields,
});

export const stating = (dollars: number): StatedCost => ({
  by: 'usage.cost',
  as: `${dollars} USD`,
  nano: nano(dollars),
});

/** A price for pictures; the specification has none. */
export const PICTURE_PRICE = aPrice('image', 0.05, { kind: 'image', model: '*' });

/** An answer with its result and its stated cost. */
export const madeFor = (dollars?: number, uri = PIXEL): SubmitOutcome => ({
  type: 'done',
  outputs: [{ uri, role: 'output' }],
  ...(dollars === undefined ? {} : { stated: stating(dollars) }),
});
