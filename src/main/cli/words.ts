import { formatNanoRange } from '../../shared/money.ts';
import { shortened } from '../../shared/shortened.ts';
import { shownName } from '../../shared/shownName.ts';
import { plural } from '../../shared/texts.ts';

/** How the command line says things. Names are foreign words: they must not command the terminal. */

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
  const known = formatNanoRange(lowNano, estimateNano);
  return unpriced > 0 ? `${known}, and ${plural(unpriced, 'job')} of no known price` : known;
}

/** In one line: after a line end or a carriage return, a name could write a line of its own or over ours. */
export const name = (text: string): string => shownName(shortened(text, 200)).slice(0, 200);

/** A whole text: its lines stay. */
export const printed = (text: string): string => shownName(text).replaceAll('\r', '‹U+000D›');

/** Lines of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
