import { BATCH_COLUMNS, type BatchFormat, MAX_BATCH_TEXT } from '../../../../shared/batch.ts';
import { wholeNumber, yesOrNo } from '../../../../shared/cellValues.ts';
import { columnOfField } from '../../../../shared/columnAliases.ts';
import { csvCell, csvRows, plainCell, separatorOf } from '../../../../shared/csv.ts';
import { escapeChoice, expandPrompt } from '../../../../shared/promptMatrix.ts';
import type { Result } from '../../../../shared/result.ts';
import {
  columnName,
  columnNames,
  rowLines,
  withCell,
  withLines,
  withoutColumn,
  withRows,
} from '../../../../shared/tableText.ts';
import { textLines } from '../../../../shared/textLines.ts';
import { t } from '../../../../shared/texts.ts';
import { textOfFile } from '../../../media/textOfFile.ts';

/** The text of a batch: in which form it is, and what mends it. What is wrong with it says the studio. */

/** A first line with the name of a column is a table's, a first `{` begins JSON lines; anything else is one prompt a line. */
export function formatOf(text: string): BatchFormat {
  const head = text.slice(0, 4_000);
  if (head.trimStart().startsWith('{"')) return 'jsonl';
  const names = columnNames(head);
  return names.some((name) => (BATCH_COLUMNS as readonly string[]).includes(name)) ? 'csv' : 'lines';
}

/** The cells of a line as they stand there, by the names of a batch; of a JSON line those that hold one value. */
export function cellsOf(text: string, format: BatchFormat, line: number): [field: string, value: string][] {
  if (format === 'csv') {
    let names: string[] | undefined;
    for (const row of csvRows(text, separatorOf(text))) {
      names ??= row.cells.map(columnName);
      if (row.line === line)
        return names.map((name, at): [string, string] => [name, plainCell(row.cells[at] ?? '')]).filter(isKnown);
    }
    return [];
  }
  for (const { line: own, start, end } of textLines(text)) {
    if (own !== line) continue;
    const words = text.slice(start, end);
    if (format === 'lines') return [['prompt', words.trim()]];
    return jsonEntries(words)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]): [string, string] => [columnOfField(name), String(value)])
      .filter(isKnown);
  }
  return [];
}

const isKnown = ([name]: [string, string]): boolean => (BATCH_COLUMNS as readonly string[]).includes(name);

/** The text with another value in one cell; an empty one takes a JSON value away. */
export function withValue(
  text: string,
  format: BatchFormat,
  at: { line: number; field: string },
  value: string,
): string {
  const { line, field } = at;
  if (format === 'csv') return withCell(text, line, field, value);
  return withLines(text, (own, words) => {
    if (own !== line) return undefined;
    return [format === 'lines' ? value : withJsonValue(words, field, value)];
  });
}

function withJsonValue(words: string, field: string, value: string): string {
  const entries = jsonEntries(words).filter(([name]) => columnOfField(name) !== field);
  if (value !== '') entries.push([field, isWords(field) ? value : (wholeNumber(value) ?? yesOrNo(value) ?? value)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The text with a JSON line written anew: of a name that it has twice, the last value stays. */
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

/** The text without what its header or a JSON line names and no batch has. */
export const withoutField = (text: string, format: BatchFormat, at: { line: number; field: string }): string =>
  format === 'csv' ? withoutColumn(text, at.field) : withValue(text, format, at, '');

/** The text without what is left out; of a line with choices, a line for each member that stays. */
export function mended(text: string, format: BatchFormat, leaveOut: ReadonlySet<string>): string {
  const lines = new Set([...leaveOut].map((what) => Number(what.split('.')[0])));
  if (format === 'csv')
    return withRows(text, (row, names) => {
      if (!lines.has(row.line)) return [row.cells];
      const at = names.indexOf('prompt');
      const prompts = promptsLeft(row.line, plainCell(row.cells[at] ?? ''), leaveOut);
      return prompts.map((prompt) => row.cells.map((cell, index) => (index === at ? prompt : plainCell(cell))));
    });
  return withLines(text, (line, words) => {
    if (!lines.has(line)) return undefined;
    if (format === 'lines') return promptsLeft(line, words.trim(), leaveOut);
    const prompt = jsonEntries(words).find(([name]) => name === 'prompt')?.[1];
    const prompts = promptsLeft(line, typeof prompt === 'string' ? prompt : '', leaveOut);
    return prompts.map((left) => withJsonValue(words, 'prompt', left));
  });
}

/** What is left of a line: nothing, or its members one by one, their braces kept from being read as choices. */
function promptsLeft(line: number, prompt: string, leaveOut: ReadonlySet<string>): string[] {
  if (leaveOut.has(String(line))) return [];
  const expanded = expandPrompt(prompt);
  if (!expanded.ok || expanded.data.length === 1) return [prompt];
  return expanded.data.filter((_, index) => !leaveOut.has(`${line}.${index + 1}`)).map(escapeChoice);
}

const EXAMPLES: readonly Partial<Record<(typeof BATCH_COLUMNS)[number], string>>[] = [
  {
    kind: 'video',
    prompt: t`A harbour at night, rain, the boat still lit`,
    seconds: '8',
    resolution: '720p',
    audio: 'true',
  },
  { kind: 'imagine', prompt: t`A ferry quay in {rain|fog}, {sodium|mercury} lamps --ar 16:9`, mode: 'fast' },
  { kind: 'chat', prompt: t`Three names for a ferry` },
];

/** A table with every column, and a line of each sort to write over. */
export const template = (): string =>
  [Object.fromEntries(BATCH_COLUMNS.map((name) => [name, name])), ...EXAMPLES]
    .map((row: Partial<Record<string, string>>) => BATCH_COLUMNS.map((name) => csvCell(row[name] ?? '')).join(','))
    .join('\r\n');

/** The text of a file, if it is one that a batch can be read from. */
export const textOfBatchFile = (file: Blob & { name: string }): Promise<Result<string>> =>
  textOfFile(file, MAX_BATCH_TEXT);

/** What is left out of the mended text: a row keeps its mark where a cell with line breaks above it came or went. */
export function leftOutAfter(
  before: string,
  after: string,
  format: BatchFormat,
  leaveOut: ReadonlySet<string>,
): ReadonlySet<string> {
  if (format !== 'csv' || leaveOut.size === 0) return leaveOut;
  const rows = rowLines(before);
  const lines = rowLines(after);
  return new Set(
    [...leaveOut].map((key) => {
      const [line = '', ...member] = key.split('.');
      return [lines[rows.indexOf(Number(line))] ?? line, ...member].join('.');
    }),
  );
}
