import type { PricedQuantity } from '../../shared/kinds/pricedQuantity.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { useActiveProfile, useCall } from '../app/index.ts';
import type { CallInput, CallOutput } from '../client/index.ts';

export interface PriceNow {
  /** The price of this request by the present price book; never the answer for an earlier request. */
  price: CallOutput<'ledger.estimate'> | undefined;
  /** Sent with the request, so that the studio refuses it if the price book has changed meanwhile. */
  shown: ShownPrice | undefined;
  /** Why nothing may be sent yet: the price is being read, or could not be. An answer that the price is not known is an answer. */
  off: string | undefined;
  hasFailed: boolean;
}

/**
 * The price of a request, or of several that are sent together, and whether it may be sent beside it: at the active profile's price book, which is asked for by name so that a
 * switch of profiles is another question. Words and pictures are no part of the question: typing asks for no new price.
 */
export function usePrice(request: PricedQuantity | PricedQuantity[] | undefined): PriceNow {
  const profileId = useActiveProfile()?.id;
  const quantities = request === undefined ? [] : [request].flat();
  return useEstimate(quantities.length > 0 ? { quantities, ...(profileId === undefined ? {} : { profileId }) } : null);
}

/** The price of a request at a profile's price book, whichever is active. */
export const usePriceAt = (quantity: PricedQuantity | undefined, profileId: string): PriceNow =>
  useEstimate(quantity ? { quantities: [quantity], profileId } : null);

/** The present price of the request of a job that has ended, or is in doubt, by the price book of its own profile. */
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
