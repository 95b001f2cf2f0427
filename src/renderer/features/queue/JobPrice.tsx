import { isTerminal, type Job } from '../../../shared/job.ts';
import { PlayMoney } from '../../spending/index.ts';
import { priceText } from '../../ui/index.ts';

/** What a job costs if it is sent, and in which money, as plain words inside a button. */
export function JobPrice({ job: { money, state, profileId } }: { job: Job }) {
  const unpriced = money.unpriced ? 1 : 0;
  if (isTerminal(state) && money.estimateNano === 0) return null;
  return (
    <>
      <span className="price t3">{priceText(money.estimateNano, money.estimateLowNano, 'range', unpriced)}</span>
      <PlayMoney profileId={profileId} />
    </>
  );
}
