import type { ReactNode } from 'react';
import type { PriceKind } from '../../shared/kinds/pricings.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { formatNano } from '../../shared/money/money.ts';
import { t } from '../../shared/text/texts.ts';
import { hashOf, MoneyPlate, type MoneyPlateProps, useIsPlay, useStudio } from '../app/index.ts';
import { PriceTag } from '../ui/index.ts';
import { leftUnder, leftWords, neverFits } from '../words/index.ts';
import { NoPrice } from './NoPrice.tsx';
import type { PriceNow } from './usePrice.ts';

interface PriceLineProps extends MoneyPlateProps {
  /** What the price is for. */
  what?: ReactNode;
  price: ShownPrice | undefined;
  /** Text to show without a price. */
  none?: string;
}

/** The price at a send button: what it is for, and below it the kind of money, the amount and today's remaining budget. */
export function PriceLine({ what, price, none = '–', ...money }: PriceLineProps) {
  return (
    <>
      {what && <div className="t2 cut">{what}</div>}
      <div className="row wrap">
        <MoneyPlate {...money} />
        {price ? (
          <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />
        ) : (
          <span className="t3">{none}</span>
        )}
        <LeftToday price={price} {...money} />
      </div>
    </>
  );
}

interface PriceRowProps {
  what: ReactNode;
  now: PriceNow;
  kind: PriceKind;
  /** The profile whose price it is; by default the active one. */
  profileId?: string | undefined;
}

/** The price of a request being written, with a link to set an unknown one. */
export function PriceRow({ what, now: { price, hasFailed }, kind, profileId }: PriceRowProps) {
  const none = hasFailed ? t`No price` : '–';
  return (
    <>
      <PriceLine what={what} price={price} none={none} profileId={profileId} />
      {price && price.unpriced > 0 && <NoPrice kind={kind} profileId={profileId} />}
    </>
  );
}

/**
 * The rest of today’s budget, or how far a price exceeds it; for a price above the whole budget, a link to change it. Hidden for the other
 * side’s money.
 */
export function LeftToday({ price, profileId, play }: Pick<PriceLineProps, 'price'> & MoneyPlateProps) {
  const active = useIsPlay();
  const ofProfile = useIsPlay(profileId);
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  if (!price || day?.hardNano === undefined || (play ?? ofProfile) !== active) return null;
  if (neverFits(price.estimateNano, day))
    return (
      <a className="lnk left-today" href={hashOf('spend', { budget: 'day' })}>
        {t`Above the daily budget of ${formatNano(day.hardNano)}. Change budget`}
      </a>
    );
  const left = leftUnder(day.hardNano, day.used);
  const after = left - price.estimateNano;
  return <span className="t3 left-today">{after < 0 ? t`${leftWords(after)} today’s budget` : leftWords(left)}</span>;
}
