import type { ReactNode } from 'react';
import type { PriceKind } from '../../shared/kinds/pricings.ts';
import { t } from '../../shared/text/texts.ts';
import { hashOf } from '../app/index.ts';

interface NoPriceProps {
  kind: PriceKind;
  /** Without it, every model of that kind. */
  model?: string | undefined;
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

/** What the Spend page is asked for, to open the form in which the price of such a thing is set. */
export const priceParams = ({ kind, model, profileId }: NoPriceProps): Record<string, string> => ({
  price: kind,
  ...(model ? { model } : {}),
  ...(profileId ? { profile: profileId } : {}),
});

interface SetPriceProps extends NoPriceProps {
  className?: string;
  /** In other words than usual. */
  children?: ReactNode;
}

/** Leads to where the price of such a thing is set. */
export function SetPrice({ className = '', children = t`Set price`, ...whose }: SetPriceProps) {
  return (
    <a className={`lnk ${className}`.trim()} href={hashOf('spend', priceParams(whose))}>
      {children}
    </a>
  );
}

/** Below an unknown price: what follows from it, and the way to a known one. */
export function NoPrice(props: NoPriceProps) {
  return (
    <div className="row between t3">
      <span className="cut" title={t`Waits for a price, because a limit is set`}>
        {t`Not part of your totals`}
      </span>
      <SetPrice {...props} />
    </div>
  );
}
