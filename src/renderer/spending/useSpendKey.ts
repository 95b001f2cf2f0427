import type { RefObject } from 'react';
import { t } from '../../shared/text/texts.ts';
import { type ActionId, announce, spendWords, useKeyHint, useShortcut, useSpendChord } from '../app/index.ts';

interface SpendKey {
  /** What is done, for the ear. */
  label: string;
  /** What it costs, as it stands at the button. */
  price: string;
  /** Why it cannot be done now. */
  off: string | undefined;
  /** Whether the key is heard; the chord that spends is, wherever the button has the focus. Left out: it is. */
  isHeard?: boolean;
  isBusy?: boolean;
  onSpend: () => void;
}

/**
 * The key of a button that spends: it goes to the button and says what it costs. The chord that spends does it there, as a press of the
 * button does. Nothing is heard without `spend`. Answers what is to be printed on the button.
 */
export function useSpendKey(
  action: ActionId,
  button: RefObject<HTMLElement | null>,
  spend: SpendKey | undefined,
): string {
  const chord = useKeyHint('spend.go');
  const ask = ({ label, price, off }: SpendKey) => {
    button.current?.focus();
    announce(off ?? spendWords(label, price, chord));
  };
  const press = ({ off, isBusy, onSpend }: SpendKey) => {
    if (off !== undefined) announce(off);
    else if (!isBusy) onSpend();
  };
  const key = useShortcut(action, () => spend && ask(spend), spend !== undefined && spend.isHeard !== false, {
    ...(spend && {
      label: spend.label,
      off: spend.off,
      spend: { price: spend.price === '' ? t`No price yet` : spend.price, onSend: () => press(spend) },
    }),
  });
  const offered = useSpendChord(button, () => spend && press(spend), { enabled: spend !== undefined });
  return offered ?? key;
}
