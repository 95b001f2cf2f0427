import { z } from 'zod';
import type { PriceUnit, Quantity } from '../money/quantity.ts';
import { model } from './fields.ts';
import { type JobKind, schemaByKind } from './registry.ts';

/** A quantity of one kind, as far as its price depends on it: it can be estimated without a prompt. */
export interface PricedQuantity {
  kind: JobKind;
  /** Required if all requests of the kind name a model. */
  model?: string | undefined;
  quantity: Quantity;
}

const count = z.int().min(0).max(1_000_000_000_000);

/** The figures that each unit needs. */
const COUNTED_BY = {
  token: { inputTokens: count, outputTokens: count },
  second: { seconds: count },
  video: { videos: count },
  image: { images: count },
} as const satisfies Record<PriceUnit, Partial<Record<keyof Quantity, typeof count>>>;

/** Every figure that a price may need is required, since a missing one would count as 0. */
export const pricedQuantitySchema = schemaByKind<PricedQuantity, PricedQuantity>(({ name, pricing }) => {
  const counts: Partial<Record<keyof Quantity, typeof count>> = {};
  for (const unit of pricing.units) Object.assign(counts, COUNTED_BY[unit]);
  return z.strictObject({
    kind: z.literal(name),
    model: pricing.byModel ? model : model.optional(),
    quantity: z.strictObject(counts),
  });
});
