import type { ReactNode } from 'react';
import type { PriceKind } from '../../shared/kinds/pricings.ts';
import type { ShownPrice } from '../../shared/ledger.ts';
import { formatNano } from '../../shared/money.ts';
import { t } from '../../shared/texts.ts';
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
      <div className="row">
        <MoneyPlate {...money} />
        {price ? (
          <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />
        ) : (
          <span className="t3">{none}</span>
        )}
        <LeftToday price={price} {...money} />
      </div>
      <AboveBudget price={price} {...money} />
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
  const none = hasFailed ? t`no price` : '–';
  return (
    <>
      <PriceLine what={what} price={price} none={none} profileId={profileId} />
      {price && price.unpriced > 0 && <NoPrice kind={kind} profileId={profileId} />}
    </>
  );
}

type PriceOfSide = Pick<PriceLineProps, 'price'> & MoneyPlateProps;

/** The hard daily budget that counts for a price; none for the other side’s money. */
function useDailyBudget({ price, profileId, play }: PriceOfSide) {
  const active = useIsPlay();
  const ofProfile = useIsPlay(profileId);
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  return price && day?.hardNano !== undefined && (play ?? ofProfile) === active
    ? { day, hardNano: day.hardNano, nano: price.estimateNano }
    : undefined;
}

/** What is left of today’s budget, or by how much a price goes over it. */
export function LeftToday(of: PriceOfSide) {
  const budget = useDailyBudget(of);
  if (!budget) return null;
  const left = leftUnder(budget.hardNano, budget.day.used);
  const after = left - budget.nano;
  return (
    <span className="t3 cut left-today">{after < 0 ? t`${leftWords(after)} today’s budget` : leftWords(left)}</span>
  );
}

/** No new day makes room for it. */
export function AboveBudget(of: PriceOfSide) {
  const budget = useDailyBudget(of);
  if (!budget || !neverFits(budget.nano, budget.day)) return null;
  return (
    <a className="lnk" href={hashOf('spend', { budget: 'day' })}>
      {t`Above the daily budget of ${formatNano(budget.hardNano)}. Change budget`}
    </a>
  );
}
