import { parseDecimal, toInteger } from '../../../shared/money/decimal.ts';
import { MAX_REQUEST_NANO, type Nano } from '../../../shared/money/money.ts';
import type { AmountUnit } from '../../../shared/money/statement/statement.ts';

/** The amounts of a bill: whole nano-dollars, or a sentence about what they are instead. Finer ones are rounded away from zero, as charges are. */

export type BillAmount = { nano: Nano; isRounded?: true } | { fault: string };

export interface AmountForm {
  unit: AmountUnit;
  /** `0,40`; points separate thousands. */
  isDecimalComma: boolean;
}

/** Nano-dollars in one. */
const FACTOR: Record<AmountUnit, bigint> = { dollar: 1_000_000_000n, cent: 10_000_000n, micro: 1_000n, nano: 1n };
/** Without spaces and points. */
const DOLLARS = new Set('|$|USD|US$|US|USD$|$USD|$US|DOLLAR|DOLLARS|USDOLLAR|USDOLLARS'.split('|'));
const MAX_CHARACTERS = 60;

/** Whether a cell names dollars, or no currency at all. */
export const isDollars = (currency: string): boolean => DOLLARS.has(currency.replace(/[\s.]/g, '').toUpperCase());

/** Signs, and what encloses an amount below zero. */
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
  return { nano: isNegative ? 0 - nano.value : nano.value, ...(nano.exact ? {} : { isRounded: true }) };
}

/** The number of a cell without the spaces and apostrophes in it, and what stands around it; undefined if there is none. */
function numberIn(text: string): { before: string; number: string; after: string } | undefined {
  const start = text.search(/[\d.,]/);
  if (start < 0 || text.length > MAX_CHARACTERS) return undefined;
  let end = text.length;
  while (end > start && !/\d/.test(text[end - 1] ?? '')) end -= 1;
  const number = text.slice(start, end).replace(/['’\s]/g, '');
  return { before: text.slice(0, start), number, after: text.slice(end) };
}

/** How many units a cell says, without their name; null if it is no number. */
export function quantityOf(cell: string, { isDecimalComma }: AmountForm): number | null {
  if (cell.includes(',') && !isDecimalComma) return null;
  const quantity = Number.parseFloat(isDecimalComma ? (plainNumber(numberIn(cell)?.number ?? '', true) ?? '') : cell);
  return Number.isFinite(quantity) ? quantity : null;
}

/** With a point before its decimals and without separators; undefined where the separators are not those of thousands. */
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
 * Whether the amounts of a column have a comma before their decimals. One that can be read in one way alone decides for all: `0,400` and
 * `1.234,5`, or `0.400` and `1,600,000`. Where each could be thousands, as `1,600`, commas that separate the cells too, and units of which
 * nobody writes parts, say that they are; of those so do points, as in `400.000`.
 */
export function hasDecimalComma(
  cells: Iterable<string>,
  { separator, unit }: { separator: string; unit: AmountUnit },
): boolean {
  const open = new Set<string>();
  let isFound = false;
  for (const cell of cells) {
    const number = numberIn(cell.trim())?.number ?? '';
    const mark = decimalMarkOf(number);
    if (mark === '.') return false;
    if (mark === ',') isFound = true;
    if (mark === 'either') open.add(number.includes(',') ? ',' : '.');
  }
  if (isFound) return true;
  if (open.size !== 1) return false;
  return hasParts(unit) ? open.has(',') && separator !== ',' : open.has('.');
}

/** What stands before the decimals of a number, or would; undefined if it does not say. */
function decimalMarkOf(number: string): ',' | '.' | 'either' | undefined {
  const [comma, point] = [number.lastIndexOf(','), number.lastIndexOf('.')];
  if (comma < 0 && point < 0) return undefined;
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  const [mark, other] = comma >= 0 ? ([',', '.'] as const) : (['.', ','] as const);
  const groups = number.split(mark);
  if (groups.length > 2) return areThousands(groups) ? other : undefined;
  return areThousands(groups) ? 'either' : mark;
}
