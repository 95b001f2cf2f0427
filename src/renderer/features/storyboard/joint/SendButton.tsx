import type { ReactNode } from 'react';
import { type SendFailure, TonightButton, type TonightOrder, useNowOrTonight } from '../../../spending/index.ts';
import { Button } from '../../../ui/index.ts';

interface SendButtonProps {
  /** Why it cannot be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder;
  /** What it does, with its price in it or beside it. */
  children: ReactNode;
}

/** Sends what stands beside a price that is shown: pressed, never by the chord; one press, one request. */
export function SendButton(props: SendButtonProps) {
  const { order, off, tonightOff, isBusy, error, isUnknown } = useNowOrTonight(props);
  return (
    <>
      {error && (
        <span className="t2 cut" role="alert">
          {error} {isUnknown ? 'It may be in the queue all the same.' : 'Nothing was sent.'}
        </span>
      )}
      <Button off={off} title={off} busy={isBusy} onClick={() => order(false)}>
        {props.children}
      </Button>
      {props.tonight && <TonightButton off={tonightOff} isBusy={isBusy} onClick={() => order(true)} />}
    </>
  );
}
