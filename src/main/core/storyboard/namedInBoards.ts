import { type ReadDb, sql } from '../store/index.ts';

/** A text that may be an id; whether it is one is known by whoever asks. */
const IS_ID = `t.type = 'text' AND length(t.value) <= 200 AND instr(t.value, ' ') = 0`;
/** Of a shot's takes only those that play, not each that was made; all of them where none was chosen. */
const IS_NAMED = `${IS_ID} AND t.path NOT LIKE '$.removedTakes%'
  AND (t.path NOT LIKE '$.takes%' OR json_extract(s.value, '$.activeTake') IS NULL)`;
const CHOSEN = '($projectIds IS NULL OR project_id IN (SELECT value FROM json_each($projectIds)))';

/** With removed projects and removed shots, which can be restored. */
const named = sql(
  'boards.named',
  `SELECT t.value AS id FROM (SELECT shots FROM boards WHERE ${CHOSEN}) b, json_each(b.shots) s, json_tree(s.value) t WHERE ${IS_NAMED}
   UNION SELECT t.value FROM (SELECT json_array(json(shot)) AS shots FROM removed_shots WHERE ${CHOSEN}) b, json_each(b.shots) s,
     json_tree(s.value) t WHERE ${IS_NAMED}
   UNION SELECT t.value FROM (SELECT content FROM boards WHERE ${CHOSEN}) b, json_tree(b.content) t WHERE ${IS_ID}`,
);

/** The ids of assets and jobs that boards name, of all projects or of these. */
export const namedInBoards = (db: ReadDb, projectIds?: readonly string[]): string[] =>
  db.all<{ id: string }>(named, { projectIds: projectIds ? JSON.stringify(projectIds) : null }).map(({ id }) => id);

/** The same of a document in memory; what it shares with itself is walked once. */
export function namedInDocument(document: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<object>();
  const open: unknown[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.length <= 200 && !next.includes(' ')) names.add(next);
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const isChosen = 'activeTake' in next && next.activeTake !== undefined;
    for (const [field, value] of Object.entries(next))
      if (field !== 'removedTakes' && !(field === 'takes' && isChosen) && value !== null) open.push(value);
  }
  return names;
}
