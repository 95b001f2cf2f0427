import { X } from 'lucide-react';
import { formatNano } from '../../../../shared/money.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { leaveOutNightOrder, OrderPayer, useNightOrder } from '../../../spending/index.ts';
import { formatClock, Icon, IconButton, PriceTag, plural } from '../../../ui/index.ts';
import type { OrderFit } from './orderFit.ts';
import type { Trial } from './trial.ts';

/** What came along to be ordered once the night is armed, at the price it was ordered at, and whose money that is. */
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

/** How many of the jobs that came along the cap leaves out. */
export function OrderUnfit({ order }: { order: OrderFit | 'reading' | undefined }) {
  const count = order === undefined || order === 'reading' ? 0 : order.unfit.length;
  if (count === 0) return null;
  return (
    <p className="whole">{t`${counted(count, 'job')} ${inflected(count, 'does', 'do')} not fit under the cap and will wait in the queue.`}</p>
  );
}

/** What a plan would send, for how much; never that of another plan. */
export function PlanPrice({ trial: { dry, off }, order }: { trial: Trial; order?: OrderFit | 'reading' | undefined }) {
  if (!dry || off !== undefined || order === 'reading')
    return (
      <div className="row between">
        <span className="t2">{t`What would be sent`}</span>
        <span className="t3">–</span>
      </div>
    );
  const { fits = [], nano = 0, lowNano = 0 } = order ?? {};
  const leftNano = dry.capLeftNano - (dry.capReading === 'low' ? lowNano : nano);
  return (
    <>
      <div className="row between">
        <span className="t2">
          {plural(dry.fitCount + fits.length, 'job')}
          {order === undefined && dry.endsAbout !== undefined && t`, end about ${formatClock(dry.endsAbout)}`}
        </span>
        <PriceTag nano={dry.totalNano + nano} lowNano={dry.totalLowNano + lowNano} unpriced={dry.unpriced} />
      </div>
      <OrderUnfit order={order} />
      <div className="row between t3">
        <span className="cut">{t`Reserved while they wait`}</span>
        <span className="nw">{t`${formatNano(Math.abs(leftNano))} ${leftNano < 0 ? t`over` : t`under`} the cap`}</span>
      </div>
    </>
  );
}
