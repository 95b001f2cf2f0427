import type { MoneyTotals } from '../../shared/money/ledger.ts';
import { formatNano, formatNanoRange, type Nano } from '../../shared/money/money.ts';
import { shortened } from '../../shared/text/shortened.ts';
import { shownBeginning, shownName } from '../../shared/text/shownName.ts';
import { plural } from '../../shared/text/texts.ts';

/** How the command line says things. Names are foreign words: they must not command the terminal. */

/** Amounts, and besides how many of what they are of have no known price: where some have none, an amount of nothing is not known. */
function withUnpriced(amounts: readonly [text: string, nano: Nano][], unpriced: number, words: string): string {
  const known = amounts.filter(([, nano]) => nano > 0 || unpriced === 0).map(([text]) => text);
  const rest = `${words} without a price`;
  if (known.length === 0) return rest;
  return unpriced > 0 ? `${known.join(', ')}, and ${rest}` : known.join(', ');
}

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
  if (estimateNano === 0 && unpriced > 0) return 'no price set';
  return withUnpriced([[formatNanoRange(lowNano, estimateNano), estimateNano]], unpriced, plural(unpriced, 'job'));
}

/** The three figures, which are never added up. */
export const moneyWords = ({ settledNano, reservedNano, uncertainNano, unpriced }: MoneyTotals): string =>
  withUnpriced(
    [
      [`${formatNano(settledNano)} charged`, settledNano],
      [`${formatNano(reservedNano)} reserved`, reservedNano],
      [`${formatNano(uncertainNano)} unconfirmed`, uncertainNano],
    ],
    unpriced,
    plural(unpriced, 'request'),
  );

/** What is in doubt. */
export const doubtWords = ({ count, nano, unpriced }: { count: number; nano: Nano; unpriced: number }): string =>
  count === 0
    ? '0'
    : `${count}, ${withUnpriced([[`${formatNano(nano)} at stake`, nano]], unpriced, plural(unpriced, 'request'))}`;

/** In one line: after a line end or a carriage return, a name could write a line of its own or over ours. */
export const name = (text: string, longest = 200): string => shownBeginning(shortened(text, longest), longest);

/** A whole text: its lines stay. */
export const printed = (text: string): string => shownName(text).replaceAll('\r', '‹U+000D›');

/** Lines of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
