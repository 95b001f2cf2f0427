import { type ReactNode, useRef } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { useSpendChord } from '../../../app/index.ts';
import { type SendFailure, TonightButton, type TonightOrder, useNowOrTonight } from '../../../spending/index.ts';
import { Button } from '../../../ui/index.ts';

interface SendButtonProps {
  /** Why it cannot be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder;
  /** It is the main button of its page: the chord that spends presses it. */
  isMain?: boolean | undefined;
  /** What it does, with its price in it or beside it. */
  children: ReactNode;
}

/** Sends what stands beside a price that is shown: pressed, and by the chord only where it is the main button; one press, one request. */
export function SendButton(props: SendButtonProps) {
  const { isMain = false } = props;
  const { order, off, night, isBusy, error, isUnknown } = useNowOrTonight(props);
  const button = useRef<HTMLButtonElement>(null);
  const hint = useSpendChord(button, () => !off && order(false), { enabled: isMain, isMain });
  return (
    <>
      {error && (
        <span className="t2 whole" role="alert">
          {error} {isUnknown ? t`It may already be queued.` : t`Nothing was sent.`}
        </span>
      )}
      <Button
        ref={button}
        variant={isMain ? 'primary' : 'secondary'}
        kbd={hint}
        off={off}
        title={off}
        busy={isBusy}
        onClick={() => order(false)}
      >
        {props.children}
      </Button>
      {props.tonight && <TonightButton night={night} look="icon" />}
    </>
  );
}
