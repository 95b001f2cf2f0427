import type { CallParsed } from '../../../shared/contract/contract.ts';
import {
  type AssetOrder,
  type AssetPage,
  FACETS,
  type FacetCount,
  type LibraryFacets,
  readAssetCursor,
  writeAssetCursor,
} from '../../../shared/library/asset.ts';
import { foldOfTag } from '../../../shared/library/assetMarks.ts';
import { matchOf } from '../../../shared/library/search/question.ts';
import {
  areDaysCounted,
  type DayFacet,
  hitsIn,
  IS_MATCH,
  localDayOf,
  matching,
  type PlaceInBlocks,
  placeInBlocks,
  type ReadDb,
  type SqlParams,
  sql,
  unfinishedProject,
  wholeOnly,
} from '../store/index.ts';
import {
  ASSET_VIEW,
  type AssetRow,
  type AssetViewRow,
  assetOf,
  BINNED_INDEX,
  type ColumnFacet,
  counted,
  FACET_TABLE,
  inBin,
  listed,
  ORDER_TABLE,
  TOGETHER,
} from './assetColumns.ts';

type Bounded = CallParsed<'library.facets'>;
type Filter = Omit<Bounded, 'upTo'>;
interface Conditions {
  where: string;
  params: SqlParams;
}

const COLUMN_FACETS = FACETS.filter((name): name is ColumnFacet => name !== 'tag');

/** By cursor or by offset, newest first or in the order that is asked for. */
export function listAssets(db: ReadDb, filter: CallParsed<'library.list'>): AssetPage {
  const { by = 'made', order = 'desc' } = filter.sort ?? {};
  const source = by === 'made' ? sourceOf(db, filter) : sortedSource(db, filter, by);
  const place = by === 'made' ? placeOf(db, filter, order) : undefined;
  const after = positionAfter(filter, { by, order, number: source.number });
  const { value } = ORDER_TABLE[by];
  const numbers = by === 'made' ? `${source.number} ${order}` : `${value} ${order}, a.seq ${order}`;
  const inOrder = by === 'made' ? `a.seq ${order}` : numbers;
  // Skipped rows are skipped in the index alone.
  const page = sql(
    'assets.list',
    `${ASSET_VIEW} WHERE a.seq IN (SELECT a.seq FROM ${place?.from ?? ''}${source.from} WHERE ${source.where}
       AND ${place?.condition ?? 'true'} AND ${after.condition} ORDER BY ${numbers} LIMIT $limit OFFSET $offset) ORDER BY ${inOrder}`,
  );
  const rows = db.all<AssetViewRow>(page, {
    ...source.params,
    ...place?.params,
    ...after.params,
    limit: filter.limit + 1,
    offset: place?.offset ?? filter.offset ?? 0,
  });
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  const list: AssetPage = { assets: shown.map(assetOf), ...countedUpTo(db, filter) };
  return rows.length > filter.limit && last ? { ...list, nextCursor: cursorAt(last, by) } : list;
}

type Totals = Pick<AssetPage, 'total' | 'days' | 'isMore'>;

/** Of the whole list, or of the newest that are to be counted. */
function countedUpTo(db: ReadDb, filter: CallParsed<'library.list'>): Totals {
  const most = filter.upTo;
  const days = filter.days ? daysOf(db, filter) : undefined;
  const total = days ? days.reduce((sum, { count }) => sum + count, 0) : countOf(db, filter);
  if (most === undefined || total <= most) return { total, ...(days ? { days } : {}) };
  return { total: most, ...(days ? { days: newest(days, most) } : {}), isMore: true };
}

/** The days of the newest so many. */
function newest(days: readonly Day[], most: number): Day[] {
  let left = most;
  return days.flatMap(({ day, count }) => {
    const shown = Math.min(count, left);
    left -= shown;
    return shown > 0 ? [{ day, count: shown }] : [];
  });
}

const VALUE_OF: Record<Exclude<AssetOrder, 'made'>, (row: AssetRow) => number | string> = {
  cost: (row) => row.cost_nano,
  bytes: (row) => row.bytes,
  seconds: (row) => row.seconds ?? 0,
  name: (row) => row.name,
};

const cursorAt = (row: AssetRow, by: AssetOrder): string =>
  writeAssetCursor(by === 'made' ? { seq: row.seq } : { seq: row.seq, value: VALUE_OF[by](row) });

