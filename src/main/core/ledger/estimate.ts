import type { Profile } from '../../../shared/gateway/profile.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { priceKindOf, quantityOf } from '../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../shared/kinds/pricedQuantity.ts';
import type { Estimate } from '../../../shared/money/ledger.ts';
import { costOf, isSettled, type Price, priceFor } from '../../../shared/money/price.ts';

type PricedEstimate = Estimate & { price: Price | null };

/** The highest and lowest cost of a request at the profile's prices; `price` is null if the price book has none for it. */
export const estimate = (profile: Profile, request: StudioRequest): PricedEstimate =>
  estimateQuantity(profile, {
    kind: request.kind,
    model: 'model' in request ? request.model : undefined,
    quantity: quantityOf(request, profile.limits.outputTokens),
  });

/** The same for a quantity, whatever request it belongs to. */
export function estimateQuantity(profile: Profile, { kind, model, quantity }: PricedQuantity): PricedEstimate {
  const price = priceFor(profile.prices, priceKindOf(kind), model);
  if (!price) return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true, price: null };
  return { ...costOf(price, quantity), settled: isSettled(price), source: price.source, price };
}
