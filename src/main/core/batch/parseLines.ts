import type { Reason } from '../../../shared/contract/result.ts';
import { BATCH_COLUMNS, type BatchColumn, type BatchFormat, NAME_ONCE } from '../../../shared/jobs/batch.ts';
import { columnOfField, MAX_PRINTED_NAME } from '../../../shared/tables/cellValues.ts';
import { type CsvRow, csvRows, plainCell, separatorOf } from '../../../shared/tables/csv.ts';
import { columnName } from '../../../shared/tables/tableText.ts';
import { tooDeepAt } from '../../../shared/text/depth.ts';
import { NOT_TEXT } from '../../../shared/text/nulCharacters.ts';
import { textLines } from '../../../shared/text/textLines.ts';
import { counted, formatCount, t } from '../../../shared/text/texts.ts';

/** The content of a line: values by column, and request fields of a JSON line. */
export interface LineContent {
  cells: ReadonlyMap<BatchColumn, unknown>;
  fields: ReadonlyMap<string, unknown>;
}

/** A line, or the reason why it cannot be read. */
export interface GivenLine extends LineContent {
  line: number;
  /** In characters. */
  length: number;
  errors: Reason[];
}

/** A longer line is not written by a person: it is reported and not read. */
const MAX_LINE = 300_000;
/** More columns are not a header. */
const MAX_COLUMNS = 200;
/** The most unknown names that are reported. */
const MAX_NAMED = 20;

const NOTHING_GIVEN: LineContent = { cells: new Map(), fields: new Map() };

const isColumn = (name: string): name is BatchColumn => (BATCH_COLUMNS as readonly string[]).includes(name);

/** The non-empty lines of a text. The header of a table is included only if it has an error. */
export function* givenLines(text: string, format: BatchFormat): Generator<GivenLine> {
  if (format === 'csv') yield* tableLines(text);
  else
    for (const { line, start, end } of textLines(text)) {
      const words = text.slice(start, Math.min(end, start + MAX_LINE + 1)).trim();
      if (words === '') continue;
      if (end - start > MAX_LINE) yield tooLong(line, end - start);
      else yield format === 'jsonl' ? jsonLine(line, words) : promptLine(line, words);
    }
}

/** The lengths of the non-empty lines, counted before any of them is read. */
export function* lineLengths(text: string, format: BatchFormat): Generator<number> {
  if (format !== 'csv') {
    for (const { start, end } of textLines(text)) if (text.slice(start, end).trim() !== '') yield end - start;
    return;
  }
  let isHeader = true;
  for (const { cells, fault, start, end } of csvRows(text, separatorOf(text))) {
    if (!isHeader && (fault !== undefined || cells.some((cell) => cell.trim() !== ''))) yield end - start;
    // Without a valid header nothing is read.
    if (isHeader && !cells.map(columnName).some(isColumn)) return;
    isHeader = false;
  }
}

/** The columns named in line 1. */
export function columnsOf(text: string): string[] {
  for (const { cells } of csvRows(text, separatorOf(text))) return cells.slice(0, MAX_COLUMNS).map(columnName);
  return [];
}

const wrong = (line: number, length: number, ...errors: Reason[]): GivenLine => ({
  line,
  length,
  ...NOTHING_GIVEN,
  errors,
});

const tooLong = (line: number, length: number): GivenLine =>
  wrong(line, length, {
    field: '',
    message: t`The line has ${formatCount(length)} characters; at most ${formatCount(MAX_LINE)} are read.`,
  });

const promptLine = (line: number, words: string): GivenLine => ({
  line,
  length: words.length,
  cells: new Map([['prompt', words]]),
  fields: new Map(),
  errors: textErrors(['prompt', words]),
});

const textErrors = (...cells: [string, unknown][]): Reason[] =>
  cells
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([field]) => ({ field, message: NOT_TEXT }));

function* tableLines(text: string): Generator<GivenLine> {
  let names: string[] | undefined;
  for (const row of csvRows(text, separatorOf(text))) {
    if (names) {
      const given = tableLine(row, names);
      if (given) yield given;
      continue;
    }
    names = row.cells.slice(0, MAX_COLUMNS + 1).map(columnName);
    const errors = headerErrors(row, names);
    if (errors.length > 0) yield wrong(row.line, row.end - row.start, ...errors);
    // Without a valid header cells mean nothing.
    if (!names.some(isColumn) || row.cells.length > MAX_COLUMNS) return;
  }
}

