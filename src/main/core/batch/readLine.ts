import { parseInput, type Reason, type StudioError } from '../../../shared/contract/result.ts';
import type { BatchColumn } from '../../../shared/jobs/batch.ts';
import { expandPrompt } from '../../../shared/jobs/promptMatrix.ts';
import { allKinds, modelsFor, requestSchema, type StudioRequest } from '../../../shared/kinds/index.ts';
import { type Kind, REQUEST_COLUMNS, type RequestColumn } from '../../../shared/kinds/kind.ts';
import { isClipLength } from '../../../shared/kinds/video.ts';
import {
  LENGTH_RULE,
  MAX_PRINTED_NAME,
  SEED_RULE,
  wholeNumber,
  YES_NO_RULE,
  yesOrNo,
} from '../../../shared/tables/cellValues.ts';
import { en, t } from '../../../shared/text/texts.ts';
import type { LineContent } from './parseLines.ts';

/** Turns a line into requests, or into errors of its cells. */

export interface LineContext {
  /** Values for everything that a line leaves out. */
  defaults: LineContent;
  models: readonly { kind: string; id: string }[];
  projects: readonly { id: string; name: string }[];
}

export interface LineReading {
  /** One request for each choice of a line; none if there are errors. */
  requests: StudioRequest[];
  errors: Reason[];
  projectId?: string;
  night?: boolean;
}

export function readLine(given: LineContent, context: LineContext): LineReading {
  const kind = kindFrom(given, context);
  if ('error' in kind) return { requests: [], errors: [kind.error] };
  const errors: Reason[] = [];
  const start = startOf(kind, given, context);
  for (const column of REQUEST_COLUMNS) {
    const wrong = readColumn(start, kind, column, { given, context });
    if (wrong !== undefined) errors.push({ field: column, message: wrong });
  }
  const place = placeFrom(given, context);
  errors.push(...modelErrors(start, kind, context), ...place.errors);
  const members = requestsFrom(start, kind, { line: { given, context }, wrong: errors });
  const all = [...errors, ...members.errors].sort((a, b) => placeOf(a) - placeOf(b));
  const { projectId, night } = place;
  return {
    requests: all.length > 0 ? [] : members.requests,
    errors: all,
    ...(projectId === undefined ? {} : { projectId }),
    ...(night === undefined ? {} : { night }),
  };
}

/** Errors are sorted by column. */
const placeOf = ({ field }: Reason): number => (REQUEST_COLUMNS as readonly string[]).indexOf(field);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The line's value of the column, or the default. */
function valueFor(column: BatchColumn, given: LineContent, { defaults }: LineContext): unknown {
  const own = given.cells.get(column);
  if (!isEmpty(own)) return own;
  const other = defaults.cells.get(column);
  return isEmpty(other) ? undefined : other;
}

function kindFrom(given: LineContent, context: LineContext): Kind | { error: Reason } {
  const name = kindName(valueFor('kind', given, context));
  const kind = allKinds().find((known) => known.name === name);
  if (kind) return kind;
  const parsed = parseInput(requestSchema, { kind: name });
  const message = parsed.ok ? '' : (reasonsOf(parsed.error)[0]?.message ?? '');
  return { error: { field: 'kind', message: `${message}.` } };
}

const kindName = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** The request with the line's own fields, before its cells are read. */
function startOf(kind: Kind, given: LineContent, { defaults }: LineContext): Record<string, unknown> {
  const other = defaults.cells.get('kind');
  const isOfKind = isEmpty(other) || kindName(other) === kind.name;
  const start: Record<string, unknown> = structuredClone({
    ...kind.table.start?.(),
    ...(isOfKind ? Object.fromEntries(defaults.fields) : {}),
  });
  for (const column of REQUEST_COLUMNS) if (setsField(given, kind, column)) unset(start, pathsOf(kind, column));
  const own = [...given.fields].map(([name, value]) => {
    const before = start[name];
    // Settings that the line omits come from the defaults; a reference or a list is one value.
    const isMerged = isSettings(kind, name) && isObject(before) && isObject(value);
    return [name, isMerged ? { ...before, ...value } : value] as const;
  });
  return { ...structuredClone({ ...start, ...Object.fromEntries(own) }), kind: kind.name };
}

