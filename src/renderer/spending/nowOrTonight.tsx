import { Moon } from 'lucide-react';
import { useRef } from 'react';
import { Button, Icon } from '../ui/index.ts';
import { type SendFailure, useSend } from './useSend.ts';

/** The same order for the planned night, at the same price. */
export interface TonightOrder {
  /** Why it cannot be done, beside what keeps it from being done now. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
}

interface NowOrTonight {
  /** Why neither can be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
}

/**
 * One order with two buttons, now and tonight, of which one press sends one request: while one is sent both wait, and after an answer that
 * was lost only the same button may ask again.
 */
export function useNowOrTonight({ off, onSend, tonight }: NowOrTonight) {
  const pressed = useRef(false);
  const sent = useRef(false);
  const { send, ...state } = useSend(() => {
    sent.current = pressed.current;
    return sent.current && tonight ? tonight.onSend() : onSend();
  });
  const order = (isForNight: boolean) => {
    pressed.current = isForNight;
    void send();
  };
  const other = state.isUnknown ? ASKED : undefined;
  return {
    ...state,
    order,
    off: off ?? (sent.current ? other : undefined),
    tonightOff: off ?? tonight?.off ?? (sent.current ? undefined : other),
  };
}

const ASKED = 'It may be in the queue already: press the same button as before.';

/** The button for the night, beside the one for now. */
export function TonightButton({
  off,
  isBusy,
  onClick,
}: {
  off: string | undefined;
  isBusy: boolean;
  onClick: () => void;
}) {
  return (
    <Button off={off} title={off} busy={isBusy} onClick={onClick}>
      <Icon of={Moon} />
      Tonight
    </Button>
  );
}
