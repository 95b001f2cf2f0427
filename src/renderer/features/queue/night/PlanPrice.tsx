import { X } from 'lucide-react';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { MoneyPlate } from '../../../app/index.ts';
import { leaveOutNightOrder, type NightOrder, useNightOrder, useSideOf } from '../../../spending/index.ts';
import { formatClock, Icon, IconButton, PriceTag, plural } from '../../../ui/index.ts';
import type { Trial } from './trial.ts';

/** Jobs to be added when the run is scheduled, at the price they were shown with, and who pays. */
export function Ordered() {
  const order = useNightOrder((state) => state.order);
  if (!order) return null;
  const { what, shown } = order;
  return (
    <>
      <div className="row between">
        <span className="cut">{what}</span>
        <span className="row">
          {shown && <PriceTag nano={shown.estimateNano} lowNano={shown.lowNano} unpriced={shown.unpriced} />}
          <IconButton label={t`Leave out: ${what}`} onClick={leaveOutNightOrder}>
            <Icon of={X} />
          </IconButton>
        </span>
      </div>
      <OrderPayer order={order} />
    </>
  );
}

/** Who pays for the added jobs. */
function OrderPayer({ order }: { order: NightOrder }) {
  const { name, play } = useSideOf(order);
  return (
    <div className="row">
      <MoneyPlate play={play} />
      {name !== undefined && <span className="t3 cut">{name}</span>}
    </div>
  );
}

/** What this plan would send, for how much, and what it would leave out; never the figures of another plan. */
export function PlanPrice({ trial: { dry, off } }: { trial: Trial }) {
  if (!dry || off !== undefined)
    return (
      <div className="row between">
        <span className="t2">{t`To be sent`}</span>
        <span className="t3">–</span>
      </div>
    );
  const { added, capLeftNano, unfitCount } = dry;
  const unfit = unfitCount + (added?.unfitCount ?? 0);
  return (
    <>
      <div className="row between">
        <span className="t2">
          {[
            plural(dry.fitCount + (added?.fitCount ?? 0), 'job'),
            dry.endsAbout !== undefined && t`Ends about ${formatClock(dry.endsAbout)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="nw">
          <span className="t3">{t`Reserved`}</span>{' '}
          <PriceTag nano={dry.totalNano} lowNano={dry.totalLowNano} unpriced={dry.unpriced} />
        </span>
      </div>
      {unfit > 0 && <p className="whole">{t`No room for ${counted(unfit, 'job')} in this run.`}</p>}
      <p className="t3">
        {capLeftNano < 0 ? t`${formatNano(-capLeftNano)} over budget` : t`${formatNano(capLeftNano)} under budget`}
      </p>
    </>
  );
}
