import type { Profile } from '../gateway/profile.ts';
import { kindOf, mediaRefsOf, modelsFor, priceKindOf, quantityOf, type StudioRequest } from '../kinds/index.ts';
import { type Cost, costOf, priceFor } from '../money/price.ts';
import type { Job } from './job.ts';

/** A queued request with another model, and its cost. */
export interface ModelChoice extends Cost {
  model: string;
  request: StudioRequest;
}

type Waiting = Pick<Job, 'request' | 'money' | 'sentAt'>;

/**
 * The models of its gateway that can make the same request for less, cheapest first; models with no price set are left out. Empty for an
 * extension, which needs the model of its clip (spec 2.3), and for a request that cannot be edited.
 */
export function cheaperModels(
  { request, money, sentAt }: Waiting,
  { models, prices, limits }: Pick<Profile, 'models' | 'prices' | 'limits'>,
): ModelChoice[] {
  const kind = kindOf(request);
  const isBound = kind.makes === 'text' || mediaRefsOf(request).some(({ isNamed }) => isNamed);
  if (sentAt !== undefined || money.unpriced || isBound || !('model' in request)) return [];
  const quantity = quantityOf(request, limits.outputTokens);
  return modelsFor(kind, models)
    .flatMap(({ id: model }): ModelChoice[] => {
      const price = model === request.model ? undefined : priceFor(prices, priceKindOf(request), model);
      return price ? [{ model, request: { ...request, model }, ...costOf(price, quantity) }] : [];
    })
    .filter(({ nano }) => nano < money.estimateNano)
    .sort((one, other) => one.nano - other.nano);
}
