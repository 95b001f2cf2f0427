import type { StudioRequest } from '../../shared/request.ts';
import { useActiveProfile, useCall } from '../app/index.ts';
import type { CallOutput } from '../client/index.ts';

export interface PriceNow {
  /** What this very request costs; never the answer to an earlier one. */
  price: CallOutput<'ledger.estimate'> | undefined;
  /** Why nothing may be sent yet: the price is being read, or could not be. An answer that the price is not known is an answer. */
  off: string | undefined;
  hasFailed: boolean;
}

/**
 * The price of a request, and whether an order may be sent beside it. `profileId`: at whose price book; without it, at the active
 * profile's, which is asked for by name so that a switch of profiles is another question.
 */
export function usePrice(request: StudioRequest | undefined, profileId?: string): PriceNow {
  const active = useActiveProfile()?.id;
  const payer = profileId ?? active;
  const ask = request ? { requests: [request], ...(payer === undefined ? {} : { profileId: payer }) } : null;
  const { data, error, stale } = useCall('ledger.estimate', ask, { on: ['profiles.changed'] });
  if (ask === null) return { price: undefined, off: 'There is no price for it yet.', hasFailed: false };
  if (!stale && error) return { price: undefined, off: error.message, hasFailed: true };
  if (stale || !data) return { price: undefined, off: 'The price is being read.', hasFailed: false };
  return { price: data, off: undefined, hasFailed: false };
}
