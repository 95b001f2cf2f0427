import { SANDBOX_PROFILE_ID } from '../../../shared/gateway/profile.ts';
import { promptOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChosenAssetFigures, ChosenAssets, SharedValue } from '../../../shared/library/chosenAssets.ts';
import {
  allOf,
  type Conditions,
  type FoundRow,
  hitsIn,
  IS_HIT,
  isIn,
  type ReadDb,
  sql,
  type TextSource,
  withoutUnfinishedProject,
} from '../store/index.ts';
import { COST_LOW, FACET_TABLE, IS_UNPRICED } from './assetColumns.ts';
import { conditionsOf, mostFirst } from './assetList.ts';

/** Many assets, chosen by id or by a rule, read with one statement. */

interface Group {
  type: string | null;
  model: string | null;
  verdict: string;
  width: number;
  height: number;
  n: number;
  bytes: number;
  seconds: number;
  cost: number;
  cost_low: number;
  play: number;
  play_low: number;
  unpriced: number;
  of_jobs: number;
  local: number;
  first_at: number;
  last_at: number;
}

const IS_PLAY = `(coalesce(a.profile_id, '') = '${SANDBOX_PROFILE_ID}')`;
const IS_REAL = `NOT ${IS_PLAY}`;
const sumOf = (condition: string, value: string): string => `sum(CASE WHEN ${condition} THEN ${value} ELSE 0 END)`;

export function figuresOfChosen(db: ReadDb, chosen: ChosenAssets): ChosenAssetFigures {
  const { where, params } = conditionOf(db, chosen);
  const grouped = sql(
    'assets.chosen',
    `SELECT ${FACET_TABLE.type.value} AS type, a.model, ${FACET_TABLE.verdict.value} AS verdict, a.width, a.height, count(*) AS n,
       sum(a.bytes) AS bytes, sum(coalesce(a.seconds, 0)) AS seconds, ${sumOf(IS_REAL, 'a.cost_nano')} AS cost, ${sumOf(IS_REAL, COST_LOW)} AS cost_low,
       ${sumOf(IS_PLAY, 'a.cost_nano')} AS play, ${sumOf(IS_PLAY, COST_LOW)} AS play_low, sum(${IS_UNPRICED}) AS unpriced,
       count(a.job_id) AS of_jobs, sum(a.state = 'local') AS local, min(a.created_at) AS first_at, max(a.created_at) AS last_at
     FROM assets a WHERE ${where} GROUP BY 1, 2, 3, 4, 5`,
  );
  const groups = db.all<Group>(grouped, params);
  const tagged = sql(
    'assets.tagsOfChosen',
    `SELECT max(t.tag) AS value, count(*) AS count FROM asset_tags t INDEXED BY asset_tags_by_fold
       CROSS JOIN assets a ON a.seq = t.asset WHERE ${where} GROUP BY t.fold`,
  );
  const sum = (value: (group: Group) => number) => groups.reduce((all, group) => all + value(group), 0);
  return {
    count: sum(({ n }) => n),
    bytes: sum(({ bytes }) => bytes),
    seconds: sum(({ seconds }) => seconds),
    costNano: sum(({ cost }) => cost),
    costLowNano: sum(({ cost_low }) => cost_low),
    playNano: sum(({ play }) => play),
    playLowNano: sum(({ play_low }) => play_low),
    unpriced: sum(({ unpriced }) => unpriced),
    ofJobs: sum(({ of_jobs }) => of_jobs),
    local: sum(({ local }) => local),
    firstAt: groups.reduce((first, { first_at }) => Math.min(first, first_at), groups[0]?.first_at ?? 0),
    lastAt: groups.reduce((last, { last_at }) => Math.max(last, last_at), 0),
    types: valuesOf(groups, ({ type }) => type),
    models: valuesOf(groups, ({ model }) => model),
    verdicts: valuesOf(groups, ({ verdict }) => verdict),
    sizes: valuesOf(groups, ({ width, height }) => (width > 0 ? `${width} × ${height}` : null)),
    tags: mostFirst(db.all<SharedValue>(tagged, params)),
  };
}

function conditionOf(db: ReadDb, { ids, filter, except }: ChosenAssets): Conditions {
  const left = except && isIn('a.id', 'exceptIds', except);
  return allOf(
    filter ? conditionsOf(db, filter) : `a.role <> 'thumbnail'`,
    ids && isIn('a.id', 'chosenIds', ids),
    left && { ...left, where: `NOT (${left.where})` },
  );
}

/** The number of assets for each value, most frequent first; assets without a value are left out. */
function valuesOf(groups: readonly Group[], of: (group: Group) => string | null): SharedValue[] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const value = of(group);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.n);
  }
  return mostFirst([...counts].map(([value, count]) => ({ value, count })));
}

/** The jobs that made these assets, each once. */
export function jobsOfAssets(db: ReadDb, ids: readonly string[]): string[] {
  const { where, params } = isIn('a.id', 'ids', ids);
  const read = sql(
    'assets.jobsOf',
    `SELECT DISTINCT a.job_id AS id FROM assets a WHERE ${where} AND a.job_id IS NOT NULL`,
  );
  return db.all<{ id: string }>(read, params).map(({ id }) => id);
}

const byNumber = sql(
  'assets.foundTexts',
  `SELECT a.seq, a.id, a.name, a.model, a.elsewhere ->> 'prompt' AS foreign_prompt, j.request FROM assets a LEFT JOIN jobs j ON j.id = a.job_id
   WHERE a.seq IN (SELECT value FROM json_each($seqs))`,
);

interface TextRow {
  seq: number;
  id: string;
  name: string;
  model: string | null;
  /** Of a file from elsewhere, which has no job here. */
  foreign_prompt: string | null;
  request: string | null;
}

/** Assets by their name, their model and the prompt of their job, here or elsewhere. */
export const foundAssets: TextSource = {
  find(db, page) {
    const { where, params } = allOf(IS_HIT, 'a.binned_at IS NULL', withoutUnfinishedProject(db, 'a.project_id'));
    const find = sql(
      'assets.find',
      `SELECT a.seq, a.created_at AS at FROM ${hitsIn('asset')} CROSS JOIN assets a ON a.seq = hit.rowid
       WHERE ${where} ORDER BY hit.rowid DESC LIMIT $limit`,
    );
    return db.all<FoundRow>(find, { ...page, ...params });
  },
  read: (db, seqs) =>
    db
      .all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) })
      .map(({ seq, id, name, model, foreign_prompt, request }) => {
        const prompt = request === null ? (foreign_prompt ?? '') : promptOf(JSON.parse(request) as StudioRequest);
        return { seq, id, title: name, texts: [prompt, name, model ?? ''] };
      }),
};
