import { useState } from 'react';
import { isCancelable, type Job } from '../../../shared/jobs/job.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import { cacheJobs, navigate, useAction } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { ConfirmPriceDialog, SpendAgainDialog, sendOnce } from '../../spending/index.ts';
import { Button, Refusal, TextAction } from '../../ui/index.ts';

/** Actions for a take that is not there. */
export function TakeActions({ job }: { job: Job }) {
  const { refusal, run, isBusy } = useAction();
  const [offered, setOffered] = useState<'again' | 'price'>();
  const cancel = async () => {
    const answer = await run(call('jobs.cancel', { id: job.id }));
    if (answer.ok) cacheJobs([answer.data]);
  };
  const again = async (shown: ShownPrice | undefined, night: boolean) => {
    const answer = await sendOnce('jobs.retry', { id: job.id, shown, ...(night ? { night } : {}) });
    if (answer.ok) cacheJobs([answer.data]);
    return answer.ok ? undefined : answer.error;
  };
  return (
    <div className="row grow">
      <Refusal text={refusal} />
      {isCancelable(job) && (
        <Button variant="ghost" busy={isBusy} onClick={() => void cancel()}>
          {t`Cancel take`}
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
        <SpendAgainDialog job={job} label={t`Make it again`} onSend={again} onClose={() => setOffered(undefined)}>
          {t`Sends the same request once more. This take stays as it is.`}
        </SpendAgainDialog>
      )}
      <span className="grow" />
      <TextAction onClick={() => navigate('queue', { job: job.id })}>
        {job.state === 'uncertain' ? t`Resolve` : t`Open in Queue`}
      </TextAction>
    </div>
  );
}
