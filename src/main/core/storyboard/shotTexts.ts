import type { Board } from '../../../shared/board/board.ts';
import { sql, type WriteDb } from '../store/index.ts';

/** What is searched of the shots on a board: a row a shot, since the shots themselves are one text. */

const known = sql(
  'shotTexts.known',
  'SELECT shot_id AS id, title, prompt FROM shot_texts WHERE project_id = $projectId',
);
const remove = sql('shotTexts.remove', 'DELETE FROM shot_texts WHERE project_id = $projectId AND shot_id = $id');
const add = sql(
  'shotTexts.add',
  'INSERT INTO shot_texts (project_id, shot_id, title, prompt, at) VALUES ($projectId, $id, $title, $prompt, $now)',
);

/** A changed one gets a new row, so that their order is that of their changes. */
export function writeShotTexts(db: WriteDb, { projectId, shots }: Board, now: number): void {
  const rows = db.all<{ id: string; title: string; prompt: string }>(known, { projectId });
  const left = new Map(rows.map((row) => [row.id, row]));
  const changed = new Map(shots.map(({ id, title, prompt }) => [id, { id, title, prompt }]));
  for (const [id, { title, prompt }] of changed) {
    const row = left.get(id);
    if (row?.title !== title || row.prompt !== prompt) continue;
    left.delete(id);
    changed.delete(id);
  }
  for (const id of left.keys()) db.run(remove, { projectId, id });
  for (const shot of changed.values()) db.run(add, { projectId, ...shot, now });
}