/** The field of a column and its alias. */
const pathsOf = ({ table }: Kind, column: RequestColumn): string[] =>
  [table.columns[column], table.aliases?.[column]].filter((path) => path !== undefined);

/** Whether the line sets the column's field directly. */
function setsField({ fields }: LineContent, kind: Kind, column: RequestColumn): boolean {
  const request = Object.fromEntries(fields);
  return pathsOf(kind, column).some((path) => at(request, path) !== undefined);
}

/** Removes values at paths such as `config.seed`. */
function unset(request: Record<string, unknown>, paths: readonly string[]): void {
  for (const path of paths) {
    const [name = '', last] = path.split('.');
    const settings = request[name];
    if (last !== undefined && isObject(settings)) delete (settings as Record<string, unknown>)[last];
  }
}

/** Whether columns of the kind set parts of this field, such as `config`. */
const isSettings = (kind: Kind, name: string): boolean =>
  Object.values(kind.table.columns).some((path) => path.startsWith(`${name}.`));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Values = { value: unknown } | { rule: string };

interface Line {
  given: LineContent;
  context: LineContext;
}

/** The cell for the request: the line's, or the default unless the line sets the field. */
function cellFor(column: RequestColumn, kind: Kind, { given, context }: Line): unknown {
  const isSaid = isEmpty(given.cells.get(column)) && setsField(given, kind, column);
  return isSaid ? undefined : valueFor(column, given, context);
}

/** Puts a cell into the request; returns the rule that it breaks. */
function readColumn(
  request: Record<string, unknown>,
  kind: Kind,
  column: RequestColumn,
  { given, context }: Line,
): string | undefined {
  const value = cellFor(column, kind, { given, context });
  if (value === undefined) return undefined;
  const path = kind.table.columns[column];
  if (path === undefined)
    return isEmpty(given.cells.get(column)) ? undefined : `does not belong to ${kind.name}; leave it empty.`;
  const read = READERS[column](value);
  if ('rule' in read) return read.rule;
  unset(request, pathsOf(kind, column));
  put(request, path, read.value);
  return undefined;
}

/** Sets a value at `config.seed` or `messages.0.content`. An obstacle on the way stays, and validation reports it. */
function put(request: Record<string, unknown>, path: string, value: unknown): void {
  const [last = '', ...before] = path.split('.').reverse();
  let node: Record<string, unknown> = request;
  for (const name of before.reverse()) {
    node[name] ??= {};
    const inner = node[name];
    if (typeof inner !== 'object' || inner === null) return;
    node = inner as Record<string, unknown>;
  }
  node[last] = value;
}

const words =
  (change: (text: string) => string): ((value: unknown) => Values) =>
  (value) =>
    typeof value === 'string' ? { value: change(value) } : { rule: 'must be text.' };

const number =
  (rule: string, fits: (value: number) => boolean = () => true): ((value: unknown) => Values) =>
  (value) => {
    const read =
      typeof value === 'string' ? wholeNumber(value.trim()) : Number.isSafeInteger(value) ? value : undefined;
    return typeof read === 'number' && fits(read) ? { value: read } : { rule };
  };

/** An asset's id, or a reference as in a request. */
const medium = (value: unknown): unknown => (typeof value === 'string' ? { assetId: value.trim() } : value);

const READERS: Record<RequestColumn, (value: unknown) => Values> = {
  prompt: words((text) => text),
  model: words((text) => text.trim()),
  mode: words((text) => text.trim().toLowerCase()),
  seconds: number(LENGTH_RULE, (seconds) => isClipLength(seconds, false) || isClipLength(seconds, true)),
  resolution: words((text) => text.trim().toLowerCase()),
  aspect: words((text) => text.trim()),
  audio: (value) => {
    const read = typeof value === 'string' ? yesOrNo(value.trim()) : value;
    return typeof read === 'boolean' ? { value: read } : { rule: YES_NO_RULE };
  },
  samples: number('must be 1 to 4.'),
  seed: number(SEED_RULE),
  image: (value) => ({ value: medium(value) }),
  last_frame: (value) => ({ value: medium(value) }),
  references: (value) => {
    const ids = typeof value === 'string' ? value.split(';').filter((id) => id.trim() !== '') : value;
    return { value: Array.isArray(ids) ? ids.map(medium) : ids };
  },
  video: (value) => ({ value: medium(value) }),
  mask: (value) => ({ value: medium(value) }),
  timeout: number('must be a whole number from 1 to 86,400.'),
};

