import {
  type Board,
  boardSchema,
  isBlankShot,
  type Project,
  type RemovedShot,
  type Shot,
  shotSchema,
} from '../../../shared/board/board.ts';
import { type FoundRow, hitsIn, IS_HIT, type ReadDb, sql, type TextSource, type WriteDb } from '../store/index.ts';

/** Projects, boards and removed shots in the database. */

const boardOf = sql('boards.get', 'SELECT revision, shots, content FROM boards WHERE project_id = $projectId');
const saveBoard = sql(
  'boards.save',
  `INSERT INTO boards (project_id, revision, shots, content) VALUES ($projectId, $revision, $shots, $content)
   ON CONFLICT DO UPDATE SET revision = $revision, shots = $shots, content = $content`,
);
const naming = sql(
  'boards.naming',
  `SELECT project_id AS projectId FROM boards WHERE instr(shots, $take) > 0
   UNION SELECT project_id FROM removed_shots WHERE instr(shot, $take) > 0`,
);
const removedShots = sql(
  'boards.held',
  `SELECT shot, place, removed_at AS removedAt FROM removed_shots WHERE project_id = $projectId
   ORDER BY removed_at DESC, shot_id`,
);
const saveRemovedShot = sql(
  'boards.hold',
  `INSERT OR REPLACE INTO removed_shots (project_id, shot_id, shot, place, removed_at)
   VALUES ($projectId, $shotId, $shot, $place, $removedAt)`,
);
const deleteRemovedShot = sql(
  'boards.deleteRemovedShot',
  'DELETE FROM removed_shots WHERE project_id = $projectId AND shot_id = $shotId',
);

const PROJECT = 'SELECT id, name, created_at AS createdAt FROM projects';
const projects = sql('projects.all', `${PROJECT} WHERE removed_at IS NULL ORDER BY created_at, id`);
const removedProjects = sql('projects.removed', `${PROJECT} WHERE removed_at IS NOT NULL ORDER BY removed_at DESC, id`);
const oneProject = sql('projects.one', `${PROJECT} WHERE id = $id AND removed_at IS NULL`);
const anyProject = sql('projects.any', `${PROJECT} WHERE id = $id`);
const insertProject = sql(
  'projects.insert',
  'INSERT INTO projects (id, name, created_at) VALUES ($id, $name, $createdAt)',
);
const saveName = sql('projects.rename', 'UPDATE projects SET name = $name WHERE id = $id AND removed_at IS NULL');
const saveRemovedAt = sql('projects.saveRemoved', 'UPDATE projects SET removed_at = $removedAt WHERE id = $id');

const ALL = 'SELECT id, name, removed_at AS removedAt FROM';
const allProjects = sql('projects.all.removed', `${ALL} main.projects ORDER BY created_at, id`);
const pastProjects = sql('projects.past', `${ALL} past.projects ORDER BY created_at, id`);
const pastBoard = sql('boards.past', 'SELECT revision, shots, content FROM past.boards WHERE project_id = $projectId');
const saveProject = sql('projects.set', 'UPDATE projects SET name = $name, removed_at = $removedAt WHERE id = $id');

export const readProjects = (db: ReadDb): { projects: Project[]; removed: Project[] } => ({
  projects: db.all<Project>(projects),
  removed: db.all<Project>(removedProjects),
});
/** A project that is not removed. */
export const readProject = (db: ReadDb, id: string): Project | undefined => db.one<Project>(oneProject, { id });
export const hasProject = (db: ReadDb, id: string): boolean => readProject(db, id) !== undefined;
export const addProject = (db: WriteDb, project: Project): number => db.run(insertProject, { ...project });
export const renameProject = (db: WriteDb, id: string, name: string): number => db.run(saveName, { id, name });

/** Removes a project or, with `null`, restores it; undefined if there is none. */
export function setRemoved(db: WriteDb, id: string, removedAt: number | null): Project | undefined {
  db.run(saveRemovedAt, { id, removedAt });
  return db.one<Project>(anyProject, { id });
}

/** The board of a project, even a removed one: its takes continue. */
export function readBoard(db: ReadDb, projectId: string): Board | undefined {
  if (!db.one(anyProject, { id: projectId })) return undefined;
  return boardFrom(projectId, db.one<BoardRow>(boardOf, { projectId }));
}

interface BoardRow {
  revision: number;
  shots: string;
  content: string;
}

function boardFrom(projectId: string, row: BoardRow | undefined): Board {
  if (!row) return boardSchema.parse({ projectId, revision: 0, shots: [] });
  const { revision, shots, content } = row;
  return boardSchema.parse({ ...stored(content), projectId, revision, shots: stored(shots) });
}

/** A project in a backup attached as `past`. */
export interface BackupProject {
  id: string;
  name: string;
  removedAt: number | null;
}

export const readPastProjects = (db: ReadDb): BackupProject[] => db.all<BackupProject>(pastProjects);
export const readPastBoard = (db: ReadDb, projectId: string): Board =>
  boardFrom(projectId, db.one<BoardRow>(pastBoard, { projectId }));
