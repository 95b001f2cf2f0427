import { withoutStart } from '../text/trimmed.ts';

/**
 * Spreadsheets take a cell with such a beginning for a formula, even quoted, and a formula can send neighbouring cells elsewhere. Some strip
 * blanks and invisible characters before it, or accept full-width signs.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

const isFormula = (text: string): boolean => FORMULA.test(withoutStart(text, "'"));

/**
 * A text as one cell (RFC 4180). A leading `'` keeps spreadsheets from reading a formula (OWASP "CSV Injection"); {@link plainCell} removes
 * it.
 */
export function csvCell(text: string): string {
  const plain = isFormula(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** The text of a cell that {@link csvCell} wrote. */
export const plainCell = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

export interface CsvRow {
  /** The line on which it begins, from 1. */
  line: number;
  /** Its position in the text, without its line break. */
  start: number;
  end: number;
  cells: string[];
  /** Why its cells cannot be separated: the end of a sentence about the row. */
  fault?: string;
}

/**
 * The rows of a CSV text (RFC 4180) in one pass, without empty lines. Quoted cells may hold separators, quotes and line breaks; rows end
 * with CRLF, LF or CR; a byte order mark is skipped, and so, uncounted, is a first line `sep=;`, which spreadsheets do not show. A faulty
 * row does not affect the next ones. `withEmpty`: empty lines are rows of one empty cell.
 */
export function* csvRows(text: string, separator: string, { withEmpty = false } = {}): Generator<CsvRow> {
  let at = declared(text)?.end ?? (text.startsWith('\ufeff') ? 1 : 0);
  let line = 1;
  while (at < text.length) {
    const row = { line, ...rowAt(text, at, separator) };
    line += linesIn(text, row.start, row.end) + 1;
    at = row.end + (text.startsWith('\r\n', row.end) ? 2 : 1);
    if (withEmpty || row.cells.length > 1 || row.cells[0] !== '') yield row;
  }
}

function rowAt(text: string, start: number, separator: string): Omit<CsvRow, 'line'> {
  const row: Omit<CsvRow, 'line'> = { start, end: start, cells: [] };
  for (let at = start; ; at = row.end + 1) {
    const cell = cellAt(text, at, separator);
    row.cells.push(cell.text);
    row.end = cell.end;
    if (cell.fault !== undefined) row.fault ??= cell.fault;
    if (text[row.end] !== separator) return row;
  }
}

/** Spreadsheets also write semicolons, and copy tabs. */
const SEPARATORS = [',', ';', '\t'];

/** The possible separators: the declared one, or all that spreadsheets write. */
export function separatorsOf(text: string): string[] {
  const own = declared(text)?.separator;
  return own === undefined ? SEPARATORS : [own];
}

/** The separator, by the first line. */
export function separatorOf(text: string): string {
  const first = text.slice(0, plainEnd(text, 0, ''));
  const count = (separator: string): number => rowAt(first, 0, separator).cells.length;
  return separatorsOf(text).reduce((best, next) => (count(next) > count(best) ? next : best));
}

const DECLARATION = /^\ufeff?"?sep=([^\r\n"])"?\1*(?:\r\n|\n|\r|$)/i;

/** The separator that a first line `sep=;` declares, and the start of the next line. */
function declared(text: string): { separator: string; end: number } | undefined {
  const [line, separator] = DECLARATION.exec(text.slice(0, 200)) ?? [];
  return line === undefined || separator === undefined ? undefined : { separator, end: line.length };
}

interface Cell {
  text: string;
  /** The index after the separator, the line break or the text. */
  end: number;
  fault?: string;
}

function cellAt(text: string, start: number, separator: string): Cell {
  if (text[start] !== '"') {
    const end = plainEnd(text, start, separator);
    return { text: text.slice(start, end), end };
  }
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0)
      return { text: value + text.slice(from), end: text.length, fault: 'has a quote that is never closed.' };
    value += text.slice(from, quote);
    from = quote + 1;
    if (text[from] !== '"') break;
    value += '"';
    from += 1;
  }
  const end = plainEnd(text, from, separator);
  if (end === from) return { text: value, end };
  return {
    text: value + text.slice(from, end),
    end,
    fault: 'has text behind a closing quote; write a quote inside as "".',
  };
}

function plainEnd(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1)
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1;
  return count;
}
