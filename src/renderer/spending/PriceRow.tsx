import type { PriceKind } from '../../shared/kinds/pricings.ts';
import { t } from '../../shared/texts.ts';
import { PriceTag } from '../ui/index.ts';
import { AfterPrice } from './AfterPrice.tsx';
import { NoPrice } from './NoPrice.tsx';
import type { PriceNow } from './usePrice.ts';

interface PriceRowProps {
  what: string;
  now: PriceNow;
  kind: PriceKind;
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

/** What is ordered, what it costs, and below that in which money and what it leaves. The specification lists no price for a picture (spec 8): without one of the user's own it is not known. */
export function PriceRow({ what, now, kind, profileId }: PriceRowProps) {
  const { price, hasFailed } = now;
  return (
    <>
      <div className="row between">
        <span className="t2 cut">{what}</span>
        {price ? (
          <PriceTag
            nano={price.estimateNano}
            lowNano={price.lowNano}
            unpriced={price.unpriced}
            why={price.items[0]?.source}
          />
        ) : (
          <span className="t3">{hasFailed ? t`no price` : '–'}</span>
        )}
      </div>
      {price && price.unpriced > 0 && <NoPrice kind={kind} profileId={profileId} />}
      <AfterPrice now={now} profileId={profileId} />
    </>
  );
}
