import { z } from 'zod';
import type { PriceUnit, Quantity } from '../money/quantity.ts';
import { model } from './fields.ts';
import { type JobKind, schemaByKind } from './registry.ts';

/** A quantity of one kind: everything that its price depends on. It can be estimated before there is a prompt or a picture. */
export interface PricedQuantity {
  kind: JobKind;
  /** Required if every request of the kind names one. */
  model?: string | undefined;
  quantity: Quantity;
}

const count = z.int().min(0).max(1_000_000_000_000);

/** The figures needed to count a quantity in each unit. */
const COUNTED_BY = {
  token: { inputTokens: count, outputTokens: count },
  second: { seconds: count },
  video: { videos: count },
  image: { images: count },
} as const satisfies Record<PriceUnit, Partial<Record<keyof Quantity, typeof count>>>;

/** A missing figure would count as 0, so every figure is required that a price of this kind may need. */
export const pricedQuantitySchema = schemaByKind<PricedQuantity, PricedQuantity>(({ name, pricing }) => {
  const counts: Partial<Record<keyof Quantity, typeof count>> = {};
  for (const unit of pricing.units) Object.assign(counts, COUNTED_BY[unit]);
  return z.strictObject({
    kind: z.literal(name),
    model: pricing.byModel ? model : model.optional(),
    quantity: z.strictObject(counts),
  });
});