/** Behind the last asset of the page before. */
function positionAfter(
  { cursor }: { cursor?: string | undefined },
  { by, order, number }: { by: AssetOrder; order: 'asc' | 'desc'; number: string },
): { condition: string; params: SqlParams } {
  const after = cursor === undefined ? undefined : readAssetCursor(cursor, by);
  const beyond = order === 'asc' ? '>' : '<';
  if (after?.value === undefined) {
    if (by !== 'made') return { condition: 'true', params: {} };
    const start = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER;
    return { condition: `${number} ${beyond} $afterSeq`, params: { afterSeq: after?.seq ?? start } };
  }
  const { value } = ORDER_TABLE[by];
  return {
    // The first comparison is what the index is searched by: SQLite does not search one over an expression by a pair.
    condition: `${value} ${beyond}= $afterValue AND (${value} ${beyond} $afterValue OR a.seq ${beyond} $afterSeq)`,
    params: { afterValue: after.value, afterSeq: after.seq },
  };
}

/** Undefined where no sums of blocks count what matches; the newest of all are read without them. */
function placeOf(db: ReadDb, filter: CallParsed<'library.list'>, order: 'asc' | 'desc'): PlaceInBlocks | undefined {
  const { offset = 0, limit, cursor, roles = [] } = filter;
  const isAll = offset === 0 && roles.length === 0 && chosenFacets(filter).length === 0;
  if (isAll || !isSummedAlone(db, filter)) return undefined;
  const after = cursor === undefined ? undefined : readAssetCursor(cursor, 'made')?.seq;
  const sums = { name: 'assets.blocks', table: 'asset_blocks', ...sumConditions(filter) };
  return placeInBlocks(db, sums, { order, offset, limit: limit + 1, after }, 'a.seq');
}

interface Source extends Conditions {
  from: string;
  /** The number of the asset there. */
  number: string;
}

/** Where the assets that match are read in the order of their numbers: those with a text as they come from its index. */
function sourceOf(db: ReadDb, filter: Filter): Source {
  if (!hasText(filter)) return { from: listed(filter), number: 'a.seq', ...conditionsOf(db, filter) };
  const from = `${hitsIn('asset')} CROSS JOIN ${listed(filter)} ON a.seq = hit.rowid`;
  return { from, number: 'hit.rowid', ...conditionsOf(db, filter, { withText: IS_MATCH }) };
}

/** In another order each is looked up among those with the text: an index that is searched by their numbers has no order. */
function sortedSource(db: ReadDb, filter: Filter, by: AssetOrder): Source {
  const index = filter.binned ? BINNED_INDEX : ORDER_TABLE[by].index;
  return {
    from: `assets a INDEXED BY ${index}`,
    number: 'a.seq',
    ...conditionsOf(db, filter, { withText: `+${WITH_TEXT}` }),
  };
}

/** Fewer are looked up one by one sooner than all assets are grouped in the order of their index. */
const MANY = 5_000;
const countUpTo = sql(
  'assets.upTo',
  `SELECT count(*) AS n FROM (SELECT 1 FROM ${hitsIn('asset')} WHERE ${IS_MATCH} LIMIT $many)`,
);

interface CountedSource extends Conditions {
  from: string;
  isMore?: true;
  /** How many assets a row of the groups stands for, and how the groups are made, as SQL. */
  n: string;
  by: string;
}

/** Where facets are counted, under all that is no facet: where they can be, in the sums that are kept. */
function countedSource(db: ReadDb, filter: Bounded, many: number): CountedSource {
  if (isSummed(filter))
    return { from: 'asset_counts a', n: 'a.n', by: '', ...hiddenConditions(db, filter, { of: SUMMED }) };
  const grouped = { n: 'count(*)', by: `GROUP BY ${TOGETHER}` };
  const all = { from: counted(filter), ...grouped, ...hiddenConditions(db, filter) };
  if (!hasText(filter)) return all;
  const { upTo: most } = filter;
  const limit = most === undefined ? many : Math.max(many, most + 1);
  const { n = 0 } = db.one<{ n: number }>(countUpTo, { match: matchOf(filter.text ?? ''), many: limit }) ?? {};
  const found = { ...grouped, ...hiddenConditions(db, filter, { withText: IS_MATCH }) };
  if (most !== undefined && n > most) return { ...found, ...newestOf(db, filter, found, most) };
  return n >= many ? all : { ...found, from: sourceOf(db, filter).from };
}

/** The newest that are found, in the place of all. */
function newestOf(
  db: ReadDb,
  filter: Filter,
  { where, params }: Conditions,
  most: number,
): Pick<CountedSource, 'from' | 'where' | 'params' | 'isMore'> {
  const columns = `a.seq, ${TOGETHER}`;
  const from = `(SELECT ${columns} FROM ${sourceOf(db, filter).from} WHERE ${where} ORDER BY hit.rowid DESC LIMIT $most) a`;
  return { from, where: 'true', params: { ...params, most }, isMore: true };
}

