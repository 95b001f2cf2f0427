import type { PricedQuantity } from '../../shared/kinds/pricedQuantity.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { useActiveProfile, useCall } from '../app/index.ts';
import type { CallInput, CallOutput } from '../client/index.ts';

export interface PriceNow {
  /** The price of this request by the current price book; never that of an earlier request. */
  price: CallOutput<'ledger.estimate'> | undefined;
  /** Sent with the request, so that the studio refuses it if the price book has changed meanwhile. */
  shown: ShownPrice | undefined;
  /** Why nothing may be sent yet: the price is being read, or reading failed. "No price set" is a valid answer. */
  off: string | undefined;
  hasFailed: boolean;
}

/**
 * The price of a request, or of several sent together, and whether it may be sent: at the active profile's price book. The profile is part
 * of the query, so that switching profiles asks again. Prompts and pictures are not part of it, so typing asks for no new price.
 */
export function usePrice(request: PricedQuantity | PricedQuantity[] | undefined): PriceNow {
  const profileId = useActiveProfile()?.id;
  const quantities = request === undefined ? [] : [request].flat();
  return useEstimate(quantities.length > 0 ? { quantities, ...(profileId === undefined ? {} : { profileId }) } : null);
}

/** The price of a request at a certain profile's price book. */
export const usePriceAt = (quantity: PricedQuantity | undefined, profileId: string): PriceNow =>
  useEstimate(quantity ? { quantities: [quantity], profileId } : null);

/** The current price of the request of an ended or unconfirmed job, by the price book of its own profile. */
export const usePriceAgain = (jobId: string): PriceNow => useEstimate({ jobId });

function useEstimate(ask: CallInput<'ledger.estimate'> | null): PriceNow {
  const { data, error, stale, outdated } = useCall('ledger.estimate', ask, { on: ['profiles.changed'] });
  const nothing = { price: undefined, shown: undefined };
  if (ask === null) return { ...nothing, off: t`No price yet`, hasFailed: false };
  if (!stale && error) return { ...nothing, off: error.message, hasFailed: true };
  if (stale || outdated || !data) return { ...nothing, off: BEING_READ, hasFailed: false };
  return { price: data, shown: shownOf(data), off: undefined, hasFailed: false };
}

export const BEING_READ = t`The price is being read.`;

export const shownOf = ({ estimateNano, lowNano, unpriced }: ShownPrice): ShownPrice => ({
  estimateNano,
  lowNano,
  unpriced,
});
