import { withoutStart } from '../text/trimmed.ts';

/**
 * Spreadsheets take a cell with such a beginning for a formula, even if it is quoted, and a formula can send neighbouring cells
 * elsewhere. Some spreadsheets strip blanks and invisible characters before it, or accept full-width signs.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

const isFormula = (text: string): boolean => FORMULA.test(withoutStart(text, "'"));

/**
 * A text as one cell (RFC 4180); a leading `'` makes what looks like a formula plain text in every spreadsheet (OWASP "CSV Injection").
 * {@link plainCell} takes it off again.
 */
export function csvCell(text: string): string {
  const plain = isFormula(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** The text of a cell that {@link csvCell} wrote. */
export const plainCell = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

/** A row of a CSV text. */
export interface CsvRow {
  /** The line on which it begins; the first is 1. */
  line: number;
  /** Its place in the text, without its line break. */
  start: number;
  end: number;
  cells: string[];
  /** Why its cells cannot be told apart: the end of a sentence about the row. */
  fault?: string;
}

/**
 * The rows of a CSV text (RFC 4180) in one pass, empty lines left out. Quoted cells may hold separators, quotes and line breaks; rows end
 * with CRLF, LF or CR; a byte order mark is no part of the first cell, and a line `sep=;` above the table is no row and not counted, as
 * spreadsheets do not show it. A row with a fault does not keep the next ones from being read.
 * `withEmpty` gives the empty lines too, as rows of one empty cell.
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

/** What may separate the cells of a text: what it says itself, or each that spreadsheets write. */
export function separatorsOf(text: string): string[] {
  const own = declared(text)?.separator;
  return own === undefined ? SEPARATORS : [own];
}

/** What separates the cells of a text, by its first line. */
export function separatorOf(text: string): string {
  const first = text.slice(0, plainEnd(text, 0, ''));
  const count = (separator: string): number => rowAt(first, 0, separator).cells.length;
  return separatorsOf(text).reduce((best, next) => (count(next) > count(best) ? next : best));
}

const DECLARATION = /^\ufeff?"?sep=([^\r\n"])"?\1*(?:\r\n|\n|\r|$)/i;

/** The separator that a first line such as `sep=;` names, and where the next line begins. */
function declared(text: string): { separator: string; end: number } | undefined {
  const [line, separator] = DECLARATION.exec(text.slice(0, 200)) ?? [];
  return line === undefined || separator === undefined ? undefined : { separator, end: line.length };
}

interface Cell {
  text: string;
  /** The index behind it: of a separator, of a line break, or the length of the text. */
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

/** The number of line breaks in a part of a text. */
function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1)
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1;
  return count;
}
