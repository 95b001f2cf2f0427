/** The times of a bill, as services and spreadsheets write them. */

export interface BillTime {
  at: number;
  /** How much of time it names: a whole day, a minute, a second. */
  spanMs: number;
  /** The offset from UTC that it states, in minutes; null if it states none. */
  zone: number | null;
}

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far times may be from those that they say where nobody knows their zone. */
export const ZONE_MS = 14 * HOUR_MS;
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * How much of time a row is about that says its end. A date alone ends with its day. One call is found at its start, however long it took: what
 * a service counts together is of hours or quarters.
 */
export function spanTo({ at, spanMs }: BillTime, end: BillTime): number {
  const isOneCall = end.at + end.spanMs - at < HOUR_MS && (at % QUARTER_MS !== 0 || end.at % QUARTER_MS !== 0);
  return isOneCall ? spanMs : Math.max(spanMs, end.at + (end.spanMs === DAY_MS ? DAY_MS : 0) - at);
}

/** The day of a time in a zone, `2026-11-21`. */
export const dayIn = (at: number, zoneMinutes = 0): string =>
  new Date(at + zoneMinutes * MINUTE_MS).toISOString().slice(0, '2026-11-21'.length);

/** Longer texts are no times. */
const MAX_CHARACTERS = 60;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ,])/i;
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:$|[ ,])/;
const DAY_NAME_MONTH = /^(\d{1,2})[ -]([a-z]{3,9})[ -](\d{4})(?:$|[ ,])/i;
const NAME_MONTH_DAY = /^([a-z]{3,9}) (\d{1,2}),? (\d{4})(?:$|[ ,])/i;
const EPOCH = /^\d{9,13}$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/;
const ZONE = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d\d)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether `3/4/2026` is the fourth of March; the column decides for all its cells. */
export type DateOrder = 'monthFirst' | 'dayFirst';

/** What the cells of a column say about the order of day and month; undefined if nothing. Points separate days first. */
export function orderIn(cells: Iterable<string>): DateOrder | undefined {
  let found: DateOrder | undefined;
  for (const cell of cells) {
    const match = YEAR_LAST.exec(cell.trim());
    if (!match) continue;
    if (Number(match[1]) > 12 || match[0].includes('.')) return 'dayFirst';
    if (Number(match[2]) > 12) found = 'monthFirst';
  }
  return found;
}

/** Whether the order of day and month matters in this cell. */
export const needsOrder = (cell: string): boolean => YEAR_LAST.test(cell.trim());

/** Undefined for what is no time. Without a zone it is taken as UTC, or as the zone of its column. */
export function parseTime(cell: string, order: DateOrder, columnZone: number | null = null): BillTime | undefined {
  const text = cell.trim();
  if (text.length > MAX_CHARACTERS) return undefined;
  if (EPOCH.test(text)) {
    const isSeconds = text.length < 12;
    return { at: Number(text) * (isSeconds ? 1_000 : 1), spanMs: isSeconds ? 1_000 : 1, zone: 0 };
  }
  const date = dateIn(text, order);
  if (!date) return undefined;
  const clock = clockIn(text.slice(date.length).replace(/^[T ,]{1,4}/i, ''));
  if (!clock) return undefined;
  const zone = clock.zone ?? columnZone;
  const at = date.at + clock.ms - (zone ?? 0) * MINUTE_MS;
  return { at, spanMs: clock.spanMs, zone };
}

function dateIn(text: string, order: DateOrder): { at: number; length: number } | undefined {
  const found = partsOf(text, order);
  if (!found) return undefined;
  const { year, month, day, length } = found;
  const at = Date.UTC(year, month - 1, day);
  const made = new Date(at);
  const isReal = made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
  return isReal ? { at, length } : undefined;
}

function partsOf(text: string, order: DateOrder) {
  const whole = (match: RegExpExecArray): number => match[0].replace(/[T ,]$/i, '').length;
  const first = YEAR_FIRST.exec(text);
  if (first) return { year: Number(first[1]), month: Number(first[2]), day: Number(first[3]), length: whole(first) };
  const last = YEAR_LAST.exec(text);
  if (last) {
    const [one, two] = [Number(last[1]), Number(last[2])];
    const [month, day] = order === 'monthFirst' ? [one, two] : [two, one];
    return { year: Number(last[3]), month, day, length: whole(last) };
  }
  const named = DAY_NAME_MONTH.exec(text);
  if (named) return { year: Number(named[3]), month: monthOf(named[2]), day: Number(named[1]), length: whole(named) };
  const american = NAME_MONTH_DAY.exec(text);
  if (!american) return undefined;
  const [, name, day, year] = american;
  return { year: Number(year), month: monthOf(name), day: Number(day), length: whole(american) };
}

/** 1 to 12; 0 for what is no month. */
const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function clockIn(text: string): { ms: number; spanMs: number; zone: number | null } | undefined {
  if (text === '') return { ms: 0, spanMs: DAY_MS, zone: null };
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [whole, hour = '', minute, second, fraction = ''] = match;
  const rest = text.slice(whole.length).replaceAll(' ', '').toLowerCase();
  const half = rest.startsWith('am') || rest.startsWith('pm') ? rest.slice(0, 2) : '';
  const zone = zoneIn(rest.slice(half.length));
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  if (zone === undefined || hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ms = ((hours * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1_000 + millis;
  const spanMs = second === undefined ? MINUTE_MS : fraction === '' ? 1_000 : 1;
  return { ms, spanMs, zone };
}

/** In minutes; null if there is none, undefined if it is no zone. */
function zoneIn(text: string): number | null | undefined {
  if (text === '') return null;
  if (text === 'z' || text === 'utc' || text === 'gmt') return 0;
  const match = ZONE.exec(text);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return minutes > 14 * 60 ? undefined : minutes * (match[1] === '-' ? -1 : 1);
}

/** The zone that a header names, `Time (UTC+1)`; null without one. */
export function zoneOfHeader(name: string): number | null {
  const from = name.search(/utc|gmt/i);
  if (from < 0) return null;
  return (
    zoneIn(
      name
        .slice(from, from + 12)
        .replace(/[)\] ]/g, '')
        .toLowerCase(),
    ) ?? null
  );
}
