import type { ReactNode } from 'react';
import type { MoneyTotals } from '../../shared/money/ledger.ts';
import { formatNano, type Nano } from '../../shared/money/money.ts';
import { formatCount, t } from '../../shared/text/texts.ts';
import { Glance } from './layers.tsx';

export interface PriceTagProps {
  /** The higher price: reserved and charged. */
  nano: Nano;
  /** The lower price; omitted or equal if the unit is known. */
  lowNano?: Nano | undefined;
  /** `range` before sending, `most` (≤) once charged at the higher price. */
  as?: 'range' | 'most';
  /** Shown instead of the two figures. */
  words?: string;
  /** How many items are left out since they have no price; or whether the only item has none. */
  unpriced?: number | boolean | undefined;
}

const NOT_KNOWN = t`no price set`;

/** The text of a price: `$0.05`, `up to $3.20`, `≤ $3.20`, `no price set`, `$1.20 and 2 without a price`. */
export function priceText(
  nano: Nano,
  lowNano: Nano = nano,
  as: 'range' | 'most' = 'range',
  unpriced: number | boolean | undefined = 0,
): string {
  if (unpriced)
    return nano === 0
      ? NOT_KNOWN
      : t`${priceText(nano, lowNano, as)} and ${formatCount(Number(unpriced))} without a price`;
  if (lowNano === nano) return formatNano(nano);
  return as === 'most' ? `≤ ${formatNano(nano)}` : t`up to ${formatNano(nano)}`;
}

/** An exact price is plain. With an unknown unit it has a dashed amber line; hover, focus and click show both prices. */
export function PriceTag({ nano, lowNano = nano, as = 'range', unpriced = 0, words }: PriceTagProps) {
  if (unpriced && nano === 0) return <span className="price unknown">{NOT_KNOWN}</span>;
  const text = words ?? priceText(nano, lowNano, as, unpriced);
  if (lowNano === nano) return <span className="price">{text}</span>;
  const trigger = (
    <button type="button" className="price un as-text" aria-label={t`${text}, show both prices`}>
      {text}
    </button>
  );
  return (
    <Glance trigger={trigger} title={t`Both prices`}>
      <div className="price-pop">
        <p className="b">{t`The gateway does not state the price unit.`}</p>
        <table className="mini">
          <tbody>
            <tr>
              <td>{t`Higher price, reserved and charged`}</td>
              <td className="r">{formatNano(nano)}</td>
            </tr>
            <tr>
              <td>{t`Lower price`}</td>
              <td className="r">{formatNano(lowNano)}</td>
            </tr>
          </tbody>
        </table>
        <p className="t3">
          <a href="#/spend">{t`Set the price in Spend`}</a>
        </p>
      </div>
    </Glance>
  );
}

/** A price inside a card or row that is itself a control: the figure alone, dashed if it is not settled. */
export function PriceWords(props: Pick<PriceTagProps, 'nano' | 'lowNano' | 'as' | 'unpriced'>) {
  const { nano, lowNano = nano, as = 'range', unpriced = 0 } = props;
  if (unpriced && nano === 0) return <span className="price unknown">{NOT_KNOWN}</span>;
  return <span className={lowNano === nano ? 'price' : 'price un'}>{priceText(nano, lowNano, as, unpriced)}</span>;
}

type Totals = Pick<MoneyTotals, 'settledNano' | 'reservedNano' | 'uncertainNano'> & {
  settledLowNano?: Nano;
  unpriced?: number;
};

const DASH = '–';

/** A part of a sum beside requests without a price: a dash if nothing of it is known, never `$0.00`. */
export function partText(nano: Nano, unpriced = 0, lowNano: Nano = nano): string {
  return nano === 0 && unpriced > 0 ? DASH : priceText(nano, lowNano, 'most');
}

const share = (part: Nano, whole: Nano): string => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

export interface MoneyBarProps {
  totals: Totals;
  /** The budget at the bar's full length; without one the parts fill it. */
  limitNano?: Nano | undefined;
  /** Height in pixels; default 8. */
  height?: number;
  width?: number;
}

/** The three textures in one bar: filled, outlined, hatched. */
export function MoneyBar({ totals, limitNano, height, width }: MoneyBarProps) {
  const { settledNano, reservedNano, uncertainNano, unpriced = 0 } = totals;
  const parts: [string, Nano][] = [
    [t`Charged`, settledNano],
    [t`Reserved`, reservedNano],
    [t`Unconfirmed`, uncertainNano],
  ];
  const whole = limitNano ?? settledNano + reservedNano + uncertainNano;
  const spoken = [
    ...parts.filter(([, nano]) => nano > 0 || unpriced === 0).map(([name, nano]) => `${name} ${formatNano(nano)}`),
    ...(unpriced > 0 ? [t`${formatCount(unpriced)} without a price`] : []),
    ...(limitNano === undefined ? [] : [t`limit ${formatNano(limitNano)}`]),
  ];
  return (
    <span className="mbar" role="img" aria-label={spoken.join(', ')} style={{ height, width }}>
      {settledNano > 0 && <i className="s" style={{ width: share(settledNano, whole) }} />}
      {reservedNano > 0 && <i className="r" style={{ width: share(reservedNano, whole) }} />}
      {uncertainNano > 0 && <i className="d" style={{ width: share(uncertainNano, whole) }} />}
    </span>
  );
}

/** The small square with the texture of a figure. */
export function MoneySwatch({ of }: { of: 'settled' | 'reserved' | 'doubt' | 'free' }) {
  const texture = { settled: 's', reserved: 'r', doubt: 'd', free: 'f' }[of];
  return <i className={`sw sq ${texture}`} aria-hidden="true" />;
}

/** The legend of the three textures, with their figures and further notes. */
export function MoneyLegend({ totals, children }: { totals: Totals; children: ReactNode }) {
  const { unpriced = 0 } = totals;
  const figures = [
    ['settled', t`Charged`, totals.settledNano, totals.settledLowNano],
    ['reserved', t`Reserved`, totals.reservedNano, undefined],
    ['doubt', t`Unconfirmed`, totals.uncertainNano, undefined],
  ] as const;
  return (
    <div className="row legend">
      {figures.map(([of, name, nano, lowNano]) => (
        <span key={of}>
          <MoneySwatch of={of} />
          {name} <b>{partText(nano, unpriced, lowNano)}</b>
        </span>
      ))}
      {unpriced > 0 && <span className="t3">{t`${formatCount(unpriced)} without a price`}</span>}
      {children}
    </div>
  );
}
