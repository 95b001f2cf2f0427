import type { CallParsed } from '../../../shared/contract/contract.ts';
import {
  type AssetOrder,
  type AssetPage,
  FACETS,
  type FacetCount,
  type LibraryFacets,
} from '../../../shared/library/asset.ts';
import { foldOfTag } from '../../../shared/library/assetMarks.ts';
import { ftsQuery } from '../../../shared/library/search/searchQuery.ts';
import {
  allOf,
  type Conditions,
  countRows,
  hitsIn,
  IS_MATCH,
  isIn,
  type List,
  matching,
  oneOf,
  type ReadDb,
  readPage,
  rowsUpTo,
  type SqlParams,
  sql,
  walksMany,
  whereIf,
  withoutUnfinishedProject,
} from '../store/index.ts';
import {
  ASSET_VIEW,
  type AssetRow,
  type AssetViewRow,
  BINNED_INDEX,
  type ColumnFacet,
  countSource,
  FACET_COLUMNS,
  FACET_TABLE,
  inBin,
  listSource,
  ORDER_TABLE,
  toAsset,
} from './assetColumns.ts';

type Bounded = CallParsed<'library.facets'>;
type Filter = Omit<Bounded, 'upTo'>;
const COLUMN_FACETS = FACETS.filter((name): name is ColumnFacet => name !== 'tag');

/** By cursor or by offset, newest first or in the order that is asked for. */
export function listAssets(db: ReadDb, filter: CallParsed<'library.list'>): AssetPage {
  const { by = 'made', order = 'desc' } = filter.sort ?? {};
  const list = by === 'made' ? listOf(db, filter, order) : sortedList(db, filter, by, order);
  const { rows, ...next } = readPage(db, list, filter);
  return { assets: rows.map(toAsset), ...countedUpTo(db, filter), ...next };
}

type Totals = Pick<AssetPage, 'total' | 'days' | 'isMore'>;

/** The total of the whole list, or of the newest items if counting is limited. */
function countedUpTo(db: ReadDb, filter: CallParsed<'library.list'>): Totals {
  const most = filter.upTo;
  const days = filter.days ? daysOf(db, filter) : undefined;
  const total = days ? days.reduce((sum, { count }) => sum + count, 0) : countOf(db, filter);
  if (most === undefined || total <= most) return { total, ...(days ? { days } : {}) };
  return { total: most, ...(days ? { days: newest(days, most) } : {}), isMore: true };
}

/** The days of the newest `most` items. */
function newest(days: readonly Day[], most: number): Day[] {
  let left = most;
  return days.flatMap(({ day, count }) => {
    const shown = Math.min(count, left);
    left -= shown;
    return shown > 0 ? [{ day, count: shown }] : [];
  });
}

const BY_NUMBER = { column: 'a.seq', of: ({ seq }: AssetRow) => seq };

/** In the sequence of their numbers. With a text, the text index gives this sequence. */
function listOf(db: ReadDb, filter: Filter, direction: 'asc' | 'desc' = 'desc'): List<AssetViewRow> {
  const list = { name: 'assets.list', view: ASSET_VIEW, order: [BY_NUMBER], direction };
  if (!hasText(filter)) return { ...list, from: listSource(filter), ...conditionsOf(db, filter) };
  return {
    ...list,
    from: `${hitsIn('asset')} CROSS JOIN ${listSource(filter)} ON a.seq = hit.rowid`,
    order: [{ ...BY_NUMBER, found: 'hit.rowid' }],
    ...conditionsOf(db, filter, { withText: IS_MATCH }),
  };
}

/**
 * With a text and another sequence, each asset in index order is looked up among the text matches, because a search by number would lose
 * the order.
 */
function sortedList(
  db: ReadDb,
  filter: Filter,
  by: Exclude<AssetOrder, 'made'>,
  direction: 'asc' | 'desc',
): List<AssetViewRow> {
  const { index, ...column } = ORDER_TABLE[by];
  return {
    ...{ name: 'assets.list', view: ASSET_VIEW, order: [column, BY_NUMBER], direction },
    from: `assets a INDEXED BY ${filter.binned ? BINNED_INDEX : index}`,
    ...conditionsOf(db, filter, { withText: `+${WITH_TEXT}` }),
  };
}

