import {
  isBlankShot,
  MAX_SHOTS,
  NEW_SHOT_CONFIG,
  type NewShot,
  newShotSchema,
  SHOT_SOURCES,
  type Shot,
} from '../../../shared/board/board.ts';
import { linkOfSource } from '../../../shared/board/shotLinks.ts';
import {
  SHOT_COLUMNS,
  type ShotColumn,
  type ShotListReading,
  type ShotListRow,
  TAKE_COLUMNS,
} from '../../../shared/board/shotList.ts';
import {
  fail,
  ok,
  parseInput,
  type Reason,
  type Result,
  refuse,
  type StudioError,
} from '../../../shared/contract/result.ts';
import { faultOfTrim, type Trim } from '../../../shared/film/trim.ts';
import { type Job, resultsOf } from '../../../shared/jobs/job.ts';
import { EXTENSION_SECONDS, isClipLength } from '../../../shared/kinds/video.ts';
import { type VideoConfig, videoConfigSchema } from '../../../shared/kinds/videoConfig.ts';
import {
  LENGTH_RULE,
  MAX_PRINTED_NAME,
  SEED_RULE,
  wholeNumber,
  YES_NO_RULE,
  yesOrNo,
} from '../../../shared/tables/cellValues.ts';
import { type CsvRow, csvRows, plainCell, separatorOf } from '../../../shared/tables/csv.ts';
import { columnName } from '../../../shared/tables/tableText.ts';
import { NOT_TEXT } from '../../../shared/text/nulCharacters.ts';
import { textLines } from '../../../shared/text/textLines.ts';
import { counted, en, formatCount, t } from '../../../shared/text/texts.ts';

/** Reads a shot list, CSV or one prompt a line, into new shots. */

interface ShotListLimits {
  /** The gateway's video models; the first is the default. If empty, any model is accepted. */
  models: readonly string[];
  /** How many more shots the board can hold. */
  room: number;
}

/** Longer lists are refused, to limit the answer; a board holds at most {@link MAX_SHOTS}. */
const MAX_ROWS = 2_000;

export function readShotList(text: string, format: 'csv' | 'lines', limits: ShotListLimits): Result<ShotListReading> {
  const separator = format === 'csv' ? separatorOf(text) : '';
  const source = [...(format === 'csv' ? csvRows(text, separator) : promptLines(text))];
  const count = source.length - (format === 'csv' ? 1 : 0);
  if (count > MAX_ROWS) {
    const most = formatCount(MAX_ROWS);
    const message = en`text: has ${formatCount(count)} rows; at most ${most} are read at once.`;
    return fail('invalid_input', message, { field: 'text' });
  }
  const rows = format === 'csv' ? readTable(source, limits) : source.map((row) => readPrompt(row, limits));
  const fitting = withoutFirstLink(withinRoom(rows, limits.room), limits);
  const bad = fitting.filter(({ errors }) => errors.length > 0).length;
  return ok({ rows: fitting, good: fitting.length - bad, bad });
}

/** The non-empty lines of a text, each as a row of one cell. */
function* promptLines(text: string): Generator<CsvRow> {
  for (const { line, start, end } of textLines(text)) {
    const prompt = text.slice(start, end).trim();
    if (prompt !== '') yield { line, start, end, cells: [prompt] };
  }
}

const readPrompt = ({ line, cells: [prompt = ''] }: CsvRow, limits: ShotListLimits): ShotListRow =>
  finished(line, { ...emptyReading(limits, []), shot: { prompt, model: limits.models[0] ?? '' } });

function readTable([header, ...body]: CsvRow[], limits: ShotListLimits): ShotListRow[] {
  if (!header) return [];
  const columns = header.cells.map(columnName);
  const errors = headerErrors(header, columns);
  const wrong = errors.length > 0 ? [{ line: header.line, errors }] : [];
  if (!columns.some(isShotColumn)) return wrong;
  const rows = body.filter(({ cells, fault }) => fault !== undefined || cells.some((cell) => cell.trim() !== ''));
  return [...wrong, ...rows.map((row) => readRow(row, columns, limits))];
}

const isShotColumn = (name: string): name is ShotColumn => (SHOT_COLUMNS as readonly string[]).includes(name);
const isTakeColumn = (name: string): boolean => (TAKE_COLUMNS as readonly string[]).includes(name);

