import { formatNano } from '../../../../shared/money.ts';
import { isPlayMoney } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { PlayMoney } from '../../../spending/index.ts';
import { priceText } from '../../../ui/index.ts';
import { chargedOf, type ShotView } from '../model/view.ts';

/** What all takes of the film have cost so far; what is in doubt stands apart. */
export function FilmCost({ shots }: { shots: readonly ShotView[] }) {
  const takes = shots.flatMap((view) => view.takes);
  const { nano, lowNano, unpriced } = chargedOf(takes);
  const doubt = takes.reduce((sum, { job }) => sum + (job?.money.uncertainNano ?? 0), 0);
  const profiles = takes.flatMap(({ job }) => job?.profileId ?? []);
  // One real take is enough for the figure to be real money: play money is not in it then.
  const payer = profiles.find((id) => !isPlayMoney(id)) ?? profiles[0];
  return (
    <>
      {priceText(nano, lowNano, 'most', unpriced)}
      {payer !== undefined && nano > 0 && <PlayMoney profileId={payer} />}
      {doubt > 0 && t`; ${formatNano(doubt)} more in doubt`}
    </>
  );
}
