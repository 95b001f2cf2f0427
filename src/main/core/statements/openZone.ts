import type { BillLine } from './readBill.ts';
import { ZONE_MS } from './times.ts';

/** Lines whose times state no zone, beside others that do. */

/** From line to line of the text, the last one included. */
export type LineRange = [first: number, last: number];

/** Where a bill changes between times with a zone and without more often than this, no line of it is told from the others. */
const MOST_RANGES = 1_000;

/** Lines without a zone, in the order of the bill; undefined where none, or all, or very many stretches of it have none. */
export function zonelessRanges(
  lines: readonly Pick<BillLine, 'line'>[],
  zoneless: ReadonlySet<number>,
): LineRange[] | undefined {
  if (zoneless.size === 0 || zoneless.size === lines.length) return undefined;
  const ranges: LineRange[] = [];
  let open: LineRange | undefined;
  for (const { line } of lines) {
    if (!zoneless.has(line)) open = undefined;
    else if (open) open[1] = line;
    else {
      open = [line, line];
      ranges.push(open);
    }
    if (ranges.length > MOST_RANGES) return undefined;
  }
  return ranges;
}

/** The lines of these ranges. */
export const linesOfRanges = (ranges: readonly LineRange[]): ReadonlySet<number> =>
  new Set(ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)));

/** Whose zone nobody knows: all lines, or those that are told from the others. */
export interface OpenZone {
  isZoneAssumed: boolean;
  /** Absent where they are all lines. */
  zoneless?: ReadonlySet<number> | undefined;
}

export const hasOpenZone = ({ line }: Pick<BillLine, 'line'>, { isZoneAssumed, zoneless }: OpenZone): boolean =>
  isZoneAssumed && (zoneless === undefined || zoneless.has(line));

/** With all times at which it may be. */
export const inAnyZone = (line: BillLine): BillLine => ({
  ...line,
  at: line.at - ZONE_MS,
  spanMs: line.spanMs + 2 * ZONE_MS,
});
