import { useState } from 'react';
import { isCancelable, type Job } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { t } from '../../../shared/texts.ts';
import { cacheJobs, navigate } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { ConfirmPriceDialog, SpendAgainDialog, sendOnce } from '../../spending/index.ts';
import { Button, TextAction } from '../../ui/index.ts';

/** What can be done about a take that is not there. */
export function TakeActions({ job }: { job: Job }) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [offered, setOffered] = useState<'again' | 'price'>();
  const cancel = async () => {
    setBusy(true);
    const answer = await call('jobs.cancel', { id: job.id });
    setBusy(false);
    setError(answer.ok ? undefined : answer.error.message);
    if (answer.ok) cacheJobs([answer.data]);
  };
  const again = async (shown: ShownPrice | undefined, night: boolean) => {
    const answer = await sendOnce('jobs.retry', { id: job.id, shown, ...(night ? { night } : {}) });
    if (answer.ok) cacheJobs([answer.data]);
    return answer.ok ? undefined : answer.error;
  };
  return (
    <div className="row grow">
      {error && <span className="t2 whole grow">{error}</span>}
      {isCancelable(job) && (
        <Button variant="ghost" busy={busy} onClick={() => void cancel()}>
          {t`Cancel the take`}
        </Button>
      )}
      {(job.state === 'failed' || job.state === 'canceled') && (
        <Button variant="ghost" onClick={() => setOffered('again')}>
          {t`Try again`}
        </Button>
      )}
      {job.reason === 'priceRose' && (
        <Button variant="ghost" onClick={() => setOffered('price')}>
          {t`Confirm price…`}
        </Button>
      )}
      {offered === 'price' && <ConfirmPriceDialog jobs={[job]} onClose={() => setOffered(undefined)} />}
      {offered === 'again' && (
        <SpendAgainDialog
          job={job}
          title={t`Make the take again?`}
          label={t`Make it again`}
          onSend={again}
          onClose={() => setOffered(undefined)}
        >
          {t`The same request once more, as a take of its own. This one stays as it ended.`}
        </SpendAgainDialog>
      )}
      <span className="grow" />
      <TextAction onClick={() => navigate('queue', { job: job.id })}>
        {job.state === 'uncertain' ? t`Resolve` : t`Show in the queue`}
      </TextAction>
    </div>
  );
}
