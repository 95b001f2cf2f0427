import type { Shot } from '../../../../shared/board.ts';
import { usePrice } from '../../../spending/index.ts';
import { PriceWords } from '../../../ui/index.ts';
import { quantityOfShot } from '../model/draft.ts';

/** What a way costs, in its line. */
export function WayPrice({ shot }: { shot: Shot }) {
  const { price } = usePrice(quantityOfShot(shot));
  if (!price) return <span className="t3">–</span>;
  return <PriceWords nano={price.estimateNano} lowNano={price.lowNano} as="range" unpriced={price.unpriced} />;
}
