import type { Shot } from '../../../shared/board/board.ts';
import { jobTable } from '../jobs/index.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** A text that may be an id; the caller knows which are. */
const IS_ID = `t.type = 'text' AND length(t.value) <= 200 AND instr(t.value, ' ') = 0`;
/** Of a shot's takes only the chosen ones, if any were chosen. */
const IS_NAMED = `${IS_ID} AND t.path NOT LIKE '$.removedTakes%'
  AND (t.path NOT LIKE '$.takes%' OR json_extract(s.value, '$.activeTake') IS NULL)`;
const CHOSEN = '($projectIds IS NULL OR project_id IN (SELECT value FROM json_each($projectIds)))';

/** Removed projects and shots included, since they can be restored. */
const named = sql(
  'boards.named',
  `SELECT t.value AS id FROM (SELECT shots FROM boards WHERE ${CHOSEN}) b, json_each(b.shots) s, json_tree(s.value) t WHERE ${IS_NAMED}
   UNION SELECT t.value FROM (SELECT json_array(json(shot)) AS shots FROM removed_shots WHERE ${CHOSEN}) b, json_each(b.shots) s,
     json_tree(s.value) t WHERE ${IS_NAMED}
   UNION SELECT t.value FROM (SELECT content FROM boards WHERE ${CHOSEN}) b, json_tree(b.content) t WHERE ${IS_ID}`,
);

const CHOICE = `s ->> '$.activeTake' AS chosen, s ->> '$.meanwhile.take' AS before, s -> '$.takes' AS takes`;
const IS_CHOICE = `json_array_length(s, '$.takes') > 1 AND s ->> '$.activeTake' IS NOT NULL`;
/** Of these shots, those that have other takes besides the chosen one. */
const choices = sql(
  'boards.choices',
  `SELECT ${CHOICE} FROM (SELECT e.value AS s FROM boards, json_each(shots) e WHERE ${CHOSEN}) WHERE ${IS_CHOICE}
   UNION ALL SELECT ${CHOICE} FROM (SELECT shot AS s FROM removed_shots WHERE ${CHOSEN}) WHERE ${IS_CHOICE}`,
);

/** The takes of a shot with a chosen one. */
interface Choice {
  chosen: string;
  /** The take that is used until the chosen one is made. */
  before: string | null;
  takes: readonly string[];
}

/** The ids of assets and jobs in boards, of all projects or of these. */
export function referencedInBoards(db: ReadDb, projectIds?: readonly string[]): string[] {
  const params = { projectIds: projectIds ? JSON.stringify(projectIds) : null };
  const ids = db.all<{ id: string }>(named, params).map(({ id }) => id);
  const rows = db.all<Omit<Choice, 'takes'> & { takes: string }>(choices, params);
  return ids.concat(
    playedInstead(
      db,
      rows.map(({ takes, ...row }) => ({ ...row, takes: JSON.parse(takes) })),
    ),
  );
}

/** The takes that play because a shot's chosen one has no result. */
function playedInstead(db: ReadDb, all: readonly Choice[]): string[] {
  const ids = all.flatMap(({ chosen, before }) => (before === null ? chosen : [chosen, before]));
  const notMade = new Set(ids.length > 0 ? jobTable.notMadeAmong(db, ids) : []);
  return all
    .filter(({ chosen, before }) => notMade.has(chosen) && (before === null || notMade.has(before)))
    .flatMap(({ takes }) => takes);
}

/** The same for a document in memory; shared parts are visited once. */
export function namedInDocument(db: ReadDb, document: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const chosen: Choice[] = [];
  const seen = new Set<object>();
  const open: unknown[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.length <= 200 && !next.includes(' ')) names.add(next);
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const choice = choiceIn(next);
    if (choice) chosen.push(choice);
    for (const value of valuesOf(next, choice ? ['removedTakes', 'takes'] : ['removedTakes'])) open.push(value);
  }
  for (const id of playedInstead(db, chosen)) names.add(id);
  return names;
}

function choiceIn(value: Partial<Shot> | object): Choice | undefined {
  if (!('activeTake' in value) || value.activeTake === undefined) return undefined;
  return { chosen: value.activeTake, before: value.meanwhile?.take ?? null, takes: value.takes ?? [] };
}

const valuesOf = (value: object, except: readonly string[]): unknown[] =>
  Object.entries(value).flatMap(([field, one]) => (one === null || except.includes(field) ? [] : [one]));