/** Below this number, looking up assets one by one is faster than grouping all in index order. */
const MANY = 5_000;
const countUpTo = sql(
  'assets.upTo',
  `SELECT count(*) AS n FROM (SELECT 1 FROM ${hitsIn('asset')} WHERE ${IS_MATCH} LIMIT $many)`,
);

interface CountedSource extends Conditions {
  from: string;
  isMore?: true;
  /** The number of assets in a row of the groups, and the grouping, as SQL. */
  n: string;
  by: string;
}

/** The source for counting facets, with all filters that are no facets: the stored sums, if they suffice. */
function countedSource(db: ReadDb, filter: Bounded, many: number): CountedSource {
  if (isSummed(filter))
    return { from: 'asset_counts a', n: 'a.n', by: '', ...hiddenConditions(db, filter, { of: SUMMED }) };
  const grouped = { n: 'count(*)', by: `GROUP BY ${FACET_COLUMNS}` };
  const all = { from: countSource(filter), ...grouped, ...hiddenConditions(db, filter) };
  if (!hasText(filter)) return all;
  const { upTo: most } = filter;
  const limit = most === undefined ? many : Math.max(many, most + 1);
  const { n = 0 } = db.one<{ n: number }>(countUpTo, { match: ftsQuery(filter.text ?? ''), many: limit }) ?? {};
  const { from } = listOf(db, filter);
  const found = { from, ...grouped, ...hiddenConditions(db, filter, { withText: IS_MATCH }) };
  if (most !== undefined && n > most) return { ...found, ...newestOf(found, most) };
  return n >= many ? all : found;
}

/** Only the newest matches, instead of all. */
function newestOf({ from, where, params }: CountedSource, most: number): Partial<CountedSource> {
  const rows = `(SELECT a.seq, ${FACET_COLUMNS} FROM ${from} WHERE ${where} ORDER BY hit.rowid DESC LIMIT $most) a`;
  return { from: rows, where: 'true', params: { ...params, most }, isMore: true };
}

/** Whether the stored sums suffice for the filter: they have no texts, times, tags or bin. */
const isSummed = (filter: Filter): boolean =>
  !hasText(filter) && filter.from === undefined && filter.to === undefined && !filter.tags?.length && !filter.binned;

/** Sums of deleted assets are 0. */
const SUMMED = ['a.n > 0'];

function countOf(db: ReadDb, filter: Bounded): number {
  if (isSummed(filter)) {
    const { where, params } = conditionsOf(db, filter, { of: SUMMED });
    const sum = sql('assets.sum', `SELECT coalesce(sum(a.n), 0) AS n FROM asset_counts a WHERE ${where}`);
    return db.one<{ n: number }>(sum, params)?.n ?? 0;
  }
  return countRows(db, 'assets.count', listOf(db, filter), filter.upTo);
}

interface Day {
  day: number;
  count: number;
}

/**
 * In every time zone a local day begins at a quarter of an hour. SQLite computes the local day slowly, so it does so once per quarter, not
 * per row.
 */
const QUARTER_MS = 900_000;

/** The count per local day, in the order of the list. */
function daysOf(db: ReadDb, filter: Bounded): Day[] {
  const { rows, params } = rowsUpTo(listOf(db, filter), 'a.seq, a.created_at', filter.upTo);
  const days = sql(
    'assets.days',
    `SELECT a.created_at / ${QUARTER_MS} AS quarter, count(*) AS count FROM (${rows}) a GROUP BY quarter ORDER BY max(a.seq) DESC`,
  );
  const counts = new Map<number, number>();
  for (const { quarter, count } of db.all<{ quarter: number; count: number }>(days, params)) {
    const day = new Date(quarter * QUARTER_MS).setHours(0, 0, 0, 0);
    counts.set(day, (counts.get(day) ?? 0) + count);
  }
  return [...counts].map(([day, count]) => ({ day, count }));
}

