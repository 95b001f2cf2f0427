import { parseDecimal, toInteger } from '../../../shared/money/decimal.ts';
import { MAX_REQUEST_NANO, type Nano } from '../../../shared/money/money.ts';
import type { AmountUnit } from '../../../shared/money/statement/statement.ts';

/** Whole nano-dollars, or why not. Finer amounts are rounded away from zero, as charges are. */
export type BillAmount = { nano: Nano } | { fault: string };

export interface AmountForm {
  unit: AmountUnit;
  /** `0,40`; points separate thousands. */
  isDecimalComma: boolean;
}

/** Nano-dollars in one. */
const FACTOR: Record<AmountUnit, bigint> = { dollar: 1_000_000_000n, cent: 10_000_000n, micro: 1_000n, nano: 1n };
/** Without spaces and points. */
const DOLLARS = new Set('|$|USD|US$|US|USD$|$USD|$US|DOLLAR|DOLLARS|USDOLLAR|USDOLLARS'.split('|'));
/** A longer cell is no amount and no time. */
const MAX_CHARACTERS = 60;

/** Whether a cell names dollars, or no currency at all. */
export const isDollars = (currency: string): boolean => DOLLARS.has(currency.replace(/[\s.]/g, '').toUpperCase());

/** The text without signs and without the brackets of a negative amount. */
const withoutSigns = (text: string): string => text.replace(/[-−+()\s]/g, '').toUpperCase();

export function parseAmount(cell: string, { unit, isDecimalComma }: AmountForm): BillAmount {
  const text = cell.trim();
  if (text === '') return { fault: 'is empty.' };
  const found = numberIn(text);
  if (!found) return { fault: 'is no amount.' };
  const { before, number, after } = found;
  const currency = withoutSigns(before) + withoutSigns(after);
  if (!isDollars(currency)) return { fault: `is in ${currency.slice(0, 20)}, and only dollars can be compared.` };
  const plain = plainNumber(number, isDecimalComma);
  const decimal = plain === undefined ? undefined : parseDecimal(plain);
  if (!decimal) return { fault: 'is no amount.' };
  const nano = toInteger(decimal, FACTOR[unit]);
  if (!nano || nano.value > MAX_REQUEST_NANO) return { fault: 'is more than a million dollars.' };
  const isNegative = /[-−]/.test(before) || after.includes('-') || (before.includes('(') && after.includes(')'));
  return { nano: isNegative ? 0 - nano.value : nano.value };
}

