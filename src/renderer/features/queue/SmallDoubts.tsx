import { useState } from 'react';
import { isTerminal, type Job } from '../../../shared/job.ts';
import { formatNano } from '../../../shared/money.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, cacheJobs } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { sendOnce } from '../../spending/index.ts';
import { Button, formatCount } from '../../ui/index.ts';

/** Less than a cent each: one line with one way out, so that they never hide what matters. */
export function SmallDoubts({ jobs }: { jobs: readonly Job[] }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  if (jobs.length === 0) return null;
  const stake = formatNano(jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0));
  const close = async () => {
    setBusy(true);
    const faults = (await Promise.all(jobs.map(closeAsBilled))).filter((fault) => fault !== undefined);
    setBusy(false);
    setError(faults[0]);
    if (faults.length === 0) announce(t`${counted(jobs.length, 'small doubt')} closed, ${stake} charged`);
  };
  return (
    <section className="dbox small-doubts" aria-label={t`Below a cent`}>
      <div className="row">
        <b>{t`${formatCount(jobs.length)} below a cent each`}</b>
        <span className="grow" />
        <span className="price in-doubt">{stake}</span>
      </div>
      <div className="row">
        <Button busy={busy} onClick={() => void close()}>
          {t`Close them as billed`}
        </Button>
        <span className="t3">{t`sends nothing, charges ${stake}`}</span>
      </div>
      {error && <p className="err">{error}</p>}
    </section>
  );
}

/** Ends the doubt by assuming it was billed. Returns the error sentence, if refused. */
async function closeAsBilled({ id, state, money }: Job): Promise<string | undefined> {
  if (!isTerminal(state)) {
    const lost = await sendOnce('jobs.resolve', { id, as: 'lost' });
    if (!lost.ok) return lost.error.message;
    cacheJobs([lost.data]);
  }
  if (money.uncertainNano === 0) return undefined;
  const settled = await call('jobs.settleDoubt', { id, billedNano: money.uncertainNano });
  if (!settled.ok) return settled.error.message;
  cacheJobs([settled.data]);
  return undefined;
}
