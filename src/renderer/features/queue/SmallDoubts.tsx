import { isTerminal, type Job } from '../../../shared/job.ts';
import { formatNano } from '../../../shared/money.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, cacheJobs, useAction } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { sendOnce } from '../../spending/index.ts';
import { Button, formatCount, Refusal } from '../../ui/index.ts';
import styles from './doubts.module.css';

/** Less than a cent each: one line with one way out, so that they never hide what matters. */
export function SmallDoubts({ jobs }: { jobs: readonly Job[] }) {
  const { refusal, isBusy, run } = useAction();
  if (jobs.length === 0) return null;
  const stake = formatNano(jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0));
  const close = async () => {
    const answers = Promise.all(jobs.map(closeAsBilled));
    const closed = await run(answers.then((all) => all.find((answer) => !answer.ok) ?? ok(null)));
    if (closed.ok) announce(t`${counted(jobs.length, 'job')} closed as billed, ${stake} charged`);
  };
  return (
    <section className={`${styles.dbox} ${styles.smallDoubts}`} aria-label={t`Below a cent`}>
      <div className="row">
        <b>{t`${formatCount(jobs.length)} below a cent each`}</b>
        <span className="grow" />
        <span className="price in-doubt">{stake}</span>
      </div>
      <div className="row">
        <Button busy={isBusy} onClick={() => void close()}>
          {t`Close them as billed`}
        </Button>
        <span className="t3">{t`sends nothing, charges ${stake}`}</span>
      </div>
      <Refusal text={refusal} />
    </section>
  );
}

/** Ends the doubt by assuming it was billed. */
async function closeAsBilled({ id, state, money }: Job): Promise<Result<unknown>> {
  if (!isTerminal(state)) {
    const lost = await sendOnce('jobs.resolve', { id, as: 'lost' });
    if (!lost.ok) return lost;
    cacheJobs([lost.data]);
  }
  if (money.uncertainNano === 0) return ok(null);
  const settled = await call('jobs.settleDoubt', { id, billedNano: money.uncertainNano });
  if (settled.ok) cacheJobs([settled.data]);
  return settled;
}
