import { reachOf } from './period.ts';
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

/** Those of these lines that are in a range, both in the order of the bill: a range may go on over very many empty rows. */
export function linesOfRanges(
  ranges: readonly LineRange[],
  lines: readonly Pick<BillLine, 'line'>[],
): ReadonlySet<number> {
  const found = new Set<number>();
  let at = 0;
  for (const { line } of lines) {
    while ((ranges[at]?.[1] ?? line) < line) at += 1;
    if ((ranges[at]?.[0] ?? Infinity) <= line) found.add(line);
  }
  return found;
}

/** Whose zone nobody knows: all lines, or those that are told from the others. */
export interface OpenZone {
  isZoneAssumed: boolean;
  /** Absent where they are all lines. */
  zoneless?: ReadonlySet<number> | undefined;
}

export const hasOpenZone = ({ line }: Pick<BillLine, 'line'>, { isZoneAssumed, zoneless }: OpenZone): boolean =>
  isZoneAssumed && (zoneless === undefined || zoneless.has(line));

/** A line at all times at which it may be. */
export interface WidenedLine extends BillLine {
  /** How long the span is that it states. */
  statedMs?: number;
}

export const inAnyZone = (line: BillLine): WidenedLine => ({
  ...line,
  at: line.at - ZONE_MS,
  spanMs: line.spanMs + 2 * ZONE_MS,
  statedMs: line.spanMs,
});

interface Edges {
  begins: number;
  ends: number;
  /** Whether its text goes on before and after the lines that are compared. */
  isCut: { begin: boolean; end: boolean };
}

/** From when to when a bill has all its lines, whatever the zone of those is that state none. */
export function surelyWithin(
  lines: readonly BillLine[],
  zone: OpenZone,
  { begins, ends, isCut }: Edges,
): Pick<Edges, 'begins' | 'ends'> {
  if (!zone.isZoneAssumed) return { begins, ends };
  const stated = reachOf(lines.filter((line) => !hasOpenZone(line, zone)));
  const [latest, earliest] = [begins + ZONE_MS, ends - ZONE_MS];
  return {
    begins: isCut.begin ? latest : Math.min(latest, Math.max(begins, stated.first)),
    ends: isCut.end ? earliest : Math.max(earliest, Math.min(ends, stated.last)),
  };
}
