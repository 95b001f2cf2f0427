import type { Nano } from '../../../shared/money.ts';
import { priceText } from '../../ui/index.ts';

/** A price inside a card or a row, which is one control as a whole: the figure alone, dashed where it is not settled. */
export function PriceWords({ nano, lowNano, as }: { nano: Nano; lowNano: Nano; as: 'range' | 'most' }) {
  return <span className={lowNano === nano ? 'price' : 'price un'}>{priceText(nano, lowNano, as)}</span>;
}
