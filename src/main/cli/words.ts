import { formatNanoRange } from '../../shared/money.ts';
import { plural } from '../../shared/plural.ts';
import { shownName } from '../../shared/shownName.ts';

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

export const name = (text: string): string => shownName(text).slice(0, 200);

/** Lines of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
