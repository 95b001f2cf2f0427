import type { JobPage, WaitingMoney } from '../../../shared/lists.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { useStudio } from '../../app/index.ts';
import { priceText } from '../../ui/index.ts';

/**
 * What is set aside for all that wait, of both sides: they stand in one line, and are let go together. `$3.20`; where the other side has
 * any, each by its name: `real $3.20 and 1 unpriced, play $0.40`. Undefined where nothing is set aside. `isPlay`: the active profile's side.
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