/** Without a model the gateway's first one is used. */
function modelErrors(request: Record<string, unknown>, kind: Kind, { models }: LineContext): Reason[] {
  if (kind.table.columns.model === undefined) return [];
  const known = modelsFor(kind, models).map(({ id }) => id);
  request.model ??= known[0] ?? '';
  const { model } = request;
  if (typeof model !== 'string' || known.length === 0 || known.includes(model)) return [];
  const message = t`${model.slice(0, MAX_PRINTED_NAME)} is not in this gateway’s list of models for ${kind.name}.`;
  return [{ field: 'model', message }];
}

interface Place {
  projectId?: string;
  night?: boolean;
  errors: Reason[];
}

/** The project, by id or name, and whether the job joins the run. */
function placeFrom(given: LineContent, context: LineContext): Place {
  const errors: Reason[] = [];
  const named = valueFor('project', given, context);
  const project = context.projects.find(({ id, name }) => id === named || name === named);
  if (named !== undefined && !project) errors.push({ field: 'project', message: en`there is no such project.` });
  const said = valueFor('night', given, context);
  const night = typeof said === 'string' ? yesOrNo(said.trim()) : said;
  if (said !== undefined && typeof night !== 'boolean') errors.push({ field: 'night', message: YES_NO_RULE });
  return {
    errors,
    ...(project ? { projectId: project.id } : {}),
    ...(typeof night === 'boolean' ? { night } : {}),
  };
}

/** The requests of all members, validated. Only prompts have choices; fields are taken literally. */
function requestsFrom(
  start: Record<string, unknown>,
  kind: Kind,
  { line, wrong }: { line: Line; wrong: readonly Reason[] },
): { requests: StudioRequest[]; errors: Reason[] } {
  const path = kind.table.columns.prompt;
  const isPrompt = path !== undefined && cellFor('prompt', kind, line) !== undefined;
  const prompt = isPrompt ? at(start, path) : undefined;
  const expanded = typeof prompt === 'string' ? expandPrompt(prompt) : undefined;
  if (expanded && !expanded.ok)
    return { requests: [], errors: reasonsOf(expanded.error).map(({ message }) => ({ field: 'prompt', message })) };
  const known = new Set(wrong.map(({ field }) => field));
  const requests: StudioRequest[] = [];
  for (const words of expanded?.data ?? [undefined]) {
    if (path !== undefined && words !== undefined) put(start, path, words);
    const parsed = parseInput(kind.schema, start);
    if (parsed.ok) requests.push(parsed.data as StudioRequest);
    else {
      const errors = reasonsOf(parsed.error).map((reason) => asCell(reason, kind, start, line.given));
      return { requests: [], errors: errors.filter(({ field }) => !known.has(field)) };
    }
  }
  return { requests, errors: [] };
}

const at = (request: Record<string, unknown>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (node, name) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined),
      request,
    );

/** An error of a request field as an error of the cell that sets it. */
export function asCell(
  { field, message }: Reason,
  kind: Kind,
  request: Record<string, unknown>,
  { fields }: LineContent,
): Reason {
  const [first = ''] = field.split('.');
  const column = fields.has(first) ? undefined : columnOf(kind, field);
  const rule = /[.。]$/.test(message) ? message : `${message}.`;
  if (column === undefined) return { field, message: rule };
  const isThere = at(request, kind.table.columns[column] ?? '') !== undefined;
  return { field: column, message: isThere ? rule : en`is needed here and empty.` };
}

function columnOf(kind: Kind, field: string): RequestColumn | undefined {
  return REQUEST_COLUMNS.find((column) => {
    const path = kind.table.columns[column];
    return path !== undefined && (`${field}.`.startsWith(`${path}.`) || path.startsWith(`${field}.`));
  });
}

export const reasonsOf = ({ message, data }: StudioError): Reason[] =>
  (data?.reasons as Reason[] | undefined) ?? [{ field: '', message }];
