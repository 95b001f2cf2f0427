import type { JobPage, WaitingMoney } from '../../../shared/jobs/lists.ts';
import { t } from '../../../shared/text/texts.ts';
import { priceText } from '../../ui/index.ts';

/**
 * The money reserved for all waiting jobs: `$3.20` if the active profile and all jobs use real money, otherwise with its kind named: `Test
 * money $0.40`, `Real money $3.20 and 1 without a price, Test money $0.40`. Undefined if nothing is reserved. `isPlay`: whether the active
 * profile uses test money.
 */
export function waitingMoney(waiting: JobPage['waiting'], isPlay: boolean): string | undefined {
  if (!waiting) return undefined;
  const [real, play] = isPlay ? [waiting.elsewhere, waiting] : [waiting, waiting.elsewhere];
  if (isNothing(real) && isNothing(play)) return undefined;
  if (!isPlay && isNothing(play)) return words(real);
  const parts = [
    ...(isNothing(real) ? [] : [t`Real money ${words(real)}`]),
    ...(isNothing(play) ? [] : [t`Test money ${words(play)}`]),
  ];
  return parts.join(', ');
}

const isNothing = ({ reservedNano, unpriced }: WaitingMoney): boolean => reservedNano === 0 && unpriced === 0;
const words = ({ reservedNano, unpriced }: WaitingMoney): string =>
  priceText(reservedNano, reservedNano, 'range', unpriced);
