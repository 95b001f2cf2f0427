import {
  type AssetOrder,
  type AssetPage,
  FACETS,
  type FacetCount,
  type LibraryFacets,
  readAssetCursor,
  writeAssetCursor,
} from '../../../shared/asset.ts';
import { foldOfTag } from '../../../shared/assetMarks.ts';
import type { CallParsed } from '../../../shared/contract.ts';
import { matchOf } from '../../../shared/search/question.ts';
import { matching, type ReadDb, type SqlParams, sql } from '../store/index.ts';
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

type Filter = CallParsed<'library.facets'>;
interface Conditions {
  where: string;
  params: SqlParams;
}

const COLUMN_FACETS = FACETS.filter((name): name is ColumnFacet => name !== 'tag');

/** By cursor or by offset, newest first or in the order that is asked for. */
export function listAssets(db: ReadDb, filter: CallParsed<'library.list'>): AssetPage {
  const { where, params } = conditionsOf(filter);
  const { by = 'made', order = 'desc' } = filter.sort ?? {};
  const from = positionAfter(filter, by, order);
  const { value, index } = ORDER_TABLE[by];
  const inOrder = by === 'made' ? `a.seq ${order}` : `${value} ${order}, a.seq ${order}`;
  // Skipped rows are skipped in the index alone.
  const page = sql(
    'assets.list',
    `${ASSET_VIEW} WHERE a.seq IN (SELECT a.seq FROM assets a INDEXED BY ${filter.binned ? BINNED_INDEX : index} WHERE ${where} AND ${from.condition}
       ORDER BY ${inOrder} LIMIT $limit OFFSET $offset) ORDER BY ${inOrder}`,
  );
  const rows = db.all<AssetViewRow>(page, {
    ...params,
    ...from.params,
    limit: filter.limit + 1,
    offset: filter.offset ?? 0,
  });
  const days = filter.days ? daysOf(db, filter, { where, params }) : undefined;
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  const list: AssetPage = {
    assets: shown.map(assetOf),
    total: days ? days.reduce((sum, { count }) => sum + count, 0) : countOf(db, filter, { where, params }),
    ...(days ? { days } : {}),
  };
  return rows.length > filter.limit && last ? { ...list, nextCursor: cursorAt(last, by) } : list;
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
  by: AssetOrder,
  order: 'asc' | 'desc',
): { condition: string; params: SqlParams } {
  const after = cursor === undefined ? undefined : readAssetCursor(cursor, by);
  const beyond = order === 'asc' ? '>' : '<';
  if (after?.value === undefined) {
    if (by !== 'made') return { condition: 'true', params: {} };
    const start = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER;
    return { condition: `a.seq ${beyond} $afterSeq`, params: { afterSeq: after?.seq ?? start } };
  }
  const { value } = ORDER_TABLE[by];
  return {
    // The first comparison is what the index is searched by: SQLite does not search one over an expression by a pair.
    condition: `${value} ${beyond}= $afterValue AND (${value} ${beyond} $afterValue OR a.seq ${beyond} $afterSeq)`,
    params: { afterValue: after.value, afterSeq: after.seq },
  };
}

const countOf = (db: ReadDb, filter: Filter, { where, params }: Conditions): number =>
  db.one<{ n: number }>(sql('assets.count', `SELECT count(*) AS n FROM ${listed(filter)} WHERE ${where}`), params)?.n ??
  0;

/** The count per local day, in the order of the list. */
function daysOf(db: ReadDb, filter: Filter, { where, params }: Conditions): { day: number; count: number }[] {
  const days = sql(
    'assets.days',
    `SELECT local_day(a.created_at) AS day, count(*) AS count FROM ${listed(filter)} WHERE ${where} GROUP BY day ORDER BY max(a.seq) DESC`,
  );
  return db.all<{ day: number; count: number }>(days, params);
}

/** How many assets there are by each value of each facet, counted under all other filters; what is most comes first. */
export function countFacets(db: ReadDb, filter: Filter): LibraryFacets {
  const { where, params } = hiddenConditions(filter);
  const columns = COLUMN_FACETS.flatMap((name) => [
    `${FACET_TABLE[name].value} AS ${name}`,
    `${facetCondition(name, filter, params) ?? 'true'} AS fits_${name}`,
  ]);
  const grouped = sql(
    'assets.facets',
    `SELECT ${columns.join(', ')}, count(*) AS n FROM ${counted(filter)} WHERE ${[where, ...tagCondition(filter, params)].join(' AND ')} GROUP BY ${TOGETHER}`,
  );
  const rows = db.all<FacetRow>(grouped, params);
  const counts = FACETS.map((name) => [name, name === 'tag' ? countTags(db, filter) : countsOf(rows, name)] as const);
  return Object.fromEntries(counts) as unknown as LibraryFacets;
}

type FacetRow = Record<ColumnFacet, string | null> & Record<`fits_${ColumnFacet}`, 0 | 1 | null> & { n: number };

function countsOf(rows: readonly FacetRow[], name: ColumnFacet): { value: string; count: number }[] {
  const others = COLUMN_FACETS.filter((other) => other !== name);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = row[name];
    if (value === null || !others.every((other) => row[`fits_${other}`] === 1)) continue;
    counts.set(value, (counts.get(value) ?? 0) + row.n);
  }
  return mostFirst([...counts].map(([value, count]) => ({ value, count })));
}

const mostFirst = (counts: FacetCount[]): FacetCount[] =>
  counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

/** From the tags to what has them: few assets have any. */
function countTags(db: ReadDb, filter: Filter): FacetCount[] {
  const { where, params } = conditionsOf({ ...filter, tags: undefined });
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

/** Undefined where the filter asks for nothing of this facet. */
function facetCondition(name: ColumnFacet, filter: Filter, params: SqlParams): string | undefined {
  const { value, chosen } = FACET_TABLE[name];
  const values = chosen(filter) ?? [];
  return values.length === 0 ? undefined : isOneOf(value, name, values, params);
}

export function isOneOf(value: string, name: string, values: readonly string[], params: SqlParams): string {
  params[name] = JSON.stringify(values);
  return `${value} IN (SELECT value FROM json_each($${name}))`;
}

export function conditionsOf(filter: Filter): Conditions {
  const { where, params } = hiddenConditions(filter);
  const facets = COLUMN_FACETS.flatMap((name) => facetCondition(name, filter, params) ?? []);
  return { where: [where, ...facets, ...tagCondition(filter, params)].join(' AND '), params };
}

/** What is filtered by and counted by nothing. Thumbnails are never listed. */
function hiddenConditions(filter: Filter): Conditions {
  const { roles = [], text = '', from, to } = filter;
  const params: SqlParams = {};
  const conditions = [`a.role <> 'thumbnail'`, inBin(filter)];
  if (roles.length > 0) conditions.push(isOneOf('a.role', 'roles', roles, params));
  if (from !== undefined) {
    conditions.push('a.created_at >= $from');
    params.from = from;
  }
  if (to !== undefined) {
    conditions.push('a.created_at < $to');
    params.to = to;
  }
  if (text.trim() !== '') {
    conditions.push(`a.seq IN (${matching('asset')})`);
    params.match = matchOf(text);
  }
  return { where: conditions.join(' AND '), params };
}
