import type { NightPlan, NightStatus } from '../../../../shared/night.ts';
import { t } from '../../../../shared/texts.ts';
import { SpendDialog, useNightOrder, useOrderOff } from '../../../spending/index.ts';
import { formatStamp, rich } from '../../../ui/index.ts';
import { AddedList } from './AddedList.tsx';
import { armNight } from './armNight.ts';
import { Ordered, PlanPrice } from './PlanPrice.tsx';
import { useTrial } from './trial.ts';

interface StartNowProps {
  status: NightStatus;
  plan: NightPlan;
  number: number;
  onClose: () => void;
}

/** The plan as it stands there, from now on: it sends at once, so what that costs stands at the button. Its own hour stays that of its days. */
export function StartNow({ status, plan, number, onClose }: StartNowProps) {
  const now = { ...plan, startsNow: true };
  const trial = useTrial({ plan: now });
  const isOrdered = useNightOrder(({ order }) => order !== undefined);
  const orderOff = useOrderOff();
  const start = async () => {
    // The price is that of the hours that are shown: past the hour of their end they would be those of the next day.
    const refusal = await armNight(status, { ...now, endsAt: trial.dry?.endsAt });
    if (refusal) trial.reload();
    return refusal;
  };
  return (
    <SpendDialog
      title={t`Start night ${number} now?`}
      label={t`Start night ${number}${isOrdered ? t` and order` : ''}`}
      off={orderOff ?? trial.off}
      price={
        <>
          <Ordered />
          <PlanPrice trial={trial} />
        </>
      }
      onSend={start}
      onClose={onClose}
    >
      {rich`It opens at once${trial.dry && t` and ends by ${formatStamp(trial.dry.endsAt)}`}, under the cap and the rules of the plan.`}
      {trial.dry?.added && <AddedList added={trial.dry.added} />}
    </SpendDialog>
  );
}
