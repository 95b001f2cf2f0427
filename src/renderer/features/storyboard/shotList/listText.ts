import { MAX_CALL_TEXT } from '../../../../shared/callParts.ts';
import { type CsvRow, csvCell, csvRows, plainCell, separatorOf } from '../../../../shared/csv.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { SHOT_COLUMNS } from '../../../../shared/shotList.ts';

/** The text of a shot list: what its cells are, and what mends them. What is wrong says the studio. */

export type ListFormat = 'csv' | 'lines';

/** A text whose first line names a column of a shot list is a table; anything else is one prompt a line. */
export function formatOf(text: string): ListFormat {
  const [header] = csvRows(text.slice(0, 2_000), separatorOf(text));
  const names = header?.cells.map(nameOf) ?? [];
  return names.some((name) => (SHOT_COLUMNS as readonly string[]).includes(name)) ? 'csv' : 'lines';
}

const nameOf = (cell: string): string => plainCell(cell).trim().toLowerCase();

/** The cells of a table by line, as they stand there, by the names of line 1. */
export type CellsByLine = ReadonlyMap<number, Readonly<Record<string, string>>>;

export function cellsOf(text: string, format: ListFormat): CellsByLine {
  if (format === 'lines') return new Map();
  const [header, ...rows] = csvRows(text, separatorOf(text));
  const names = header?.cells.map(nameOf) ?? [];
  return new Map(
    rows.map(({ line, cells }) => [
      line,
      Object.fromEntries(names.map((name, index) => [name, plainCell(cells[index] ?? '')])),
    ]),
  );
}

/** The text with another value in one cell. */
export function withCell(text: string, line: number, column: string, value: string): string {
  return withRows(text, (row, names) => {
    if (row.line !== line) return row.cells;
    const at = names.indexOf(column);
    return row.cells.map((cell, index) => (index === at ? value : plainCell(cell)));
  });
}

/** The text without a column, by its name in line 1 as it was reported. */
export function withoutColumn(text: string, name: string): string {
  return withRows(text, ({ cells }, names) => {
    const at = names.findLastIndex((own) => own !== '' && own.startsWith(name));
    return at < 0 ? cells : cells.toSpliced(at, 1).map(plainCell);
  });
}

/** The text with the rows that changed written anew; `change` gives the same cells for a row that stays as it is. */
function withRows(text: string, change: (row: CsvRow, names: string[]) => string[]): string {
  const separator = separatorOf(text);
  const rows = [...csvRows(text, separator)];
  const names = rows[0]?.cells.map(nameOf) ?? [];
  let result = '';
  let from = 0;
  for (const row of rows) {
    const cells = change(row, names);
    if (cells === row.cells) continue;
    result += text.slice(from, row.start) + cells.map(csvCell).join(separator);
    from = row.end;
  }
  return result + text.slice(from);
}

/** The text without the rows that begin on these lines. */
export function withoutLines(text: string, format: ListFormat, lines: ReadonlySet<number>): string {
  if (format === 'lines') {
    const all = text.split(/\r\n|\n|\r/);
    return all.filter((_, index) => !lines.has(index + 1)).join('\n');
  }
  const out = [...csvRows(text, separatorOf(text))].filter(({ line }) => lines.has(line));
  let result = '';
  let from = 0;
  for (const { start, end } of out) {
    result += text.slice(from, start);
    from = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return result + text.slice(from);
}

/** The text of a file, if it is one: UTF-8, and no longer than what is read. */
export async function textOfFile(file: Blob & { name: string }): Promise<Result<string>> {
  if (file.size > MAX_CALL_TEXT * 4) {
    const megabytes = (file.size / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
    return fail('too_large', `${file.name} has ${megabytes} MB; a shot list has at most 500,000 characters.`);
  }
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
  } catch {
    return fail('invalid_input', `${file.name} is not UTF-8 text; save it as “CSV UTF-8”.`);
  }
}
