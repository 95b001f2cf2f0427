import type { JobPage, WaitingMoney } from '../../../shared/lists.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { useStudio } from '../../app/index.ts';
import { priceText } from '../../ui/index.ts';

/**
 * The money reserved for all waiting jobs, real and play: `$3.20`; if both kinds wait, `real $3.20 and 1 unpriced, play $0.40`.
 * Undefined if nothing is reserved. `isPlay`: whether the active profile uses play money.
 */
export function waitingMoney(waiting: JobPage['waiting'], isPlay: boolean): string | undefined {
  if (!waiting) return undefined;
  const { elsewhere } = waiting;
  if (isNothing(elsewhere)) return isNothing(waiting) ? undefined : words(waiting);
  const [real, play] = isPlay ? [elsewhere, waiting] : [waiting, elsewhere];
  const named: [string, WaitingMoney][] = [
    ['real', real],
    ['play', play],
  ];
  return named
    .filter(([, money]) => !isNothing(money))
    .map(([name, money]) => `${name} ${words(money)}`)
    .join(', ');
}

const isNothing = ({ reservedNano, unpriced }: WaitingMoney): boolean => reservedNano === 0 && unpriced === 0;
const words = ({ reservedNano, unpriced }: WaitingMoney): string =>
  priceText(reservedNano, reservedNano, 'range', unpriced);

/** Whether the active profile's side is play money. */
export const useIsPlay = (): boolean => useStudio(({ activeProfileId }) => isPlayMoney(activeProfileId ?? ''));