/** Whether the sums that triggers keep have all that the filter asks for: they know no text, no time, no tag and no bin. */
const isSummed = (filter: Filter): boolean =>
  !hasText(filter) && filter.from === undefined && filter.to === undefined && !filter.tags?.length && !filter.binned;

/** Of the sums: what is no longer there has a sum of none. */
const SUMMED = ['a.n > 0'];

function countOf(db: ReadDb, filter: Bounded): number {
  if (isSummed(filter)) {
    const { where, params } = conditionsOf(db, filter, { of: SUMMED });
    const sum = sql('assets.sum', `SELECT coalesce(sum(a.n), 0) AS n FROM asset_counts a WHERE ${where}`);
    return db.one<{ n: number }>(sum, params)?.n ?? 0;
  }
  const { from, where, params } = sourceOf(db, filter);
  const limit = limitOf(filter, params);
  const rows = limit ? `(SELECT 1 FROM ${from} WHERE ${where} ${limit})` : `${from} WHERE ${where}`;
  return db.one<{ n: number }>(sql('assets.count', `SELECT count(*) AS n FROM ${rows}`), params)?.n ?? 0;
}

interface Day {
  day: number;
  count: number;
}

/** The count per local day, in the order of the list. */
function daysOf(db: ReadDb, filter: Bounded): Day[] {
  if (isSummedAlone(db, filter) && areDaysCounted(db)) return sumDays(db, filter);
  const { from, where, params } = sourceOf(db, filter);
  const limit = limitOf(filter, params);
  const days = sql(
    'assets.days',
    `SELECT ${localDayOf('a.created_at')} AS day, count(*) AS count FROM (SELECT a.seq, a.created_at FROM ${from} WHERE ${where} ${limit}) a
       GROUP BY day ORDER BY max(a.seq) DESC`,
  );
  return db.all<Day>(days, params);
}

/** One more than is to be counted, in the order in which an index finds them, newest first: nothing is sorted for it. */
function limitOf(filter: Bounded, params: SqlParams): string {
  if (filter.upTo === undefined) return '';
  params.most = filter.upTo + 1;
  return `ORDER BY ${hasText(filter) ? 'hit.rowid' : 'a.seq'} DESC LIMIT $most`;
}

const chosenFacets = (filter: Filter): ColumnFacet[] =>
  COLUMN_FACETS.filter((name) => valuesOf(name, filter).length > 0);

/** Whether sums that triggers keep of each facet by itself have all that the filter asks for, and nothing that is not to be seen yet. */
const isSummedAlone = (db: ReadDb, filter: Filter): boolean =>
  isSummed(filter) && chosenFacets(filter).length <= 1 && unfinishedProject(db) === undefined;

/** Which of the sums of each facet by itself, by day or by block, the filter asks for. */
function sumConditions(filter: Filter): Conditions {
  const [by] = chosenFacets(filter);
  const facet: DayFacet = by ?? 'all';
  const { roles = [] } = filter;
  const params: SqlParams = { facet };
  const conditions = [
    'b.facet = $facet',
    isOneOf('b.value', 'values', by ? valuesOf(by, filter) : [''], params),
    ...(roles.length > 0 ? [isOneOf('b.role', 'roles', roles, params)] : []),
  ];
  return { where: conditions.join(' AND '), params };
}

function sumDays(db: ReadDb, filter: Filter): Day[] {
  const { where, params } = sumConditions(filter);
  const days = sql(
    'assets.sumOfDays',
    `SELECT b.day, sum(b.n) AS count FROM asset_days b WHERE ${where} GROUP BY b.day HAVING count > 0 ORDER BY max(b.last) DESC`,
  );
  return db.all<Day>(days, params);
}

