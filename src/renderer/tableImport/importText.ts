import { escapeChoice, expandPrompt } from '../../shared/jobs/promptMatrix.ts';
import { columnOfField, wholeNumber, yesOrNo } from '../../shared/tables/cellValues.ts';
import { csvRows, plainCell, separatorOf } from '../../shared/tables/csv.ts';
import {
  columnName,
  columnNames,
  rowLines,
  withCell,
  withLines,
  withoutColumn,
  withRows,
} from '../../shared/tables/tableText.ts';
import { textLines } from '../../shared/text/textLines.ts';

/** The text of an import: its format and cells, and the text with changed cells. The studio finds the errors. */

export type ImportFormat = 'csv' | 'jsonl' | 'lines';

export interface Source {
  text: string;
  format: ImportFormat;
}

/** A table names one of these columns in its first line, JSON lines begin with `{"`; anything else is one prompt a line. */
export function formatOf(text: string, columns: readonly string[], formats: readonly ImportFormat[]): ImportFormat {
  const head = text.slice(0, 4_000);
  if (formats.includes('jsonl') && head.trimStart().startsWith('{"')) return 'jsonl';
  const isTable = columnNames(head).some((name) => columns.includes(name));
  return formats.includes('csv') && isTable ? 'csv' : (formats.at(-1) ?? 'csv');
}

/** The names in the first line of a table, as written. */
export function headerOf({ text, format }: Source): string[] {
  if (format === 'csv') for (const { cells } of csvRows(text, separatorOf(text))) return cells.map(plainCell);
  return [];
}

/** The table with another name for a column, or without that column. */
export const withHeader = (text: string, index: number, name: string | undefined): string => {
  let isHeader = true;
  return withRows(text, ({ cells }) => {
    const wasHeader = isHeader;
    isHeader = false;
    if (name === undefined) return [cells.toSpliced(index, 1).map(plainCell)];
    return [wasHeader ? cells.with(index, name).map(plainCell) : cells];
  });
};

/** The cells of a row by name; for a JSON line, the values that are text, numbers or booleans. */
export function cellsOf({ text, format }: Source, line: number): [field: string, value: string][] {
  if (format === 'csv') {
    let names: string[] | undefined;
    for (const row of csvRows(text, separatorOf(text))) {
      names ??= row.cells.map(columnName);
      if (row.line === line) return names.map((name, at) => [name, plainCell(row.cells[at] ?? '')]);
    }
    return [];
  }
  for (const { line: own, start, end } of textLines(text)) {
    if (own !== line) continue;
    const words = text.slice(start, end);
    if (format === 'lines') return [['prompt', words.trim()]];
    return jsonEntries(words)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [columnOfField(name), String(value)]);
  }
  return [];
}

/** The text with another value in one column of these rows; an empty value removes a JSON field. */
export function withValue({ text, format }: Source, lines: ReadonlySet<number>, field: string, value: string): string {
  if (format === 'csv') return withCell(text, lines, field, value);
  return withLines(text, (own, words) => {
    if (!lines.has(own)) return undefined;
    return [format === 'lines' ? value : withJsonValue(words, field, value)];
  });
}

function withJsonValue(words: string, field: string, value: string): string {
  const entries = jsonEntries(words).filter(([name]) => columnOfField(name) !== field);
  if (value !== '') entries.push([field, isWords(field) ? value : (wholeNumber(value) ?? yesOrNo(value) ?? value)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The text with one JSON line rewritten; of a duplicate name, the last value stays. */
export const withLastNames = (text: string, line: number): string =>
  withLines(text, (own, words) => (own === line ? [JSON.stringify(JSON.parse(words))] : undefined));

const isWords = (field: string): boolean => field === 'prompt' || field === 'model' || field === 'project';

function jsonEntries(words: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(words);
    return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

/** The text without a column named in its header or in a JSON line. */
export const withoutField = (source: Source, line: number, field: string): string =>
  source.format === 'csv' ? withoutColumn(source.text, field) : withValue(source, new Set([line]), field, '');

/** The text without skipped rows; a row with choices becomes a row for each choice that is not skipped. */
export function withoutSkipped({ text, format }: Source, skipped: ReadonlySet<string>): string {
  const lines = new Set([...skipped].map((key) => Number(key.split('.')[0])));
  if (format === 'csv')
    return withRows(text, (row, names) => {
      if (!lines.has(row.line)) return [row.cells];
      const at = names.indexOf('prompt');
      const prompts = promptsLeft(row.line, plainCell(row.cells[at] ?? ''), skipped);
      return prompts.map((prompt) => row.cells.map((cell, index) => (index === at ? prompt : plainCell(cell))));
    });
  return withLines(text, (line, words) => {
    if (!lines.has(line)) return undefined;
    if (format === 'lines') return promptsLeft(line, words.trim(), skipped);
    const prompt = jsonEntries(words).find(([name]) => name === 'prompt')?.[1];
    const prompts = promptsLeft(line, typeof prompt === 'string' ? prompt : '', skipped);
    return prompts.map((left) => withJsonValue(words, 'prompt', left));
  });
}

/** Empty for a skipped row; otherwise its choices one by one, with escaped braces. */
function promptsLeft(line: number, prompt: string, skipped: ReadonlySet<string>): string[] {
  if (skipped.has(String(line))) return [];
  const expanded = expandPrompt(prompt);
  if (!expanded.ok || expanded.data.length === 1) return [prompt];
  return expanded.data.filter((_, index) => !skipped.has(`${line}.${index + 1}`)).map(escapeChoice);
}

/** The skipped rows of a changed table: keys contain line numbers, which shift when line breaks in a cell above change. */
export function skippedAfter(before: string, after: Source, skipped: ReadonlySet<string>): ReadonlySet<string> {
  if (after.format !== 'csv' || skipped.size === 0) return skipped;
  const rows = rowLines(before);
  const lines = rowLines(after.text);
  return new Set(
    [...skipped].map((key) => {
      const [line = '', ...choice] = key.split('.');
      return [lines[rows.indexOf(Number(line))] ?? line, ...choice].join('.');
    }),
  );
}
