import type { Export, ExportedFile, ExportKind, ExportPage, ExportState } from '../../../shared/film/filmExport.ts';
import { HASH_LIST_FOLDER } from '../../../shared/library/libraryFolder.ts';
import { allOf, type List, type PageRange, type ReadDb, readPage, sql, type WriteDb, whereIf } from '../store/index.ts';

interface ExportRow {
  seq: number;
  id: string;
  revision: number;
  kind: ExportKind;
  state: ExportState;
  /** The final progress. */
  progress: number;
  project_id: string | null;
  name: string;
  folder: string;
  mode: 'join' | 'encode' | null;
  why: string | null;
  /** {@link RecordedFile}s as JSON, written once all files are whole on disk and before they are named. */
  files: string;
  error: string | null;
  created_at: number;
  finished_at: number | null;
}

const insert = sql(
  'exports.insert',
  `INSERT INTO exports (id, kind, state, project_id, name, folder, created_at)
   VALUES ($id, $kind, 'running', $projectId, $name, $folder, $createdAt)`,
);
const byId = sql('exports.byId', 'SELECT * FROM exports WHERE id = $id');
const saveFiles = sql(
  'exports.saveFiles',
  'UPDATE exports SET files = $files, mode = $mode, why = $why WHERE id = $id',
);
/** While it runs, each percent raises the revision without being stored; the end must be newer than all of them. */
const end = sql(
  'exports.end',
  `UPDATE exports SET state = $state, progress = $progress, mode = $mode, why = $why, error = $error, finished_at = $finishedAt,
     files = $files, revision = revision + 100 WHERE id = $id AND state = 'running'`,
);
const addPart = sql(
  'exports.addPart',
  'INSERT INTO export_parts (export_id, name) VALUES ($id, $name) ON CONFLICT DO NOTHING',
);
const parts = sql('exports.parts', 'SELECT name FROM export_parts WHERE export_id = $id');
const forgetParts = sql('exports.forgetParts', 'DELETE FROM export_parts WHERE export_id = $id');
const remove = sql('exports.remove', 'DELETE FROM exports WHERE id = $id');
const running = sql('exports.running', `SELECT * FROM exports WHERE state = 'running' ORDER BY seq`);

const finished = sql('exports.finished', `SELECT folder, files FROM exports WHERE state = 'done'`);

/** Some systems ignore case in names. Exports without files are skipped. */
const ofFolder = sql(
  'exports.ofFolder',
  `SELECT 1 AS found FROM exports WHERE folder = $folder COLLATE NOCASE AND state IN ('running', 'done') LIMIT 1`,
);

export const isOfExport = (db: ReadDb, folder: string): boolean => db.one(ofFolder, { folder }) !== undefined;

export const finishedFiles = (db: ReadDb): { folder: string; files: RecordedFile[] }[] =>
  db
    .all<Pick<ExportRow, 'folder' | 'files'>>(finished)
    .map(({ folder, files }) => ({ folder, files: JSON.parse(files) }));

export interface RecordedFile extends ExportedFile {
  /** A link to a file of the library; unknown for exports of older versions. */
  isLink?: true;
}

export interface NewExportRow {
  id: string;
  kind: ExportKind;
  projectId?: string;
  name: string;
  folder: string;
  createdAt: number;
}

export interface Ending extends HowMade {
  state: Exclude<ExportState, 'running'>;
  progress: number;
  error?: string;
  files: RecordedFile[];
  finishedAt: number;
}

export const addExport = (db: WriteDb, one: NewExportRow): void => {
  db.run(insert, { ...one, projectId: one.projectId ?? null });
};

export function readExport(db: ReadDb, id: string): Export | undefined {
  const row = db.one<ExportRow>(byId, { id });
  return row && exportOf(row);
}

export function listExports(
  db: ReadDb,
  { projectId, ...range }: PageRange & { projectId?: string | undefined },
): ExportPage {
  const list: List<ExportRow> = {
    ...{ name: 'exports.page', view: 'SELECT * FROM exports', from: 'exports', direction: 'desc' },
    order: [{ column: 'seq', of: ({ seq }) => seq }],
    ...allOf(whereIf('project_id = $projectId', 'projectId', projectId)),
  };
  const { rows, ...next } = readPage(db, list, range);
  return { exports: rows.map(exportOf), ...next };
}

/** Remarks for the user. */
export interface HowMade {
  mode?: 'join' | 'encode' | undefined;
  why?: string | undefined;
}

/** The files are complete: from now on a restart finishes the export, and knows how it was made. */
export const recordFiles = (db: WriteDb, id: string, files: readonly RecordedFile[], made: HowMade): number =>
  db.run(saveFiles, { id, files: JSON.stringify(files), mode: made.mode ?? null, why: made.why ?? null });

export function endExport(db: WriteDb, id: string, ending: Ending): void {
  db.run(forgetParts, { id });
  db.run(end, {
    id,
    state: ending.state,
    progress: ending.progress,
    mode: ending.mode ?? null,
    why: ending.why ?? null,
    error: ending.error ?? null,
    finishedAt: ending.finishedAt,
    files: JSON.stringify(ending.files),
  });
}

/** Records a started file, so that its part can be removed after a crash. */
export const addExportPart = (db: WriteDb, id: string, name: string): number => db.run(addPart, { id, name });

export const removeExport = (db: WriteDb, id: string): number => db.run(remove, { id });

/** Exports left running by a crash: recorded files are whole; `begun`: the names of all started files. */
export const runningExports = (db: ReadDb): { export: Export; recorded: RecordedFile[]; begun: string[] }[] =>
  db.all<ExportRow>(running).map((row) => ({
    export: exportOf(row),
    recorded: filesOf(row),
    begun: db.all<{ name: string }>(parts, { id: row.id }).map(({ name }) => name),
  }));

const filesOf = (row: ExportRow): RecordedFile[] => JSON.parse(row.files) as RecordedFile[];

/** Separates the hash list from the files it lists. */
function parted(recorded: readonly RecordedFile[]): Pick<Export, 'files' | 'hashList'> {
  const files = recorded.map(({ isLink: _, ...file }): ExportedFile => file);
  const isList = ({ name }: ExportedFile): boolean => name.startsWith(`${HASH_LIST_FOLDER}/`);
  const hashList = files.filter(isList);
  return { files: files.filter((file) => !isList(file)), ...(hashList.length > 0 ? { hashList } : {}) };
}

function exportOf(row: ExportRow): Export {
  return {
    id: row.id,
    revision: row.revision,
    kind: row.kind,
    state: row.state,
    progress: row.progress,
    name: row.name,
    ...(row.state === 'done' ? parted(filesOf(row)) : { files: [] }),
    folder: row.folder,
    createdAt: row.created_at,
    ...(row.project_id === null ? {} : { projectId: row.project_id }),
    ...(row.mode === null ? {} : { mode: row.mode }),
    ...(row.why === null ? {} : { why: row.why }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
  };
}
