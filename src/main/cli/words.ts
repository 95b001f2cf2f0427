import type { MoneyTotals } from '../../shared/money/ledger.ts';
import { formatNano, formatNanoRange, type Nano } from '../../shared/money/money.ts';
import { safeName, shownBeginning } from '../../shared/text/safeText.ts';
import { shortened } from '../../shared/text/shortened.ts';
import { plural } from '../../shared/text/texts.ts';

/** The texts of the command line. Names are untrusted: they must not control the terminal. */

/** The amounts, with the number of items with no price set; an amount of zero is left out if some have none. */
function withUnpriced(amounts: readonly [text: string, nano: Nano][], unpriced: number, words: string): string {
  const known = amounts.filter(([, nano]) => nano > 0 || unpriced === 0).map(([text]) => text);
  const rest = `${words} without a price`;
  if (known.length === 0) return rest;
  return unpriced > 0 ? `${known.join(', ')}, and ${rest}` : known.join(', ');
}

/** The price, with its lowest and highest interpretation, and what has no price set. */
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

export const doubtWords = ({ count, nano, unpriced }: { count: number; nano: Nano; unpriced: number }): string =>
  count === 0
    ? '0'
    : `${count}, ${withUnpriced([[`${formatNano(nano)} at stake`, nano]], unpriced, plural(unpriced, 'request'))}`;

/** On one line: after a line end or a carriage return, a name could imitate our own output. */
export const name = (text: string, longest = 200): string => shownBeginning(shortened(text, longest), longest);

/** A whole text with its lines. */
export const printed = (text: string): string => safeName(text).replaceAll('\r', '‹U+000D›');

/** Lines of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
