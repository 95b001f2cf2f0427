import { parseDecimal, toInteger } from '../../../shared/decimal.ts';
import { MAX_REQUEST_NANO, type Nano } from '../../../shared/money.ts';
import type { AmountUnit } from '../../../shared/statement/statement.ts';

/** The amounts of a bill: whole nano-dollars, or a sentence about what they are instead. */

export type BillAmount = { nano: Nano } | { fault: string };

export interface AmountForm {
  unit: AmountUnit;
  /** `0,40`; points separate thousands. */
  isDecimalComma: boolean;
}

/** Nano-dollars in one. */
const FACTOR: Record<AmountUnit, bigint> = { dollar: 1_000_000_000n, cent: 10_000_000n, micro: 1_000n, nano: 1n };
const DOLLARS = new Set(['', '$', 'USD', 'US$', 'US', 'USD$', '$USD', '$US']);
const MAX_CHARACTERS = 60;

/** Whether a cell names dollars, or no currency at all. */
export const isDollars = (currency: string): boolean => DOLLARS.has(currency.trim().toUpperCase());

/** Signs, and what encloses an amount below zero. */
const withoutSigns = (text: string): string => text.replace(/[-−+()\s]/g, '').toUpperCase();

export function parseAmount(cell: string, { unit, isDecimalComma }: AmountForm): BillAmount {
  const text = cell.trim();
  if (text === '') return { fault: 'is empty.' };
  const start = text.search(/[\d.,]/);
  if (start < 0 || text.length > MAX_CHARACTERS) return { fault: 'is no amount.' };
  let end = text.length;
  while (end > start && !/\d/.test(text[end - 1] ?? '')) end -= 1;
  const [before, number, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const currency = withoutSigns(before) + withoutSigns(after);
  if (!isDollars(currency)) return { fault: `is in ${currency.slice(0, 20)}, and only dollars can be compared.` };
  const plain = plainNumber(number, isDecimalComma);
  const decimal = plain === undefined ? undefined : parseDecimal(plain);
  if (!decimal) return { fault: 'is no amount.' };
  const nano = toInteger(decimal, FACTOR[unit]);
  if (!nano || nano.value > MAX_REQUEST_NANO) return { fault: 'is more than a million dollars.' };
  if (!nano.exact) return { fault: 'is finer than a nano-dollar, and no sum would be exact.' };
  const isNegative = /[-−]/.test(before) || after.includes('-') || (before.includes('(') && after.includes(')'));
  return { nano: isNegative ? 0 - nano.value : nano.value };
}

/** With a point before its decimals and without separators; undefined where the separators are not those of thousands. */
function plainNumber(text: string, isDecimalComma: boolean): string | undefined {
  const [thousands, point] = isDecimalComma ? ['.', ','] : [',', '.'];
  const [whole = '', ...decimals] = text.replace(/['’\s]/g, '').split(point);
  if (decimals.length > 1) return undefined;
  const groups = whole.split(thousands);
  if (groups.length > 1 && (groups[0] === '' || groups.some((group, at) => at > 0 && group.length !== 3)))
    return undefined;
  return `${groups.join('')}${decimals.length === 1 ? `.${decimals[0]}` : ''}`;
}

/** Whether the amounts of a column have a comma before their decimals: nothing else separates its cells, and no point is in them. */
export function hasDecimalComma(cells: Iterable<string>, separator: string): boolean {
  if (separator === ',') return hasOnlyDecimalCommas(cells);
  let commas = 0;
  for (const cell of cells) {
    const [comma, point] = [cell.lastIndexOf(','), cell.lastIndexOf('.')];
    if (point > comma) return false;
    if (comma >= 0) commas += 1;
  }
  return commas > 0;
}

/** In a table with commas a cell is quoted for one: it is a decimal comma if it cannot separate thousands. */
function hasOnlyDecimalCommas(cells: Iterable<string>): boolean {
  let decimals = 0;
  for (const cell of cells) {
    if (cell.includes('.')) return false;
    const comma = cell.indexOf(',');
    if (comma < 0) continue;
    const behind = cell.slice(comma + 1).replace(/\D/g, '');
    if (behind.length !== 3) decimals += 1;
  }
  return decimals > 0;
}
