import { fail, type Result } from '../../../shared/contract/result.ts';
import type { Estimate, ShownPrice } from '../../../shared/money/ledger.ts';
import { formatNanoRange, MAX_NANO, sumNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';

/** The price of one request, as it is shown beside the button that sends it. */
export const shownPriceOf = ({
  nano,
  lowNano,
  unpriced,
}: Pick<Estimate, 'nano' | 'lowNano' | 'unpriced'>): ShownPrice => ({
  estimateNano: nano,
  lowNano,
  unpriced: unpriced ? 1 : 0,
});

/** The error if the present price of the requests is not the one that was shown to the user. */
export function priceChanged(shown: ShownPrice | undefined, ...prices: ShownPrice[]): Result<never> | undefined {
  if (!shown) return undefined;
  const sum = (key: keyof ShownPrice) => sumNano(prices.map((price) => price[key])) ?? MAX_NANO;
  const now = { estimateNano: sum('estimateNano'), lowNano: sum('lowNano'), unpriced: sum('unpriced') };
  if (sumKeys.every((key) => shown[key] === now[key])) return undefined;
  const message = t`The price is ${priceText(now)} by now; ${priceText(shown)} was shown.`;
  return fail('conflict', message, { field: 'shown', ...now });
}

const sumKeys = ['estimateNano', 'lowNano', 'unpriced'] as const;

const priceText = ({ estimateNano, lowNano, unpriced }: ShownPrice): string =>
  unpriced > 0 ? 'not known' : formatNanoRange(lowNano, estimateNano);