/** All present projects, removed ones included. */
export const readAllProjects = (db: ReadDb): BackupProject[] => db.all<BackupProject>(allProjects);
export const setProject = (db: WriteDb, project: BackupProject): number => db.run(saveProject, { ...project });

/** Parses stored JSON. Older versions accepted NUL, which is refused now: it becomes U+FFFD, or the board could no longer be saved. */
function stored<T extends object>(json: string): T {
  if (!json.includes('\\u0000')) return JSON.parse(json);
  return JSON.parse(json, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
}

/** The board of a project that is not removed. */
export const readOpenBoard = (db: ReadDb, projectId: string): Board | undefined =>
  readProject(db, projectId) && readBoard(db, projectId);

export function writeBoard(db: WriteDb, board: Board, now: number): Board {
  const next = { ...board, revision: board.revision + 1 };
  const { projectId, revision, shots, ...content } = next;
  db.run(saveBoard, {
    projectId,
    revision,
    shots: JSON.stringify(shots),
    content: JSON.stringify(content),
  });
  writeShotTexts(db, board, now);
  return next;
}

/** Projects with a shot, on the board or removed, that may name this take. */
export const projectsWithTake = (db: ReadDb, take: string): string[] =>
  db.all<{ projectId: string }>(naming, { take: JSON.stringify(take) }).map(({ projectId }) => projectId);

/** Latest removal first. */
export function readRemoved(db: ReadDb, projectId: string): RemovedShot[] {
  return db
    .all<{ shot: string; place: number; removedAt: number }>(removedShots, { projectId })
    .map(({ shot, ...row }) => ({ ...row, shot: shotSchema.parse(stored(shot)) }));
}

export const removedShotsById = (db: ReadDb, projectId: string): Map<string, Shot> =>
  new Map(readRemoved(db, projectId).map(({ shot }) => [shot.id, shot]));

export function saveRemoved(db: WriteDb, projectId: string, { shot, place, removedAt }: RemovedShot): void {
  db.run(saveRemovedShot, { projectId, shotId: shot.id, shot: JSON.stringify(shot), place, removedAt });
}

/** Stores shots that left the board and deletes those that came back. */
export function syncRemovedShots(
  db: WriteDb,
  projectId: string,
  { before, after, now }: { before: readonly Shot[]; after: readonly Shot[]; now: number },
): void {
  const [old, here] = [idsOf(before), idsOf(after)];
  for (const [place, shot] of before.entries())
    if (!here.has(shot.id) && !isBlankShot(shot)) saveRemoved(db, projectId, { shot, place, removedAt: now });
  for (const { id } of after) if (!old.has(id)) db.run(deleteRemovedShot, { projectId, shotId: id });
}

const idsOf = (shots: readonly Shot[]): Set<string> => new Set(shots.map(({ id }) => id));

/** The searchable texts of shots, one row each, since a board is stored as one text. */

const known = sql(
  'shotTexts.known',
  'SELECT shot_id AS id, title, prompt FROM shot_texts WHERE project_id = $projectId',
);
const remove = sql('shotTexts.remove', 'DELETE FROM shot_texts WHERE project_id = $projectId AND shot_id = $id');
const add = sql(
  'shotTexts.add',
  'INSERT INTO shot_texts (project_id, shot_id, title, prompt, at) VALUES ($projectId, $id, $title, $prompt, $now)',
);

/** A changed shot gets a new row, so that rows are in the order of change. */
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

const find = sql(
  'shotTexts.find',
  `SELECT s.seq, s.at FROM ${hitsIn('shot')} CROSS JOIN shot_texts s ON s.seq = hit.rowid
   CROSS JOIN projects p ON p.id = s.project_id WHERE ${IS_HIT} AND p.removed_at IS NULL
   ORDER BY hit.rowid DESC LIMIT $limit`,
);
const byNumber = sql(
  'shotTexts.foundTexts',
  `SELECT s.seq, s.shot_id AS id, s.project_id AS projectId, s.title, s.prompt, p.name
   FROM shot_texts s JOIN projects p ON p.id = s.project_id WHERE s.seq IN (SELECT value FROM json_each($seqs))`,
);

interface TextRow {
  seq: number;
  id: string;
  projectId: string;
  title: string;
  prompt: string;
  name: string;
}

/** Shots by title and prompt, with the time of their last change; without those of removed projects. */
export const foundShots: TextSource = {
  find: (db, page) => db.all<FoundRow>(find, { ...page }),
  read: (db, seqs) =>
    db.all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) }).map(({ title, prompt, name, ...row }) => ({
      ...row,
      title: title.trim() === '' ? name : title,
      texts: [prompt, title],
    })),
};

/** A shot of a project that is not removed, with one of its takes. */
export interface ShotWithTake {
  projectId: string;
  project: string;
  shotId: string;
  /** Its index on the board. */
  place: number;
  title: string;
  prompt: string;
  jobId: string;
  /** The index of the take. */
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