/** The number of assets by each value of each facet, counted with all other filters; most frequent first. */
export function countFacets(db: ReadDb, filter: Bounded, many = MANY): LibraryFacets {
  const { from, n, by, isMore, ...source } = countedSource(db, filter, many);
  const chosen = COLUMN_FACETS.map((name) => ({ name, fits: allOf(chosenOf(name, filter)) }));
  const columns = chosen.flatMap(({ name, fits }) => [
    `${FACET_TABLE[name].value} AS ${name}`,
    `${fits.where} AS fits_${name}`,
  ]);
  const { where, params } = allOf(source, withTags(filter));
  // Counted in SQL, because there are thousands of groups but only tens of values.
  const facets = sql(
    'assets.facets',
    `WITH together AS MATERIALIZED (SELECT ${columns.join(', ')}, ${n} AS n FROM ${from}
       WHERE ${where} ${by})
     ${COLUMN_FACETS.map(countsOf).join(' UNION ALL ')}`,
  );
  const all = Object.assign(params, ...chosen.map(({ fits }) => fits.params)) as SqlParams;
  const rows = db.all<FacetCount & { facet: ColumnFacet }>(facets, all);
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

/** Starts from the tags, because few assets have any. */
function countTags(db: ReadDb, filter: Filter): FacetCount[] {
  const { where, params } = conditionsOf(db, { ...filter, tags: undefined });
  const byTag = sql(
    'assets.tagFacet',
    `SELECT max(t.tag) AS value, count(*) AS count FROM asset_tags t INDEXED BY asset_tags_by_fold
       CROSS JOIN ${listSource(filter)} ON a.seq = t.asset WHERE ${where} GROUP BY t.fold`,
  );
  return mostFirst(db.all<FacetCount>(byTag, params));
}

/** Any of the tags that the filter asks for. */
function withTags({ tags = [] }: Filter): Conditions | undefined {
  if (tags.length === 0) return undefined;
  const { where, params } = isIn('t.fold', 'tags', tags.map(foldOfTag));
  return { where: `a.seq IN (SELECT t.asset FROM asset_tags t WHERE ${where})`, params };
}

/** Any of the values that the filter asks for. */
const chosenOf = (name: ColumnFacet, filter: Filter): Conditions | undefined =>
  oneOf(FACET_TABLE[name].value, name, FACET_TABLE[name].chosen(filter));

const hasText = ({ text = '' }: Filter): boolean => text.trim() !== '';
const WITH_TEXT = `a.seq IN (${matching('asset')})`;

interface Where {
  withText?: string;
  /** The base condition; by default that of the table of assets. */
  of?: readonly string[];
}

export const conditionsOf = (db: ReadDb, filter: Filter, how: Where = {}): Conditions =>
  allOf(hiddenConditions(db, filter, how), ...COLUMN_FACETS.map((name) => chosenOf(name, filter)), withTags(filter));

/** Filters that are no facets. Thumbnails are never listed, nor are assets of a project that is still being written. */
function hiddenConditions(db: ReadDb, filter: Filter, { withText = WITH_TEXT, of }: Where = {}): Conditions {
  const { roles, text = '', from, to } = filter;
  return allOf(
    ...(of ?? [`a.role <> 'thumbnail'`, inBin(filter)]),
    withoutUnfinishedProject(db, 'a.project_id'),
    oneOf('a.role', 'roles', roles),
    whereIf('a.created_at >= $from', 'from', from),
    whereIf('a.created_at < $to', 'to', to),
    whereIf(withText, 'match', hasText(filter) ? ftsQuery(text) : undefined),
  );
}

/** True for every list except an unfiltered page near the beginning, which must keep up with scrolling. */
export function walksManyAssets(filter: CallParsed<'library.list'>): boolean {
  const { cursor: _, limit: __, sort: ___, upTo: ____, offset, ...asked } = filter;
  const isAsked = (value: unknown): boolean =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return walksMany({ offset }) || Object.values(asked).some(isAsked);
}
