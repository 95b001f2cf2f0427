import type { ReactNode } from 'react';
import type { PriceKind } from '../../shared/kinds/pricings.ts';
import { t } from '../../shared/text/texts.ts';
import { hashOf } from '../app/index.ts';

interface NoPriceProps {
  kind: PriceKind;
  /** By default every model of that kind. */
  model?: string | undefined;
  /** The profile whose price it is; by default the active one. */
  profileId?: string | undefined;
}

/** Route parameters of the Spend page that open the form for this price. */
export const priceParams = ({ kind, model, profileId }: NoPriceProps): Record<string, string> => ({
  price: kind,
  ...(model ? { model } : {}),
  ...(profileId ? { profile: profileId } : {}),
});

interface SetPriceProps extends NoPriceProps {
  className?: string;
  /** Other text than "Set price". */
  children?: ReactNode;
}

/** Links to the form for the price. */
export function SetPrice({ className = '', children = t`Set price`, ...whose }: SetPriceProps) {
  return (
    <a className={`lnk ${className}`.trim()} href={hashOf('spend', priceParams(whose))}>
      {children}
    </a>
  );
}

/** Shown below an unknown price: what follows from it, and a link to set one. */
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
