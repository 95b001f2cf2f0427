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
  /** What is paid for. */
  what?: ReactNode;
  price: ShownPrice | undefined;
  /** Instead of a price that is not there. */
  none?: string;
}

/** The price at a button that sends: what is paid for, and below it which money, how much and what is left today. */
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
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

/** The price of a request that is being written, and the way to set one that is not known. */
export function PriceRow({ what, now: { price, hasFailed }, kind, profileId }: PriceRowProps) {
  const none = hasFailed ? t`No price` : '–';
  return (
    <>
      <PriceLine what={what} price={price} none={none} profileId={profileId} />
      {price && price.unpriced > 0 && <NoPrice kind={kind} profileId={profileId} />}
    </>
  );
}

/** What is left of today’s budget, or by how much a price goes over it; for a price above all of it, the way to change it. Nothing for the other side’s money. */
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