function headerErrors({ fault }: CsvRow, columns: readonly string[]): Reason[] {
  const unknown = columns
    .filter((name) => name !== '' && !isShotColumn(name) && !isTakeColumn(name))
    .map((name) => ({
      field: name.slice(0, MAX_PRINTED_NAME),
      message: t`is no column of a shot list; these are: ${SHOT_COLUMNS.join(', ')}.`,
    }));
  const seen = new Set<string>();
  const doubled = columns
    .filter((name) => name !== '' && seen.size === seen.add(name).size)
    .map((name) => ({ field: name.slice(0, MAX_PRINTED_NAME), message: t`is a column twice.` }));
  const broken = fault === undefined ? [] : [{ field: '', message: `Line 1 ${fault}` }];
  const missing =
    columns.includes('prompt') || columns.includes('title')
      ? []
      : [{ field: 'prompt', message: t`a shot list needs this column, or a title.` }];
  return [...broken, ...unknown.slice(0, MAX_NAMED), ...doubled.slice(0, MAX_NAMED), ...missing];
}

/** The most unknown names that are reported. */
const MAX_NAMED = 20;

interface RowReading {
  shot: Partial<NewShot>;
  config: VideoConfig;
  errors: Reason[];
  models: readonly string[];
  columns: readonly string[];
}

/** A missing column keeps the default of a new shot; an empty cell leaves the setting unset. */
const emptyReading = ({ models }: ShotListLimits, columns: readonly string[]): RowReading => ({
  shot: {},
  config: { ...NEW_SHOT_CONFIG },
  errors: [],
  models,
  columns,
});

function readRow(row: CsvRow, columns: readonly string[], limits: ShotListLimits): ShotListRow {
  const reading = emptyReading(limits, columns);
  if (row.fault !== undefined) return { line: row.line, errors: [{ field: '', message: t`The row ${row.fault}` }] };
  if (row.cells.length !== columns.length) {
    const message = t`The row has ${counted(row.cells.length, 'cell')} and line 1 has ${columns.length}; a comma inside a cell needs quotes around it.`;
    return { line: row.line, errors: [{ field: '', message }] };
  }
  for (const [index, column] of columns.entries()) {
    const cell = plainCell(row.cells[index] ?? '');
    if (isShotColumn(column)) readCell(reading, column, cell);
    else if (column === '' && cell.trim() !== '')
      reading.errors.push({ field: `column ${index + 1}`, message: t`has no name in line 1.` });
  }
  return finished(row.line, {
    ...reading,
    shot: { ...reading.shot, model: reading.shot.model || limits.models[0] || '' },
  });
}

function readCell(reading: RowReading, column: ShotColumn, cell: string): void {
  const wrong = cell.includes('\0')
    ? NOT_TEXT
    : READERS[column](reading, column === 'title' || column === 'prompt' ? cell : cell.trim());
  if (wrong !== undefined) reading.errors.push({ field: column, message: wrong });
}

/** Puts a cell into its row; returns the rule that it breaks. */
type CellReader = (reading: RowReading, cell: string) => string | undefined;

const text =
  (field: 'title' | 'prompt'): CellReader =>
  ({ shot }, cell) => {
    shot[field] = cell;
    return undefined;
  };

/** A setting of the video configuration; `parse` returns undefined for an invalid cell. */
const setting =
  (field: keyof VideoConfig, parse: (cell: string) => unknown, rule: string): CellReader =>
  ({ config }, cell) => {
    delete config[field];
    if (cell === '') return undefined;
    const value = parse(cell);
    if (value === undefined || !videoConfigSchema.shape[field].safeParse(value).success) return rule;
    Object.assign(config, { [field]: value });
    return undefined;
  };

const READERS: Record<ShotColumn, CellReader> = {
  number: (_, cell) => (cell === '' || wholeNumber(cell) ? undefined : 'must be a whole number from 1, or empty.'),
  title: text('title'),
  prompt: text('prompt'),
  source({ shot }, cell) {
    const source = SHOT_SOURCES.find((name) => name.toLowerCase() === cell.toLowerCase());
    if (source) shot.source = source;
    return source || cell === ''
      ? undefined
      : `must be ${SHOT_SOURCES.slice(0, -1).join(', ')} or ${SHOT_SOURCES.at(-1)}.`;
  },
  model({ shot, models }, cell) {
    shot.model = cell;
    const isKnown = cell === '' || models.length === 0 || models.includes(cell);
    return isKnown ? undefined : t`${cell.slice(0, MAX_PRINTED_NAME)} is not in this gateway’s list of video models.`;
  },
  seconds: setting('durationSeconds', wholeNumber, LENGTH_RULE),
  resolution: setting('resolution', (cell) => cell.toLowerCase(), 'must be 720p or 1080p.'),
  aspect: setting('aspectRatio', (cell) => cell, 'must be 16:9 or 9:16.'),
  audio: setting('generateAudio', yesOrNo, YES_NO_RULE),
  seed: setting('seed', wholeNumber, SEED_RULE),
};

