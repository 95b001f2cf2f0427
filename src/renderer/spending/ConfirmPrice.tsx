import type { Job } from '../../shared/jobs/job.ts';
import { formatNano, MAX_NANO, sumNano } from '../../shared/money/money.ts';
import { counted, t } from '../../shared/text/texts.ts';
import { announce, cacheJobs } from '../app/index.ts';
import { plural } from '../ui/index.ts';
import { PriceLine } from './PriceLine.tsx';
import { SpendDialog } from './SpendDialog.tsx';
import { sendOnce } from './useSpend.ts';

const sumOf = (jobs: readonly Job[], amount: (job: Job) => number): number => sumNano(jobs.map(amount)) ?? MAX_NANO;

/** The possible current cost of jobs whose price rose, and the amount confirmed for them. */
export const risenPrice = (jobs: readonly Job[]) => ({
  confirmedNano: sumOf(jobs, ({ money }) => money.confirmedNano ?? 0),
  now: {
    estimateNano: sumOf(jobs, ({ money }) => money.estimateNano),
    lowNano: sumOf(jobs, ({ money }) => money.estimateLowNano),
    unpriced: jobs.filter(({ money }) => money.unpriced).length,
  },
});

interface ConfirmPriceProps {
  /** At least one, and all with the same kind of money. */
  jobs: readonly Job[];
  onClose: () => void;
}

/** The confirmed price beside the current one, before the waiting jobs are released. */
export function ConfirmPriceDialog({ jobs, onClose }: ConfirmPriceProps) {
  const { confirmedNano, now } = risenPrice(jobs);
  const confirm = async () => {
    const answer = await sendOnce('jobs.confirmPrice', { ids: jobs.map(({ id }) => id), shown: now });
    if (!answer.ok) return answer.error;
    cacheJobs(answer.data.jobs);
    announce(t`Price confirmed for ${counted(answer.data.jobs.length, 'job')}`);
    return undefined;
  };
  const price = (
    <>
      <div className="row between">
        <span className="t2">{t`Confirmed before`}</span>
        <span className="price">{formatNano(confirmedNano)}</span>
      </div>
      <PriceLine what={t`Price now`} price={now} profileId={jobs[0]?.profileId} />
    </>
  );
  return (
    <SpendDialog
      title={t`Confirm the new price`}
      label={t`Confirm ${plural(jobs.length, 'job')}`}
      price={price}
      off={undefined}
      onSend={confirm}
      onClose={onClose}
    >
      {t`The price rose after you confirmed it. Confirm the new price here to send.`}
    </SpendDialog>
  );
}
