import { type ReactNode, useRef } from 'react';
import type { Job } from '../../shared/job.ts';
import { priceKindOf } from '../../shared/price.ts';
import { useCall } from '../app/index.ts';
import { Dialog, PriceTag } from '../ui/index.ts';
import { NoPrice } from './NoPrice.tsx';
import { SpendBar } from './SpendBar.tsx';

interface SpendDialogProps {
  title: ReactNode;
  /** The deed, as the button says it. */
  label: ReactNode;
  /** What it means, above the price. */
  children: ReactNode;
  /** The price, or a sum of it. */
  price: ReactNode;
  /** Sends the order; answers the sentence to show where it failed. */
  onSend: () => Promise<string | undefined>;
  onClose: () => void;
}

/**
 * Whatever would send an order again opens this: a key or a small button never spends by itself. The price stands where it is spent, and
 * the one chord that spends, or the button, sends.
 */
export function SpendDialog({ title, label, children, price, onSend, onClose }: SpendDialogProps) {
  // Not the button: a key that bounces, or a second Enter, must not send.
  const words = useRef<HTMLDivElement>(null);
  const send = async () => {
    const error = await onSend();
    if (error === undefined) onClose();
    return error;
  };
  return (
    <Dialog open onClose={onClose} title={title} width={400} initialFocus={words}>
      <div className="spend-dlg">
        <div className="t2" ref={words} tabIndex={-1}>
          {children}
        </div>
        <SpendBar label={label} off={undefined} onSend={send} onCancel={onClose}>
          {price}
        </SpendBar>
      </div>
    </Dialog>
  );
}

/** What making a job again costs now, at the price book of its own profile: a finished job stays as it is, and another is ordered. */
export function PriceAgain({ job }: { job: Job }) {
  // The words of a long chat are not all here: what it was estimated at stands for it.
  const ask = job.requestCut ? null : { requests: [job.request], profileId: job.profileId };
  const { data, error } = useCall('ledger.estimate', ask, { on: ['profiles.changed'] });
  if (job.requestCut) return <PriceOfJob job={job} what="About what it was to cost" />;
  return (
    <PriceRow what="One more order" job={job}>
      {data ? { nano: data.estimateNano, lowNano: data.lowNano, unpriced: data.unpriced } : error ? 'no price' : '–'}
    </PriceRow>
  );
}

/** What the order of a job that waits, or is sent again, costs: it keeps its price. */
export function PriceOfJob({ job, what }: { job: Job; what: string }) {
  const { estimateNano: nano, estimateLowNano: lowNano, unpriced } = job.money;
  return (
    <PriceRow what={what} job={job}>
      {{ nano, lowNano, unpriced: unpriced ? 1 : 0 }}
    </PriceRow>
  );
}

interface PriceRowProps {
  what: string;
  job: Job;
  children: { nano: number; lowNano: number; unpriced: number } | string;
}

function PriceRow({ what, job, children }: PriceRowProps) {
  const isWords = typeof children === 'string';
  return (
    <>
      <div className="row between">
        <span className="t2">{what}</span>
        {isWords ? <span className="t3">{children}</span> : <PriceTag {...children} />}
      </div>
      {!isWords && children.unpriced > 0 && <NoPrice kind={priceKindOf(job.kind)} profileId={job.profileId} />}
    </>
  );
}
