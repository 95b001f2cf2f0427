import type { RefObject } from 'react';
import { t } from '../../../shared/texts.ts';
import { announce, useKeyHint, useSpendChord } from '../../app/index.ts';

/** The chord that spends means neither a card nor the box below while the focus is on a card: it says which key goes to a button. */
export function useOfferSaid(section: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const [one, many] = [useKeyHint('chat.approveDraft'), useKeyHint('chat.approveDrafts')];
  useSpendChord(section, () =>
    announce(
      isOpen
        ? t`Nothing was sent: ${one} goes to the button of the draft, ${many} to that of the chosen ones.`
        : t`Nothing was sent: here is nothing to approve.`,
    ),
  );
}
