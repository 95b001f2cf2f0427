import type { Job } from '../../../../shared/job.ts';
import { PriceWords } from '../../../ui/index.ts';

/** What was charged for a result that is judged. */
export function JobCost({ job: { money } }: { job: Job }) {
  const { chargedNano, chargedLowNano, unpriced } = money;
  return <PriceWords nano={chargedNano} lowNano={chargedLowNano} as="most" unpriced={unpriced ? 1 : 0} />;
}
