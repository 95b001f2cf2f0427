import { formatNano } from '../../../../shared/money.ts';
import { oneSide } from '../../../../shared/oneSide.ts';
import { isPlayMoney } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { MoneyPlate } from '../../../app/index.ts';
import { priceText } from '../../../ui/index.ts';
import { chargedOf, type ShotView } from '../model/view.ts';

/** What all takes of the film have cost so far; what is in doubt stands apart. */
export function FilmCost({ shots }: { shots: readonly ShotView[] }) {
  const takes = shots.flatMap((view) => view.takes);
  const { nano, lowNano, unpriced } = chargedOf(takes);
  // One real take is enough for the figures to be real money: test money is not in them then.
  const jobs = oneSide(takes.flatMap(({ job }) => job ?? []));
  const doubt = jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0);
  const payer = jobs[0]?.profileId;
  return (
    <>
      {priceText(nano, lowNano, 'most', unpriced)}
      {payer !== undefined && isPlayMoney(payer) && nano + doubt > 0 && (
        <>
          {' '}
          <MoneyPlate profileId={payer} />
        </>
      )}
      {doubt > 0 && t`; ${formatNano(doubt)} more unconfirmed`}
    </>
  );
}
