import { useEffect, useRef } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, cacheJobs, useAction } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, formatCount, priceText, Thumb } from '../../ui/index.ts';
import { STATE_WORDS } from '../../words/index.ts';
import { BilledField, leaveSettled, Traces } from './bill.tsx';
import styles from './doubts.module.css';
import { selectJob, useQueueView } from './state.ts';
import { useTitleOf } from './takeNames.tsx';

/** Below the unconfirmed jobs: costs that only a bill can settle, one line each until then. The total is shown once all are read. */
export function OpenCosts({ jobs, isWhole }: { jobs: readonly Job[]; isWhole: boolean }) {
  const selectedId = useQueueView((state) => state.selectedId);
  if (jobs.length === 0) return null;
  const stake = jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0);
  const unpriced = jobs.filter(({ money }) => money.unpriced).length;
  return (
    <section aria-label={t`Ended, cost still open`}>
      <div className={`grp ${styles.opens}`}>
        <h3>{t`Ended, cost still open`}</h3>
        {isWhole && <span className="t3">{formatCount(jobs.length)}</span>}
        <span className="grow" />
        {isWhole && <span className="price in-doubt">{priceText(stake, stake, 'range', unpriced)}</span>}
      </div>
      {jobs.map((job) => (
        <OpenCost key={job.id} job={job} isOpen={job.id === selectedId} />
      ))}
    </section>
  );
}

/** The open amount of one case. */
export function DoubtPrice({ job: { money } }: { job: Job }) {
  const words = priceText(money.uncertainNano, money.uncertainNano, 'range', money.unpriced);
  return <span className="price in-doubt">{words}</span>;
}

/** Why the cost is open, in a few words. */
export function whyOpen({ state, attempts, money, differs }: Job): string {
  if (state === 'canceled') return t`Canceled after it was sent`;
  const orders = attempts.filter(
    ({ outcome, again }) => !again && outcome !== 'unsent' && outcome !== 'refused',
  ).length;
  if (orders > 1) return t`Sent again: you may be billed twice`;
  const { statedNano = 0, chargedNano } = money;
  if (state === 'succeeded' && differs) return t`Partly made: the rest may be billed`;
  // A request without a known outcome is unconfirmed until the user marks it as lost.
  if (state === 'failed' && attempts.at(-1)?.outcome === 'unknown') return t`Marked as lost`;
  const word = STATE_WORDS[state];
  return statedNano > chargedNano
    ? t`${word}, the answer states ${formatNano(statedNano)}`
    : t`${word}, no cost stated`;
}

function OpenCost({ job, isOpen }: { job: Job; isOpen: boolean }) {
  const title = useTitleOf()(job);
  const id = `open-cost-${job.id}`;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) article.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <article ref={article} className="stack pad bottom-line" aria-label={t`Cost still open: ${title}`}>
      <button
        type="button"
        className="row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => selectJob(isOpen ? undefined : job.id)}
      >
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 whole">{whyOpen(job)}</span>
        </span>
        <DoubtPrice job={job} />
      </button>
      {isOpen && (
        <div id={id} className="col gap">
          <Traces job={job} />
          <Settle job={job} title={title} />
        </div>
      )}
    </article>
  );
}

function Settle({ job, title }: { job: Job; title: string }) {
  const { refusal, run, isBusy, refuse } = useAction();
  const ways = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refusal) ways.current?.scrollIntoView({ block: 'nearest' });
  }, [refusal]);
  const settle = async (billedNano: Nano) => {
    const answer = await run(call('jobs.settleDoubt', { id: job.id, billedNano }));
    if (!answer.ok) return;
    announce(`${title}: ${billedNano === 0 ? t`Not on the bill` : t`${formatNano(billedNano)} charged`}`);
    leaveSettled(job.id, ways.current?.closest('article'));
    cacheJobs([answer.data]);
  };
  return (
    <section ref={ways} className={`col gap ${styles.billed}`} aria-label={t`What the bill says`}>
      <Button busy={isBusy} onClick={() => void settle(0)}>
        {t`Not on the bill`}
      </Button>
      <BilledField
        label={t`Billed amount`}
        hint={expectedWords(job.money)}
        action={t`Confirm`}
        busy={isBusy}
        error={refusal}
        onFault={refuse}
        onBilled={(nano) => void settle(nano)}
      />
    </section>
  );
}

/** Asks for the part that is not charged yet, and names the charged part, so that nobody enters their sum. */
function expectedWords({ unpriced, uncertainNano, chargedNano }: Job['money']): string {
  if (unpriced) return t`No price set`;
  const most = formatNano(uncertainNano);
  return chargedNano > 0 ? t`At most ${most}, besides ${formatNano(chargedNano)} already charged` : t`At most ${most}`;
}
