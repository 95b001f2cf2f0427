import { type ReactNode, useRef } from 'react';
import type { Job } from '../../shared/jobs/job.ts';
import { priceKindOf } from '../../shared/kinds/index.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { Dialog } from '../ui/index.ts';
import { NoPrice } from './NoPrice.tsx';
import type { TonightOrder } from './nowOrTonight.tsx';
import { PriceLine, PriceRow } from './PriceLine.tsx';
import { SpendBar } from './SpendBar.tsx';
import { usePriceAgain } from './usePrice.ts';
import type { SendFailure } from './useSpend.ts';

interface SpendDialogProps {
  /** Where it says more than the button. */
  title?: ReactNode;
  /** The label of the button. */
  label: ReactNode;
  /** What it means, above the price. */
  children: ReactNode;
  /** The price, or a sum of it. */
  price: ReactNode;
  /** Why it cannot be sent yet, such as a price that is still being read. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  onClose: () => void;
  /** Where *Cancel* does more than to close it. */
  onCancel?: () => void;
}

interface SpendAgainDialogProps extends Omit<SpendDialogProps, 'price' | 'off' | 'onSend' | 'tonight' | 'label'> {
  label: string;
  job: Job;
  /** Sends the order at the price that was shown, now or for the night. */
  onSend: (shown: ShownPrice | undefined, night: boolean) => Promise<SendFailure>;
}

/**
 * Whatever would send an order again opens this: a key or a small button never spends by itself. The price stands where it is spent, and
 * the one chord that spends, or the button, sends.
 */
export function SpendDialog(props: SpendDialogProps) {
  const { label, title = label, children, price, off, onSend, tonight, onClose, onCancel = onClose } = props;
  // Not the button: a key that bounces, or a second Enter, must not send.
  const words = useRef<HTMLDivElement>(null);
  const isLeft = useRef(false);
  const leaving = (leave: () => void) => () => {
    isLeft.current = true;
    leave();
  };
  const closing = (order: () => Promise<SendFailure>) => async () => {
    const failure = await order();
    // Where it was left before the answer, another dialog may stand in its place.
    if (failure === undefined && !isLeft.current) onClose();
    return failure;
  };
  return (
    <Dialog open onClose={leaving(onClose)} title={title} width={400} initialFocus={words}>
      <div className="spend-dlg">
        <div className="t2" ref={words} tabIndex={-1}>
          {children}
        </div>
        <SpendBar
          label={label}
          off={off}
          onSend={closing(onSend)}
          tonight={tonight && { ...tonight, onSend: closing(tonight.onSend) }}
          onCancel={leaving(onCancel)}
        >
          {price}
        </SpendBar>
      </div>
    </Dialog>
  );
}

/**
 * Sends another request like a finished job's, which stays as it is: at what it costs now by the price book of its own profile, and only
 * after that price is read.
 */
export function SpendAgainDialog({ job, onSend, children, ...dialog }: SpendAgainDialogProps) {
  const now = usePriceAgain(job.id);
  const price = (
    <PriceRow what={t`One more request`} now={now} kind={priceKindOf(job.kind)} profileId={job.profileId} />
  );
  const send = (night: boolean) => () => onSend(now.shown, night);
  const tonight = { what: dialog.label, shown: now.shown, payer: job.profileId, onSend: send(true) };
  const sends = { onSend: send(false), tonight };
  return (
    <SpendDialog {...dialog} {...sends} off={now.off} price={price}>
      {children}
      {job.retriedAs !== undefined && ` ${t`Already requested again. This is one more paid request.`}`}
    </SpendDialog>
  );
}

/** What is shown of it as its price ({@link PriceOfJob}). */
export const shownOfJob = ({ money }: Job): ShownPrice => ({
  estimateNano: money.estimateNano,
  lowNano: money.estimateLowNano,
  unpriced: money.unpriced ? 1 : 0,
});

/** The price of the request of a job that waits: it follows the price book. */
export function PriceOfJob({ job, what }: { job: Job; what: string }) {
  return (
    <>
      <PriceLine what={what} price={shownOfJob(job)} profileId={job.profileId} />
      {job.money.unpriced && <NoPrice kind={priceKindOf(job.kind)} profileId={job.profileId} />}
    </>
  );
}
