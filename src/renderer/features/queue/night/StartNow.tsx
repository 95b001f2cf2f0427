import { formatNano } from '../../../../shared/money.ts';
import type { AddedFit, AddedUnfit, DryRun, NightPlan, NightStatus } from '../../../../shared/night.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { SpendDialog, useNightOrder, useOrderOff } from '../../../spending/index.ts';
import { formatClock, formatStamp } from '../../../ui/index.ts';
import { armNight } from './armNight.ts';
import { useFirst } from './longList.tsx';
import styles from './night.module.css';
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
      title={t`Start overnight run ${number} now?`}
      label={isOrdered ? t`Start run ${number} and order` : t`Start run ${number}`}
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
      {trial.dry
        ? t`Starts now and ends by ${formatStamp(trial.dry.endsAt)}, within the budget and rules of the plan.`
        : t`Starts now, within the budget and rules of the plan.`}
      {trial.dry?.added && <AddedList added={trial.dry.added} />}
    </SpendDialog>
  );
}

/** The jobs that came along, where the lists of the night are behind a dialog: which fit and when, and why the others do not. */
const AddedList = ({ added: { fits, fitCount, unfit, unfitCount } }: { added: NonNullable<DryRun['added']> }) => (
  <section className={styles.added} aria-label={t`Jobs to add`}>
    {fitCount > 0 && <Part title={t`${counted(fitCount, 'job')} ${inflected(fitCount, 'fits', 'fit')}`} jobs={fits} />}
    {unfitCount > 0 && (
      <Part title={t`${counted(unfitCount, 'job')} ${inflected(unfitCount, 'does', 'do')} not fit`} jobs={unfit} />
    )}
  </section>
);

function Part({ title, jobs }: { title: string; jobs: readonly (AddedFit | AddedUnfit)[] }) {
  const { shown, more } = useFirst(jobs);
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {shown.map((job, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a job that is not queued has no other identity than its place.
          <li key={index}>
            <div className="row between">
              <span className="cut">{job.title}</span>
              <span className="t3 nw">
                {'reason' in job ? formatNano(job.nano) : t`at ${formatClock(job.startsAt)}`}
              </span>
            </div>
            {'reason' in job && <div className="t3 whole">{job.message}</div>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
