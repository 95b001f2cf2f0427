import type { RefObject } from 'react';
import { t } from '../../shared/text/texts.ts';
import { type ActionId, announce, spendWords, useKeyHint, useShortcut, useSpendChord } from '../app/index.ts';

interface SpendKey {
  /** The action, for screen readers. */
  label: string;
  /** The price shown at the button. */
  price: string;
  /** Why the action is off. */
  off: string | undefined;
  /** Whether its key is active; default: yes. The spending chord is always active on the focused button. */
  isHeard?: boolean;
  isBusy?: boolean;
  onSpend: () => void;
}

/**
 * The key of a spending button: it focuses the button and announces the price; on the button, the spending chord spends like a press.
 * Without `spend` no key is active. Returns the key hint for the button.
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
