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
  /** A title that says more than the button. */
  title?: ReactNode;
  label: ReactNode;
  /** Explanation above the price. */
  children: ReactNode;
  /** The price, or a total. */
  price: ReactNode;
  /** Why it cannot be sent yet, such as a price that is still being read. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  onClose: () => void;
  /** Set if *Cancel* does more than close the dialog. */
  onCancel?: () => void;
}

interface SpendAgainDialogProps extends Omit<SpendDialogProps, 'price' | 'off' | 'onSend' | 'tonight' | 'label'> {
  label: string;
  job: Job;
  /** Sends the request at the shown price, now or for tonight. */
  onSend: (shown: ShownPrice | undefined, night: boolean) => Promise<SendFailure>;
}

/**
 * Opened by every action that sends a request again: a key or a small button never spends by itself. The dialog shows the price; only its
 * button, or the spending chord, sends.
 */
export function SpendDialog(props: SpendDialogProps) {
  const { label, title = label, children, price, off, onSend, tonight, onClose, onCancel = onClose } = props;
  // The text gets the focus and not the button: a bouncing key or a second Enter must not send.
  const words = useRef<HTMLDivElement>(null);
  const isLeft = useRef(false);
  const leaving = (leave: () => void) => () => {
    isLeft.current = true;
    leave();
  };
  const closing = (order: () => Promise<SendFailure>) => async () => {
    const failure = await order();
    // If the user left before the answer, another dialog may be open by now.
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
 * Sends another request like a finished job's, which is unchanged: at the current price of the job's own profile, and only after that price
 * has been read.
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

/** The price that {@link PriceOfJob} shows for a job. */
export const shownOfJob = ({ money }: Job): ShownPrice => ({
  estimateNano: money.estimateNano,
  lowNano: money.estimateLowNano,
  unpriced: money.unpriced ? 1 : 0,
});

/** The price of a waiting job's request, which follows the price book. */
export function PriceOfJob({ job, what }: { job: Job; what: string }) {
  return (
    <>
      <PriceLine what={what} price={shownOfJob(job)} profileId={job.profileId} />
      {job.money.unpriced && <NoPrice kind={priceKindOf(job.kind)} profileId={job.profileId} />}
    </>
  );
}
