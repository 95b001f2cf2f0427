import { t } from '../../../shared/texts.ts';

/** What is said where something else than the chord that spends was pressed: what it would cost, and the chord. */
export const spendWords = (label: string, price: string, chord: string): string =>
  t`${label}, ${price}: ${chord} sends it.`;
