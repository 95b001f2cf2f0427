import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { priceKindOf, quantityOf } from '../../../shared/kinds/index.ts';
import type { Estimate } from '../../../shared/ledger.ts';
import { costOf, isSettled, type Price, priceFor } from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';

/** The highest and lowest cost of a request at the profile's prices; `price` is null if the price book has none for it. */
export function estimate(profile: Profile, request: StudioRequest): Estimate & { price: Price | null } {
  const model = 'model' in request ? request.model : undefined;
  const price = priceFor(profile.prices, priceKindOf(request), model);
  if (!price) return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true, price: null };
  const cost = costOf(price, quantityOf(request, profile.limits.outputTokens));
  return { ...cost, settled: isSettled(price), source: price.source, price };
}
