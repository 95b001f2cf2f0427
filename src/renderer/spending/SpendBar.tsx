import { type ReactNode, useRef } from 'react';
import { isBehindModal, useKeyHint, useShortcut } from '../app/index.ts';
import { Button, ErrorBox, WhyOff } from '../ui/index.ts';
import { type SendFailure, useSend } from './useSend.ts';

interface SpendBarProps {
  /** The label of the button. */
  label: ReactNode;
  /** Why it cannot be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  /** The way back, in a dialog. */
  onCancel?: () => void;
  /** The price, and what stands above it. */
  children: ReactNode;
}

/** The price where it is spent, why it cannot be spent yet, and the one button and chord that spend: one press, one order. */
export function SpendBar({ label, off, onSend, onCancel, children }: SpendBarProps) {
  const { send, isBusy, error, isUnknown } = useSend(onSend);
  const bar = useRef<HTMLDivElement>(null);
  useShortcut('spend.go', (event) => {
    if (!event.repeat && !off && !isBehindModal(bar.current)) void send();
  });
  return (
    <div className="sendbar spends" ref={bar}>
      {children}
      {error && (
        <ErrorBox title={error}>
          {isUnknown ? 'It may be in the queue all the same: look there before you press again.' : 'Nothing was sent.'}
        </ErrorBox>
      )}
      <WhyOff>{off}</WhyOff>
      <div className="row">
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          variant="primary"
          className="grow"
          kbd={useKeyHint('spend.go')}
          off={off}
          busy={isBusy}
          onClick={() => void send()}
        >
          {label}
        </Button>
      </div>
    </div>
  );
}