/** The number in a cell without spaces and apostrophes, and the text around it; undefined if there is none. */
function numberIn(text: string): { before: string; number: string; after: string } | undefined {
  const start = text.search(/[\d.,]/);
  if (start < 0 || text.length > MAX_CHARACTERS) return undefined;
  let end = text.length;
  while (end > start && !/\d/.test(text[end - 1] ?? '')) end -= 1;
  const number = text.slice(start, end).replace(/['’\s]/g, '');
  return { before: text.slice(0, start), number, after: text.slice(end) };
}

/** The number of units in a cell, without their name; null if it is no number. */
export function quantityOf(cell: string, { isDecimalComma }: AmountForm): number | null {
  if (cell.includes(',') && !isDecimalComma) return null;
  const quantity = Number.parseFloat(isDecimalComma ? (plainNumber(numberIn(cell)?.number ?? '', true) ?? '') : cell);
  return Number.isFinite(quantity) ? quantity : null;
}

/** The number with a decimal point and without separators; undefined if its separators are not in the places of thousands. */
function plainNumber(number: string, isDecimalComma: boolean): string | undefined {
  const [thousands, point] = isDecimalComma ? ['.', ','] : [',', '.'];
  const [whole = '', ...decimals] = number.split(point);
  if (decimals.length > 1) return undefined;
  const groups = whole.split(thousands);
  if (groups.length > 1 && !areThousands(groups)) return undefined;
  return `${groups.join('')}${decimals.length === 1 ? `.${decimals[0]}` : ''}`;
}

/** `1,600`: three digits in each group, and no zero before them. */
const areThousands = ([first = '', ...groups]: readonly string[]): boolean =>
  first.length > 0 && first.length <= 3 && !first.startsWith('0') && groups.every((group) => group.length === 3);

const hasParts = (unit: AmountUnit): boolean => unit === 'dollar' || unit === 'cent';

/**
 * Whether the amounts of a column use a decimal comma. A single unambiguous amount decides for all: `0,400` and `1.234,5`, or `0.400` and
 * `1,600,000`. If every amount may have a separator of thousands, as in `1,600`, a comma counts as one if commas also separate the cells,
 * or if the unit has no fractions; in the latter case so does a point, as in `400.000`.
 */
export function hasDecimalComma(
  cells: Iterable<string>,
  { separator, unit }: { separator: string; unit: AmountUnit },
): boolean {
  const open = new Set<string>();
  let isFound = false;
  for (const cell of cells) {
    const number = numberIn(cell.trim())?.number ?? '';
    const sign = decimalSignOf(number);
    if (sign === '.') return false;
    if (sign === ',') isFound = true;
    if (sign === 'either') open.add(number.includes(',') ? ',' : '.');
  }
  if (isFound) return true;
  if (open.size !== 1) return false;
  return hasParts(unit) ? open.has(',') && separator !== ',' : open.has('.');
}

/** The sign before the decimals of a number, existing or not; undefined if the number does not show it. */
function decimalSignOf(number: string): ',' | '.' | 'either' | undefined {
  const [comma, point] = [number.lastIndexOf(','), number.lastIndexOf('.')];
  if (comma < 0 && point < 0) return undefined;
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  const [sign, other] = comma >= 0 ? ([',', '.'] as const) : (['.', ','] as const);
  const groups = number.split(sign);
  if (groups.length > 2) return areThousands(groups) ? other : undefined;
  return areThousands(groups) ? 'either' : sign;
}

/** The times of a bill, as services and spreadsheets write them. */

export interface BillTime {
  at: number;
  /** The length of the named time: a day, a minute or a second. */
  spanMs: number;
  /** The offset from UTC that it states, in minutes; null if it states none. */
  zone: number | null;
}

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** The length of a row that states its end. A date without a time ends with its day. */
export const spanTo = ({ at, spanMs }: BillTime, end: BillTime): number =>
  Math.max(spanMs, end.at + (end.spanMs === DAY_MS ? DAY_MS : 0) - at);

/** The day of a time in a zone, `2026-11-21`. */
export const dayIn = (at: number, zoneMinutes = 0): string =>
  new Date(at + zoneMinutes * MINUTE_MS).toISOString().slice(0, '2026-11-21'.length);

const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:$|[ ,])/;
/** Date patterns with the sequence of their parts; if absent, the column decides. */
const DATES: readonly (readonly [pattern: RegExp, written?: string])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ,])/i, 'ymd'],
  [YEAR_LAST],
  [/^(\d{1,2})[ -]([a-z]{3,9})[ -](\d{4})(?:$|[ ,])/i, 'dmy'],
  [/^([a-z]{3,9}) (\d{1,2}),? (\d{4})(?:$|[ ,])/i, 'mdy'],
];
const EPOCH = /^\d{9,13}$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/;
const ZONE = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d\d)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether `3/4/2026` is the fourth of March; the column decides for all its cells. */
export type DateOrder = 'monthFirst' | 'dayFirst';

/** The sequence of day and month that the cells of a column show; undefined if none does. With points, the day comes first. */
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

/** Undefined if the cell is no time. A time without a zone is in UTC, or in the zone of its column. */
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
  for (const [pattern, written] of DATES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const parts = written ?? (order === 'monthFirst' ? 'mdy' : 'dmy');
    const partOf = (name: string): string => match[parts.indexOf(name) + 1] ?? '';
    const length = match[0].replace(/[T ,]$/i, '').length;
    return { year: Number(partOf('y')), month: monthOf(partOf('m')), day: Number(partOf('d')), length };
  }
  return undefined;
}

/** 1 to 12; 0 for what is no month. */
const monthOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;

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
