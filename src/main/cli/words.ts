import type { MoneyTotals } from '../../shared/ledger.ts';
import { formatNano, formatNanoRange, type Nano } from '../../shared/money.ts';
import { shortened } from '../../shared/shortened.ts';
import { shownBeginning, shownName } from '../../shared/shownName.ts';
import { plural } from '../../shared/texts.ts';

/** How the command line says things. Names are foreign words: they must not command the terminal. */

/** An amount, and besides how many of what it is of have no known price and are in none of it. */
const withUnpriced = (amount: string, unpriced: number, words: string): string =>
  unpriced > 0 ? `${amount}, and ${words} of no known price` : amount;

/** Both readings of a price that is not settled; what has no known price is said besides. */
export function priceWords({
  lowNano,
  estimateNano,
  unpriced = 0,
}: {
  lowNano: number;
  estimateNano: number;
  unpriced?: number | undefined;
}): string {
  return withUnpriced(formatNanoRange(lowNano, estimateNano), unpriced, plural(unpriced, 'job'));
}

/** The three figures, which are never added up. */
export const moneyWords = ({ settledNano, reservedNano, uncertainNano, unpriced }: MoneyTotals): string =>
  withUnpriced(
    `${formatNano(settledNano)} settled, ${formatNano(reservedNano)} reserved, ${formatNano(uncertainNano)} in doubt`,
    unpriced,
    plural(unpriced, 'request'),
  );

/** What is in doubt. */
export const doubtWords = ({ count, nano, unpriced }: { count: number; nano: Nano; unpriced: number }): string =>
  count === 0
    ? '0'
    : `${count}, ${withUnpriced(`${formatNano(nano)} at stake`, unpriced, plural(unpriced, 'request'))}`;

/** In one line: after a line end or a carriage return, a name could write a line of its own or over ours. */
export const name = (text: string, longest = 200): string => shownBeginning(shortened(text, longest), longest);

/** A whole text: its lines stay. */
export const printed = (text: string): string => shownName(text).replaceAll('\r', '‹U+000D›');

/** Lines of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
