import { TrendingUp } from 'lucide-react';
import { useState } from 'react';
import type { Job } from '../../../../shared/job.ts';
import { formatNano } from '../../../../shared/money.ts';
import { isPlayMoney } from '../../../../shared/profile.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { useCall } from '../../../app/index.ts';
import { ConfirmPriceDialog, risenPrice } from '../../../spending/index.ts';
import { Button, Icon, priceText } from '../../../ui/index.ts';
import styles from './prices.module.css';

/** As many are confirmed at once; where more wait, the next ones are offered then. */
const MOST = 500;
const BLOCKED = { states: ['blocked' as const], order: 'queue' as const, limit: MOST };
/** Thousands of changes of other jobs are one question. */
const REST_MS = 300;

/** Jobs that wait since their price rose: what was confirmed, what they may cost now, and the way on. Nothing where there are none. */
export function RisenPrices() {
  const { data } = useCall('jobs.list', BLOCKED, { on: ['job.changed'], debounceMs: REST_MS });
  const risen = data?.jobs.filter(({ reason }) => reason === 'priceRose') ?? [];
  if (risen.length === 0) return null;
  const sides = [false, true].map((play) => risen.filter(({ profileId }) => isPlayMoney(profileId) === play));
  return (
    <section aria-label={t`Prices that rose`}>
      {sides.map((jobs) => jobs[0] && <RisenSide key={jobs[0].profileId} jobs={jobs} />)}
    </section>
  );
}

function RisenSide({ jobs }: { jobs: readonly Job[] }) {
  const [offered, setOffered] = useState(false);
  const { confirmedNano, now } = risenPrice(jobs);
  const was = formatNano(confirmedNano);
  const is = priceText(now.estimateNano, now.lowNano, 'range', now.unpriced);
  return (
    <div className={`row ${styles.risen}`}>
      <Icon of={TrendingUp} />
      <span className="grow">{t`${counted(jobs.length, 'job')} confirmed at ${was}. Price now: ${is}. Nothing is sent before you confirm it.`}</span>
      <Button onClick={() => setOffered(true)}>{t`Confirm price…`}</Button>
      {offered && <ConfirmPriceDialog jobs={jobs} onClose={() => setOffered(false)} />}
    </div>
  );
}
