/** When the assets in view were made: a span that moves with the days, or one of its own. */
export const DATE_SPANS = ['any', 'today', 'week', 'month', 'own'] as const;
export type DateSpan = (typeof DATE_SPANS)[number];

export interface DateChoice {
  span: DateSpan;
  /** Local days as a date field writes them, `2026-11-21`; empty where there is no end. Both are inside. */
  from: string;
  to: string;
}

export const ANY_DATE: DateChoice = { span: 'any', from: '', to: '' };

/** As the studio is asked: `from` is inside, `to` is not. */
export function timesOf({ span, from, to }: DateChoice, now: number): { from?: number; to?: number } {
  if (span === 'any') return {};
  if (span === 'own') {
    const [first, end] = [dayOf(from, 0), dayOf(to, 1)];
    return { ...(first === undefined ? {} : { from: first }), ...(end === undefined ? {} : { to: end }) };
  }
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  if (span === 'week') day.setDate(day.getDate() - 6);
  if (span === 'month') day.setDate(1);
  return { from: day.getTime() };
}

/** The beginning of a local day, or of one some days later; undefined for what is no date. */
function dayOf(text: string, later: number): number | undefined {
  const [year = Number.NaN, month = 1, day = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, day + later).getTime();
  return text === '' || Number.isNaN(time) ? undefined : time;
}

/** What is wrong with a span of its own. */
export const faultOf = ({ span, from, to }: DateChoice): string | undefined =>
  span === 'own' && from !== '' && to !== '' && to < from ? 'The last day is before the first.' : undefined;
