import { formatNano } from '../../../../shared/money.ts';
import { priceText } from '../../../ui/index.ts';
import { chargedOf, type ShotView } from '../model/view.ts';

/** What all takes of the film have cost so far; what is in doubt stands apart. */
export function FilmCost({ shots }: { shots: readonly ShotView[] }) {
  const takes = shots.flatMap((view) => view.takes);
  const { nano, lowNano, unpriced } = chargedOf(takes);
  const doubt = takes.reduce((sum, { job }) => sum + (job?.money.uncertainNano ?? 0), 0);
  return (
    <>
      {priceText(nano, lowNano, 'most', unpriced)}
      {doubt > 0 && `; ${formatNano(doubt)} more in doubt`}
    </>
  );
}
