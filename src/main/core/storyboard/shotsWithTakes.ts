import { type ReadDb, sql } from '../store/index.ts';

/** A shot of a project that is not removed, with one of its takes. */
export interface ShotWithTake {
  projectId: string;
  project: string;
  shotId: string;
  /** Its place on the board, counting from 0. */
  place: number;
  title: string;
  prompt: string;
  jobId: string;
  /** The place of the take, counting from 0. */
  take: number;
  activeTake: string | null;
  activeOutput: number | null;
}

const withTakes = sql(
  'boards.shotsWithTakes',
  `SELECT p.id AS projectId, p.name AS project, s.value ->> '$.id' AS shotId, s.key AS place, coalesce(s.value ->> '$.title', '') AS title,
     substr(coalesce(s.value ->> '$.prompt', ''), 1, 200) AS prompt, t.value AS jobId, t.key AS take,
     s.value ->> '$.activeTake' AS activeTake, s.value ->> '$.activeOutput' AS activeOutput
   FROM projects p JOIN boards b ON b.project_id = p.id, json_each(b.shots) s, json_each(s.value, '$.takes') t
   WHERE p.removed_at IS NULL AND t.value IN (SELECT value FROM json_each($jobIds))
   ORDER BY p.created_at, p.id, s.key, t.key`,
);

/** In the order of projects, shots and takes. */
export const shotsWithTakes = (db: ReadDb, jobIds: readonly string[]): ShotWithTake[] =>
  db.all<ShotWithTake>(withTakes, { jobIds: JSON.stringify(jobIds) });
