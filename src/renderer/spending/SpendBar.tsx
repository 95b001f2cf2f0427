import { type ReactNode, useRef } from 'react';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { announce, useShortcut, useSpendChord } from '../app/index.ts';
import { Button, ErrorBox, priceText, WhyOff } from '../ui/index.ts';
import { TonightButton, type TonightOrder, useNowOrTonight } from './nowOrTonight.tsx';
import type { SendFailure } from './useSpend.ts';

interface SpendBarProps {
  label: ReactNode;
  /** Why the button is off. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  /** The price, unless a request for tonight has it. */
  shown?: ShownPrice | undefined;
  /** Message if it is unknown whether the request was sent. */
  unknown?: string;
  /** Cancels, in a dialog. */
  onCancel?: () => void;
  /** The same is being made already, so the button is not emphasised. */
  isQuiet?: boolean;
  /** Content under the button while it is not off. */
  foot?: ReactNode;
  /** The price, and content above it. */
  children: ReactNode;
}

/**
 * The price, why it cannot be spent yet, and the one button and chord that spend, with a button for tonight below. One press is one
 * request.
 */
export function SpendBar(props: SpendBarProps) {
  const { label, tonight, unknown = UNKNOWN, onCancel, isQuiet, foot, children } = props;
  const { order, off, night, isBusy, isWaiting, error, isUnknown, sent } = useNowOrTonight(props);
  const bar = useRef<HTMLDivElement>(null);
  useInPalette(props, off, () => order(false));
  const hint = useSpendChord(bar, () => (off ? announce(off) : order(false)), { isMain: true });
  return (
    <div className="sendbar spends" ref={bar}>
      {children}
      {isWaiting && <AskedAgain />}
      {error && <ErrorBox title={error}>{sent ?? (isUnknown ? unknown : t`Nothing was sent.`)}</ErrorBox>}
      <div className="row go">
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        )}
        <Button
          variant={isQuiet ? 'secondary' : 'primary'}
          className="grow"
          kbd={hint}
          off={off}
          busy={isBusy}
          onClick={() => order(false)}
        >
          {label}
        </Button>
      </div>
      {(off || foot || tonight) && (
        <div className="row between">
          {off ? <WhyOff>{off}</WhyOff> : <span className="t2">{foot}</span>}
          {tonight && <TonightButton night={night} />}
        </div>
      )}
    </div>
  );
}

/**
 * Lists the action in the command palette with its price, where only the spending chord runs it. Left out in a dialog, which has no
 * palette, and without a text label or a price of its own.
 */
function useInPalette(
  { label, tonight, onCancel, shown = tonight?.shown }: SpendBarProps,
  off: string | undefined,
  onSend: () => void,
) {
  const price = shown && priceText(shown.estimateNano, shown.lowNano, 'range', shown.unpriced);
  const isUnpriced = !shown || (shown.estimateNano === 0 && (shown.unpriced ?? 0) > 0);
  const hasPrice = (tonight !== undefined || shown !== undefined) && (price !== undefined || off !== undefined);
  const words = typeof label === 'string' ? label : '';
  useShortcut('spend.offered', onSend, hasPrice && words !== '' && !onCancel, {
    label: words,
    off,
    spend: { price: price ?? t`No price yet`, isUnpriced, onSend },
  });
}

const UNKNOWN = t`The request may already be queued. Press again unchanged: nothing is sent twice.`;

/** Shown while a lost answer is requested again. */
export function AskedAgain() {
  return (
    <p className="t2" role="status">
      {t`The reply was lost. Dailies asks for it again; nothing is sent twice.`}
    </p>
  );
}