function headerErrors({ line, fault, cells }: CsvRow, names: readonly string[]): Reason[] {
  if (cells.length > MAX_COLUMNS) {
    const message = t`Line ${line} has ${formatCount(cells.length)} columns; a batch has ${BATCH_COLUMNS.length}.`;
    return [{ field: '', message }];
  }
  const unknown = names
    .filter((name) => name !== '' && !isColumn(name))
    .map((name) => ({ field: printed(name), message: NO_COLUMN }));
  const seen = new Set<string>();
  const doubled = names
    .filter((name) => name !== '' && seen.size === seen.add(name).size)
    .map((name) => ({ field: printed(name), message: t`is a column twice.` }));
  const broken = fault === undefined ? [] : [{ field: '', message: `Line ${line} ${fault}` }];
  return [...broken, ...unknown.slice(0, MAX_NAMED), ...doubled.slice(0, MAX_NAMED)];
}

const NO_COLUMN = `is no column of a batch; these are: ${BATCH_COLUMNS.join(', ')}.`;
const printed = (name: string): string => name.slice(0, MAX_PRINTED_NAME);

/** Undefined for a row of empty cells. */
function tableLine(row: CsvRow, names: readonly string[]): GivenLine | undefined {
  const { line, fault, cells, start, end } = row;
  const length = end - start;
  if (length > MAX_LINE) return tooLong(line, length);
  if (fault !== undefined) return wrong(line, length, { field: '', message: t`The line ${fault}` });
  if (cells.every((cell) => cell.trim() === '')) return undefined;
  if (cells.length !== names.length) {
    const message = t`The line has ${counted(cells.length, 'cell')} and line 1 has ${names.length}; a comma inside a cell needs quotes around it.`;
    return wrong(line, length, { field: '', message });
  }
  const own = new Map<BatchColumn, unknown>();
  const errors: Reason[] = [];
  for (const [index, name] of names.entries()) {
    const cell = plainCell(cells[index] ?? '');
    if (isColumn(name)) own.set(name, cell);
    else if (name === '' && cell.trim() !== '')
      errors.push({ field: `column ${index + 1}`, message: t`has no name in line 1.` });
  }
  return { line, length, cells: own, fields: new Map(), errors: [...errors, ...textErrors(...own)] };
}

function jsonLine(line: number, text: string): GivenLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong(line, text.length, { field: '', message: t`The line is not valid JSON.` });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong(line, text.length, {
      field: '',
      message: t`The line must be a JSON object, such as {"prompt": "…"}.`,
    });
  if (tooDeepAt(value) !== undefined)
    return wrong(line, text.length, { field: '', message: t`The line nests too deep.` });
  const given = givenIn(value);
  const doubled = repeatedName(text);
  const errors = doubled === undefined ? [] : [{ field: printed(doubled), message: NAME_ONCE }];
  return { line, length: text.length, ...given, errors: [...errors, ...given.errors] };
}

/** The content of an object; names that are no column are request fields. */
export function givenIn(value: object): LineContent & { errors: Reason[] } {
  const cells = new Map<BatchColumn, unknown>();
  const fields = new Map<string, unknown>();
  const errors: Reason[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const column = isCell(inner) ? columnOfField(name) : name;
    if (isColumn(column)) {
      if (cells.has(column)) errors.push({ field: column, message: t`is a column twice.` });
      cells.set(column, inner);
    } else if (name === '__proto__') errors.push({ field: name, message: NO_COLUMN });
    else fields.set(name, inner);
  }
  return { cells, fields, errors: [...errors, ...textErrors(...cells)] };
}

/** A cell holds plain values; a request field may hold objects or lists. */
const isCell = (value: unknown): boolean =>
  typeof value !== 'object' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** The cells of a wrong line, as written. */
export function shownCells({ cells }: LineContent): Record<string, string> {
  return Object.fromEntries(
    [...cells].map(([name, value]) => [
      name,
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200),
    ]),
  );
}

/**
 * The path of the first name that one object of a JSON text has twice: `prompt`, `config.seed`. JSON.parse silently keeps the last one. The
 * text must be valid JSON; the work is linear.
 */
export function repeatedName(text: string): string | undefined {
  const open: { names: Set<string>; last: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push({ names: new Set(), last: '' });
    else if (sign === '}' || sign === ']') open.pop();
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    const object = open.at(-1);
    if (object && isName(text, end)) {
      object.last = JSON.parse(text.slice(at, end)) as string;
      if (object.names.size === object.names.add(object.last).size) return pathOf(open);
    }
    at = end - 1;
  }
  return undefined;
}

const pathOf = (open: readonly { last: string }[]): string =>
  open
    .map(({ last }) => last)
    .filter((name) => name !== '')
    .join('.');

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text[at] ?? ':')) at += 1;
  return text[at] === ':';
}