/** The row with its shot, if the rules about the whole row hold. */
function finished(line: number, { shot, config, errors, columns }: RowReading): ShotListRow {
  const isExtension = shot.source === 'extend';
  // An extension's length is fixed: it is accepted and not stored, or it would remain after a change of source.
  const { durationSeconds, ...rest } = config;
  const seconds = isExtension && !columns.includes('seconds') ? undefined : durationSeconds;
  const hasLength = seconds === undefined || isClipLength(seconds, isExtension);
  const rule = isExtension ? `must be ${EXTENSION_SECONDS} when extending.` : LENGTH_RULE;
  const wrong = hasLength ? errors : [...errors, { field: 'seconds', message: rule }];
  if (wrong.length > 0) return { line, errors: wrong };
  // The row does not state its start, so it starts from the shot before it.
  const joint = linkOfSource(shot.source ?? 'text');
  const parsed = parseInput(newShotSchema, {
    ...shot,
    config: isExtension ? rest : config,
    ...(joint ? { joint } : {}),
  });
  return parsed.ok ? { line, shot: parsed.data, errors: [] } : { line, errors: reasonsOf(parsed.error) };
}

const reasonsOf = ({ message, data }: StudioError): Reason[] =>
  (data?.reasons as Reason[] | undefined) ?? [{ field: '', message }];

/** Good rows beyond the board's room become errors. */
function withinRoom(rows: readonly ShotListRow[], room: number): ShotListRow[] {
  let left = room;
  return rows.map((row) => {
    if (row.errors.length > 0) return row;
    left -= 1;
    if (left >= 0) return row;
    const message = `is one too many: a board has at most ${MAX_SHOTS} shots, and this one has room for ${room}.`;
    return { line: row.line, errors: [{ field: 'number', message }] };
  });
}

/** The first shot of a film has no link. */
function withoutFirstLink(rows: readonly ShotListRow[], { room }: ShotListLimits): ShotListRow[] {
  const first = room < MAX_SHOTS ? -1 : rows.findIndex(({ shot }) => shot);
  return rows.map((row, index) => {
    return index === first && row.shot ? { ...row, shot: withoutLink(row.shot) } : row;
  });
}

const withoutLink = <Any extends NewShot>({ joint: _, ...shot }: Any) => shot;

export const tooManyShots = fail('wrong_state', en`shots: a board has at most ${MAX_SHOTS} shots; remove one first.`, {
  field: 'shots',
});

/** Where shots are added; default: at the end. */
export interface ShotPlace {
  before?: string | undefined;
  /** The blank shot to replace. */
  replaces?: string | undefined;
}

/** The board's shots with new ones inserted. `taken`: ids of removed shots, which may come back. */
export function withShots(
  shots: readonly Shot[],
  added: readonly Shot[],
  { before, replaces, taken }: ShotPlace & { taken: ReadonlyMap<string, Shot> },
): Result<Shot[]> {
  const ids = new Set([...shots.map(({ id }) => id), ...taken.keys()]);
  const twice = added.findIndex(({ id }) => ids.size === ids.add(id).size);
  if (twice >= 0) return refuse([{ field: `shots.${twice}.id`, message: en`is the id of another shot.` }]);
  const field = replaces === undefined ? 'before' : 'replaces';
  const named = replaces ?? before;
  const at = named === undefined ? shots.length : shots.findIndex(({ id }) => id === named);
  if (at < 0) return fail('not_found', `${field}: there is no such shot.`, { field });
  const old = replaces === undefined ? undefined : shots[at];
  if (old && !isBlankShot(old)) return fail('wrong_state', en`replaces: this shot is not blank.`, { field });
  const all = shots.toSpliced(
    at,
    old ? 1 : 0,
    ...added.map((shot, index) => (at + index === 0 ? withoutLink(shot) : shot)),
  );
  return all.length > MAX_SHOTS ? tooManyShots : ok(all);
}

/** The first new trim of a save that does not fit its clip. Old trims are kept, since their clip may be gone. */
export function refusalOfTrims(
  known: readonly Shot[],
  saved: readonly Shot[],
  getJob: (id: string) => Result<Job>,
): Result<never> | undefined {
  const before = new Set(known.flatMap(({ trims = [] }) => trims.map(textOf)));
  const faults = saved.flatMap(({ trims = [] }, shot) =>
    trims.flatMap((trim, index) => {
      const fault = before.has(textOf(trim)) ? undefined : faultOf(trim, getJob);
      return fault ? refuse([{ ...fault, field: `shots.${shot}.trims.${index}.${fault.field}` }]) : [];
    }),
  );
  return faults[0];
}

/** A clip of unknown length is not checked. */
function faultOf(trim: Trim, getJob: (id: string) => Result<Job>): Reason | undefined {
  const job = getJob(trim.take);
  const seconds = job.ok ? resultsOf(job.data)[trim.output ?? 0]?.seconds : undefined;
  return seconds === undefined ? undefined : faultOfTrim(trim, seconds);
}

const textOf = (trim: Trim): string => JSON.stringify(trim);
