import { useRef } from 'react';
import { isTerminal, type Job } from '../../../shared/job.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import { t } from '../../../shared/texts.ts';
import { announce, cacheJobs, useAction, useJob } from '../../app/index.ts';
import { sendOnce } from '../../spending/index.ts';
import { Thumb } from '../../ui/index.ts';
import { BilledField, leaveSettled, Traces } from './bill.tsx';
import styles from './doubts.module.css';
import { useQueueView } from './state.ts';
import { useTitleOf } from './takeNames.tsx';

const LABEL = t`On the bill a second time for`;

/** The chosen job, where it ended after it was asked for again: a bill that names it twice says that its gateway ignored the key. */
export function AskedAgain() {
  const job = useJob(useQueueView((state) => state.selectedId));
  if (!job || !isTerminal(job.state) || job.money.uncertainNano > 0 || job.money.unpriced) return null;
  return job.attempts.some(({ again }) => again) ? <BilledTwice key={job.id} job={job} /> : null;
}

function BilledTwice({ job }: { job: Job }) {
  const title = useTitleOf()(job);
  const { refusal, run, isBusy, refuse } = useAction();
  const own = useRef<HTMLElement>(null);
  const add = async (billedNano: Nano) => {
    if (billedNano === 0) return refuse(t`${LABEL}: must be more than 0.`);
    const answer = await run(sendOnce('jobs.billedTwice', { id: job.id, billedNano }));
    if (!answer.ok) return;
    announce(t`${title}: ${formatNano(billedNano)} more charged, as the bill says`);
    leaveSettled(job.id, own.current);
    cacheJobs([answer.data]);
  };
  return (
    <article ref={own} className={`${styles.dbox} ${styles.ocost}`} aria-label={t`Asked for again: ${title}`}>
      <div className={`row ${styles.dhead}`}>
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 whole">
            {t`Asked for again under its key, ${formatNano(job.money.chargedNano)} charged once`}
          </span>
        </span>
      </div>
      <div className={`col ${styles.ocostBody} ${styles.billed}`}>
        <Traces job={job} />
        <BilledField
          label={LABEL}
          hint={t`both are then its cost, and this gateway is asked again no more`}
          action={t`Charge it too`}
          error={refusal}
          busy={isBusy}
          onFault={refuse}
          onBilled={(nano) => void add(nano)}
        />
      </div>
    </article>
  );
}
