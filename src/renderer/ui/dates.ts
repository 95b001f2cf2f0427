import { formatLocale, t } from '../../shared/text/texts.ts';

/** Relative spans, and one with own dates. */
export const DATE_SPANS = ['any', 'today', 'week', 'month', 'lastMonth', 'year', 'own'] as const;
export type DateSpan = (typeof DATE_SPANS)[number];

export interface DateChoice {
  span: DateSpan;
  /** Local days as in a date field, `2026-11-21`, both inside the span; empty for an open end. */
  from: string;
  to: string;
}

export const ANY_DATE: DateChoice = { span: 'any', from: '', to: '' };

/** The span as input of a query: `from` is inside, `to` is not. */
export function timesOf({ span, from, to }: DateChoice, now: number): { from?: number; to?: number } {
  if (span === 'any') return {};
  if (span === 'own') {
    const [first, end] = [dayOf(from, 0), dayOf(to, 1)];
    return { ...(first === undefined ? {} : { from: first }), ...(end === undefined ? {} : { to: end }) };
  }
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const startOf = (...date: [number, number, number]) => new Date(...date).getTime();
  switch (span) {
    case 'today':
      return { from: startOf(year, month, day) };
    case 'week':
      return { from: startOf(year, month, day - 6) };
    case 'month':
      return { from: startOf(year, month, 1) };
    case 'lastMonth':
      return { from: startOf(year, month - 1, 1), to: startOf(year, month, 1) };
    case 'year':
      return { from: startOf(year, 0, 1) };
  }
}

/**
 * The span as input of a ledger query: a current span ends with its day, month or year, as a budget does. Reservations for an overnight run
 * after it do not count.
 */
export function ledgerTimesOf(choice: DateChoice, now: number): { from?: number; to?: number } {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const tomorrow = new Date(year, month, day + 1);
  const ends: Partial<Record<DateSpan, Date>> = {
    today: tomorrow,
    week: tomorrow,
    month: new Date(year, month + 1, 1),
    year: new Date(year + 1, 0, 1),
  };
  const end = ends[choice.span];
  return { ...timesOf(choice, now), ...(end ? { to: end.getTime() } : {}) };
}

/** The start of a local day, or of the day `later` days after it; undefined for an invalid date. */
function dayOf(text: string, later: number): number | undefined {
  const [year = Number.NaN, month = 1, day = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, day + later).getTime();
  return text === '' || Number.isNaN(time) ? undefined : time;
}

/** The error of own dates. */
export const faultOf = ({ span, from, to }: DateChoice): string | undefined =>
  span === 'own' && from !== '' && to !== '' && to < from ? t`The last day is before the first.` : undefined;

const dateName = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });
const monthName = new Intl.DateTimeFormat(formatLocale(), { month: 'long' });

/** The span as a heading: `November`, `1 Nov 2026 to 20 Nov 2026`. */
export function wordsOfDates({ span, from, to }: DateChoice, now: number): string {
  const nameOfDay = (text: string) => {
    const time = dayOf(text, 0);
    return time === undefined ? '' : dateName.format(time);
  };
  switch (span) {
    case 'any':
      return t`All time`;
    case 'today':
      return t`Today`;
    case 'week':
      return t`Last 7 days`;
    case 'month':
      return monthName.format(now);
    case 'lastMonth': {
      const today = new Date(now);
      return monthName.format(new Date(today.getFullYear(), today.getMonth() - 1, 1));
    }
    case 'year':
      return String(new Date(now).getFullYear());
    case 'own': {
      const [first, last] = [nameOfDay(from), nameOfDay(to)];
      if (first && last) return t`${first} to ${last}`;
      return first ? t`From ${first}` : last ? t`Until ${last}` : t`All time`;
    }
  }
}

/** A month as in addresses: `2026-11`. */
export function monthKey(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}
