import { type CursorValue, readCursor, writeCursor } from '../../../../shared/contract/paging.ts';
import { type ReadDb, type SqlParams, sql } from '../connection.ts';

/** Lists of rows: filters as SQL conditions, and pages by cursor or offset. */

/** A condition of a statement, and its parameters. */
export interface Conditions {
  where: string;
  params: SqlParams;
}

/** A part of a filter; undefined sets no condition. */
type Asked = Conditions | undefined;

/** `condition` refers to the value as `$name`. */
export const whereIf = (condition: string, name: string, value: string | number | undefined): Asked =>
  value === undefined ? undefined : { where: condition, params: { [name]: value } };

/** Any of the values; without values there is no condition. */
export const oneOf = (column: string, name: string, values: readonly string[] = []): Asked =>
  values.length === 0 ? undefined : isIn(column, name, values);

export const isIn = (column: string, name: string, values: readonly string[]): Conditions => ({
  where: `${column} IN (SELECT value FROM json_each($${name}))`,
  params: { [name]: JSON.stringify(values) },
});

/** A string is a condition without parameters. */
export function allOf(...asked: readonly (Asked | string)[]): Conditions {
  const all = asked.flatMap((one) => (typeof one === 'string' ? { where: one, params: {} } : (one ?? [])));
  return {
    where: all.map(({ where }) => where).join(' AND ') || 'true',
    params: Object.assign({}, ...all.map(({ params }) => params)) as SqlParams,
  };
}

interface OrderColumn<Row> {
  column: string;
  /** The column's name in `from`, if it differs. */
  found?: string;
  of(row: Row): CursorValue;
}

export interface List<Row> extends Conditions {
  /** The name of the statement. */
  name: string;
  /** `SELECT … FROM …` of the rows that are shown. */
  view: string;
  /** The source that finds the page: an index in list order, so that skipped rows are not read. */
  from: string;
  /** The last column alone identifies a row. */
  order: readonly OrderColumn<Row>[];
  direction: 'asc' | 'desc';
}

/** A page starts after a row or at an offset. */
export interface PageRange {
  cursor?: string | undefined;
  offset?: number | undefined;
  limit: number;
}

export interface Page<Row> {
  rows: Row[];
  nextCursor?: string;
}

/** The keys of the page's rows as a subquery, one more than are shown. */
export function keysOfPage<Row>(list: List<Row>, { cursor, offset = 0, limit }: PageRange): Conditions {
  const columns = list.order.map(({ column, found = column }) => found);
  const behind = cursor === undefined ? undefined : isBehind(columns, list.direction, readCursor(cursor));
  const order = columns.map((column) => `${column} ${list.direction}`).join(', ');
  return {
    where: `SELECT ${columns.at(-1)} FROM ${list.from} WHERE ${list.where} AND ${behind?.where ?? 'true'}
      ORDER BY ${order} LIMIT $limit OFFSET $offset`,
    params: { ...list.params, ...behind?.params, limit: limit + 1, offset },
  };
}

/** The first comparison lets SQLite search the index: it does not search an index over an expression by a pair. */
function isBehind(columns: readonly string[], direction: 'asc' | 'desc', values: readonly CursorValue[]): Conditions {
  const beyond = direction === 'asc' ? '>' : '<';
  const [first = '', second] = columns;
  const [after = null, alsoAfter = null] = values;
  if (second === undefined) return { where: `${first} ${beyond} $after`, params: { after } };
  return {
    where: `${first} ${beyond}= $after AND (${first} ${beyond} $after OR ${second} ${beyond} $alsoAfter)`,
    params: { after, alsoAfter },
  };
}

/** One more than are shown, where there are more. */
export function rowsOfPage<Row>(db: ReadDb, list: List<Row>, range: PageRange): Row[] {
  const keys = keysOfPage(list, range);
  const order = list.order.map(({ column }) => `${column} ${list.direction}`).join(', ');
  const key = list.order.at(-1)?.column;
  const page = sql(list.name, `${list.view} WHERE ${key} IN (${keys.where}) ORDER BY ${order}`);
  return db.all<Row>(page, keys.params);
}

export const readPage = <Row>(db: ReadDb, list: List<Row>, range: PageRange): Page<Row> =>
  pageOf(list, rowsOfPage(db, list, range), range.limit);

/** `rows` has one more than the page where there are more. */
export function pageOf<Row>({ order }: Pick<List<Row>, 'order'>, rows: readonly Row[], limit: number): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: shown };
  return { rows: shown, nextCursor: writeCursor(order.map(({ of }) => of(last))) };
}

/** The rows to count, at most one above `most`, in the sequence in which they are found, so that nothing is sorted. */
export function rowsUpTo<Row>(list: List<Row>, columns: string, most?: number): { rows: string; params: SqlParams } {
  const { column = '', found = column } = list.order.at(-1) ?? {};
  const all = `SELECT ${columns} FROM ${list.from} WHERE ${list.where}`;
  if (most === undefined) return { rows: all, params: list.params };
  return { rows: `${all} ORDER BY ${found} ${list.direction} LIMIT $most`, params: { ...list.params, most: most + 1 } };
}

export function countRows<Row>(db: ReadDb, name: string, list: List<Row>, most?: number): number {
  const { rows, params } = rowsUpTo(list, '1', most);
  return db.one<{ n: number }>(sql(name, `SELECT count(*) AS n FROM (${rows})`), params)?.n ?? 0;
}

interface ReadAt {
  text?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  offset?: number | undefined;
}

/** Skipping this many index entries takes a millisecond or two. */
const MOST_SKIPPED = 10_000;

/** Searches by text or time, and pages far from the beginning, may read most of the rows. */
export const walksMany = ({ text = '', from, to, offset = 0 }: ReadAt): boolean =>
  text.trim() !== '' || from !== undefined || to !== undefined || offset > MOST_SKIPPED;

interface Readers {
  readInThread<T>(work: (db: ReadDb) => T): Promise<T>;
  readTransaction<T>(work: (db: ReadDb) => T): T;
}

/** Reads in a separate thread if many rows may be read. */
export const readInThreadIf = <T>(isMany: boolean, store: Readers, read: (db: ReadDb) => T): Promise<T> | T =>
  isMany ? store.readInThread(read) : store.readTransaction(read);
