import { textLines } from '../text/textLines.ts';
import { columnOfHeader } from './cellValues.ts';
import { type CsvRow, csvCell, csvRows, plainCell, separatorOf } from './csv.ts';

/** Reads and edits the text of a table (CSV) or of lines. */

/** The column of a header cell, aliases resolved. */
export const columnName = (cell: string): string => columnOfHeader(plainCell(cell).trim().toLowerCase());

/** The columns named in line 1. */
export function columnNames(text: string): string[] {
  for (const { cells } of csvRows(text, separatorOf(text))) return cells.map(columnName);
  return [];
}

/** The cells by line and column, as they are written. */
export type CellsByLine = ReadonlyMap<number, Readonly<Record<string, string>>>;

export function cellsByLine(text: string): CellsByLine {
  const [header, ...rows] = csvRows(text, separatorOf(text));
  const names = header?.cells.map(columnName) ?? [];
  return new Map(
    rows.map(({ line, cells }) => [
      line,
      Object.fromEntries(names.map((name, index) => [name, plainCell(cells[index] ?? '')])),
    ]),
  );
}

/** The line on which each row begins, header included. */
export const rowLines = (text: string): number[] => Array.from(csvRows(text, separatorOf(text)), ({ line }) => line);

/** The text with a new value in one column of the rows that begin on these lines. */
export function withCell(text: string, lines: ReadonlySet<number>, column: string, value: string): string {
  return withRows(text, (row, names) => {
    if (!lines.has(row.line)) return [row.cells];
    const at = names.indexOf(column);
    return [row.cells.map((cell, index) => (index === at ? value : plainCell(cell)))];
  });
}

/** The text without a column, by its header as reported: whole, or the beginning of a long one. */
export function withoutColumn(text: string, name: string): string {
  return withRows(text, ({ cells }, names) => {
    const whole = names.lastIndexOf(name);
    const at = whole >= 0 ? whole : names.findLastIndex((own) => own !== '' && own.startsWith(name));
    return [at < 0 ? cells : cells.toSpliced(at, 1).map(plainCell)];
  });
}

/** The text with changed rows rewritten, each as any number of rows; `change` returns the same cells for an unchanged row. */
export function withRows(text: string, change: (row: CsvRow, names: string[]) => string[][]): string {
  const separator = separatorOf(text);
  let names: string[] | undefined;
  let result = '';
  let from = 0;
  for (const row of csvRows(text, separator)) {
    names ??= row.cells.map(columnName);
    const rows = change(row, names);
    if (rows.length === 1 && rows[0] === row.cells) continue;
    const end = rows.length === 0 ? behindBreak(text, row.end) : row.end;
    result += text.slice(from, row.start) + rows.map((cells) => cells.map(csvCell).join(separator)).join('\r\n');
    from = end;
  }
  return result + text.slice(from);
}

/** The text with changed lines rewritten, each as any number of lines; undefined keeps a line. */
export function withLines(text: string, change: (line: number, words: string) => string[] | undefined): string {
  let result = '';
  let from = 0;
  for (const { line, start, end } of textLines(text)) {
    const lines = change(line, text.slice(start, end));
    if (!lines) continue;
    result += text.slice(from, start) + lines.join('\n');
    from = lines.length === 0 ? behindBreak(text, end) : end;
  }
  return result + text.slice(from);
}

const behindBreak = (text: string, end: number): number => end + (text.startsWith('\r\n', end) ? 2 : 1);
