import { formatNano, type Nano } from '../../../shared/money/money.ts';
import type { ColumnRole } from '../../../shared/money/statement/statement.ts';
import { t } from '../../../shared/text/texts.ts';

/** Rows of a bill that are no lines of it. Each is reported with its line number. */

const TOTALS = new Set([
  'total',
  'totals',
  'grand total',
  'subtotal',
  'sub total',
  'sum',
  'amount due',
  'total due',
  'balance',
  'balance due',
  'summe',
  'gesamt',
  'gesamtsumme',
]);

/** A row that names no order and says "Total", wherever that stands. */
export function isTotal(cells: readonly string[], used: Record<ColumnRole, string>): boolean {
  if (used.requestKey !== '' || used.amount === '') return false;
  const says = (cell: string): boolean => TOTALS.has(cell.trim().replace(/[:*]/g, '').trim().toLowerCase());
  if (used.remoteId !== '' && !says(used.remoteId)) return false;
  return cells.some((cell) => cell.length < 40 && says(cell));
}

/** The lines above a row, and how many of them were rounded. */
export interface Above {
  sumNano: Nano;
  rounded: number;
}

/** Whether a row of totals agrees with the lines above it. */
export function totalSays(totalNano: Nano | undefined, { sumNano, rounded }: Above): string {
  if (totalNano === undefined) return t`It is a row of totals.`;
  return Math.abs(totalNano - sumNano) <= rounded
    ? t`It is a row of totals, and agrees with the lines above it: ${formatNano(totalNano)}.`
    : t`It is a row of totals of ${formatNano(totalNano)}, and the lines above it are ${formatNano(sumNano)}.`;
}

interface Span {
  from: number;
  to: number;
}

/** When rows are that could not be read: those without a name, and those with one. */
export interface UnreadTimes {
  nameless: Span[];
  named: Span[];
}

/** Of what a bill may say nothing about, a shorter time is never asked for: rows that are less apart are one span. */
const ASKED_MS = 10 * 60_000;
/** Spans that are kept: those nearest to each other become one. */
const MAX_SPANS = 200;
const EVERYTHING: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** `time`: undefined if it is not known, and may be any. */
export function addUnread(
  times: UnreadTimes,
  isNamed: boolean,
  time: { at: number; spanMs: number } | undefined,
): void {
  const span = time ? { from: time.at, to: time.at + time.spanMs } : EVERYTHING;
  times[isNamed ? 'named' : 'nameless'].push(span);
}

export const togetherOf = ({ nameless, named }: UnreadTimes): UnreadTimes => ({
  nameless: fewSpans(nameless),
  named: fewSpans(named),
});

function fewSpans(spans: readonly Span[]): Span[] {
  let few = joined(spans, ASKED_MS);
  for (let apartMs = 2 * ASKED_MS; few.length > MAX_SPANS; apartMs *= 2) few = joined(few, apartMs);
  return few;
}

function joined(spans: readonly Span[], apartMs: number): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && span.from - last.to <= apartMs) last.to = Math.max(last.to, span.to);
    else all.push({ ...span });
  }
  return all;
}

/** Whether a row that could not be read may be of this time; `isNamed`: one with a name as well. */
export function isUnreadThen(times: UnreadTimes | undefined, { from, to }: Span, isNamed: boolean): boolean {
  const { nameless = [], named = [] } = times ?? {};
  const isThen = (span: Span): boolean => from <= span.to && to >= span.from;
  return nameless.some(isThen) || (isNamed && named.some(isThen));
}