/** How many assets there are by each value of each facet, counted under all other filters; what is most comes first. */
export function countFacets(db: ReadDb, filter: Bounded, many = MANY): LibraryFacets {
  const { from, n, by, where, params, isMore } = countedSource(db, filter, many);
  const columns = COLUMN_FACETS.flatMap((name) => [
    `${FACET_TABLE[name].value} AS ${name}`,
    `${facetCondition(name, filter, params) ?? 'true'} AS fits_${name}`,
  ]);
  // Counted there, not by the caller: groups are thousands, values are tens.
  const facets = sql(
    'assets.facets',
    `WITH together AS MATERIALIZED (SELECT ${columns.join(', ')}, ${n} AS n FROM ${from}
       WHERE ${[where, ...tagCondition(filter, params)].join(' AND ')} ${by})
     ${COLUMN_FACETS.map(countsOf).join(' UNION ALL ')}`,
  );
  const rows = db.all<FacetCount & { facet: ColumnFacet }>(facets, params);
  const ofFacet = (name: ColumnFacet): FacetCount[] =>
    mostFirst(rows.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count })));
  const counts = FACETS.map((name) => [name, name === 'tag' ? countTags(db, filter) : ofFacet(name)] as const);
  return { ...(Object.fromEntries(counts) as unknown as LibraryFacets), ...(isMore ? { isMore } : {}) };
}

function countsOf(name: ColumnFacet): string {
  const others = COLUMN_FACETS.filter((other) => other !== name).map((other) => `fits_${other}`);
  return `SELECT '${name}' AS facet, ${name} AS value, sum(n) AS count FROM together
    WHERE ${[`${name} IS NOT NULL`, ...others].join(' AND ')} GROUP BY ${name}`;
}

export const mostFirst = (counts: FacetCount[]): FacetCount[] =>
  counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

/** From the tags to what has them: few assets have any. */
function countTags(db: ReadDb, filter: Filter): FacetCount[] {
  const { where, params } = conditionsOf(db, { ...filter, tags: undefined });
  const byTag = sql(
    'assets.tagFacet',
    `SELECT max(t.tag) AS value, count(*) AS count FROM asset_tags t INDEXED BY asset_tags_by_fold
       CROSS JOIN ${listed(filter)} ON a.seq = t.asset WHERE ${where} GROUP BY t.fold`,
  );
  return mostFirst(db.all<FacetCount>(byTag, params));
}

/** Any of the tags that the filter asks for. */
function tagCondition({ tags = [] }: Filter, params: SqlParams): string[] {
  if (tags.length === 0) return [];
  return [
    `a.seq IN (SELECT t.asset FROM asset_tags t WHERE ${isOneOf('t.fold', 'tags', tags.map(foldOfTag), params)})`,
  ];
}

/** What the filter asks for of this facet, any of them; none where it asks for nothing. */
const valuesOf = (name: ColumnFacet, filter: Filter): readonly string[] => FACET_TABLE[name].chosen(filter) ?? [];

/** Undefined where the filter asks for nothing of this facet. */
function facetCondition(name: ColumnFacet, filter: Filter, params: SqlParams): string | undefined {
  const { value } = FACET_TABLE[name];
  const values = valuesOf(name, filter);
  return values.length === 0 ? undefined : isOneOf(value, name, values, params);
}

export function isOneOf(value: string, name: string, values: readonly string[], params: SqlParams): string {
  params[name] = JSON.stringify(values);
  return `${value} IN (SELECT value FROM json_each($${name}))`;
}

const hasText = ({ text = '' }: Filter): boolean => text.trim() !== '';
const WITH_TEXT = `a.seq IN (${matching('asset')})`;

interface Where {
  withText?: string;
  /** What is listed at all; by default, of the table of assets. */
  of?: readonly string[];
}

export function conditionsOf(db: ReadDb, filter: Filter, place: Where = {}): Conditions {
  const { where, params } = hiddenConditions(db, filter, place);
  const facets = COLUMN_FACETS.flatMap((name) => facetCondition(name, filter, params) ?? []);
  return { where: [where, ...facets, ...tagCondition(filter, params)].join(' AND '), params };
}

/** What is filtered by and counted by nothing. Thumbnails are never listed, nor is what a project that is being written has so far. */
function hiddenConditions(db: ReadDb, filter: Filter, { withText = WITH_TEXT, of }: Where = {}): Conditions {
  const { roles = [], text = '', from, to } = filter;
  const whole = wholeOnly(db, 'a.project_id');
  const params: SqlParams = { ...whole.params };
  const conditions = [...(of ?? [`a.role <> 'thumbnail'`, inBin(filter)]), ...whole.conditions];
  if (roles.length > 0) conditions.push(isOneOf('a.role', 'roles', roles, params));
  if (from !== undefined) {
    conditions.push('a.created_at >= $from');
    params.from = from;
  }
  if (to !== undefined) {
    conditions.push('a.created_at < $to');
    params.to = to;
  }
  if (hasText(filter)) {
    conditions.push(withText);
    params.match = matchOf(text);
  }
  return { where: conditions.join(' AND '), params };
}
