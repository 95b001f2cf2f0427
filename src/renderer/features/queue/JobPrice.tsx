import { isTerminal, type Job } from '../../../shared/job.ts';
import { priceText } from '../../ui/index.ts';

/** What a job costs if it is sent, as plain words inside a button. */
export function JobPrice({ job: { money, state } }: { job: Job }) {
  const unpriced = money.unpriced ? 1 : 0;
  if (isTerminal(state) && money.estimateNano === 0) return null;
  return <span className="price t3">{priceText(money.estimateNano, money.estimateLowNano, 'range', unpriced)}</span>;
}
