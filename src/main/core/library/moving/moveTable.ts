import type { LibraryMove, MovePhase } from '../../../../shared/library/libraryFolder.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';

/** The journal of the moves. */
export interface MoveRow {
  seq: number;
  id: string;
  revision: number;
  state: LibraryMove['state'];
  phase: MovePhase;
  /** In percent. */
  progress: number;
  from_home: string;
  to_home: string;
  /** The id of the library at the new location. */
  library: string;
  keeps_old: 0 | 1;
  has_old: 0 | 1;
  paused: 0 | 1;
  files: number;
  bytes: number;
  damaged: number;
  error: string | null;
  created_at: number;
  finished_at: number | null;
}

const insert = sql(
  'libraryMoves.insert',
  `INSERT INTO library_moves (id, from_home, to_home, library, keeps_old, files, bytes, created_at)
   VALUES ($id, $from_home, $to_home, $library, $keeps_old, $files, $bytes, $created_at)`,
);
const dropOld = sql(
  'libraryMoves.forgetOld',
  'UPDATE library_moves SET has_old = 0, revision = revision + 1 WHERE has_old = 1',
);
/** The first row that matches the rest of the statement. */
const oneMove = (name: string, rest: string) => {
  const statement = sql(`libraryMoves.${name}`, `SELECT * FROM library_moves ${rest} LIMIT 1`);
  return (db: ReadDb, params: { id?: string } = {}) => db.one<MoveRow>(statement, params);
};
export const moveById = oneMove('byId', 'WHERE id = $id');
/** The move of this data folder that created the id of a library, if any. */
export const moveOfLibrary = oneMove('byLibrary', 'WHERE library = $id');
export const newestMove = oneMove('newest', 'ORDER BY seq DESC');
/** The newest move whose old folder still contains files. */
export const moveWithOld = oneMove('withOld', 'WHERE has_old = 1 ORDER BY seq DESC');

const running = sql('libraryMoves.running', `SELECT * FROM library_moves WHERE state = 'running' ORDER BY seq`);
export const runningMoves = (db: ReadDb): MoveRow[] => db.all<MoveRow>(running);

const save = sql(
  'libraryMoves.save',
  `UPDATE library_moves SET state = $state, phase = $phase, progress = $progress, to_home = $to_home, keeps_old = $keeps_old,
     has_old = $has_old, paused = $paused, damaged = $damaged, files = $files, bytes = $bytes, error = $error,
     finished_at = $finished_at, revision = $revision WHERE id = $id`,
);

type NewMove = Pick<
  MoveRow,
  'id' | 'from_home' | 'to_home' | 'library' | 'keeps_old' | 'files' | 'bytes' | 'created_at'
>;

/** Older folders are forgotten when the library moves again: after that, nothing proves that the new folder has their files. */
export function insertMove(db: WriteDb, move: NewMove): MoveRow {
  db.run(dropOld);
  db.run(insert, { ...move });
  return moveById(db, { id: move.id }) as MoveRow;
}

/** Each save raises the revision above all that were announced since the last one. */
const TOLD_BETWEEN = 10_000;

/** Returns the row as stored. */
export function saveMove(db: WriteDb, row: MoveRow): MoveRow {
  const changed = { ...row, revision: row.revision + TOLD_BETWEEN };
  db.run(save, { ...changed });
  return changed;
}

export const moveOf = (row: MoveRow): LibraryMove => ({
  id: row.id,
  kind: 'move',
  name: 'Library',
  revision: row.revision,
  state: row.state,
  phase: row.phase,
  progress: row.progress,
  from: row.from_home,
  folder: row.to_home,
  files: [],
  count: row.files,
  bytes: row.bytes,
  damaged: row.damaged,
  done: 0,
  doneBytes: 0,
  keepsOld: row.keeps_old === 1,
  hasOld: row.has_old === 1,
  createdAt: row.created_at,
  ...(row.paused === 1 ? { paused: true as const } : {}),
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
});
