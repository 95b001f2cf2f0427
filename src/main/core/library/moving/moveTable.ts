import type { LibraryMove, MovePhase } from '../../../../shared/library/libraryFolder.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';

export interface MoveRow {
  seq: number;
  id: string;
  revision: number;
  state: LibraryMove['state'];
  phase: MovePhase;
  /** In percent; of a move that runs, what it had come to when the row was last saved. */
  progress: number;
  from_home: string;
  to_home: string;
  /** What the library is called in the new place. */
  library: string;
  keeps_old: 0 | 1;
  has_old: 0 | 1;
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
   VALUES ($id, $from, $to, $library, $keepsOld, $files, $bytes, $createdAt)`,
);
const dropOld = sql(
  'libraryMoves.forgetOld',
  'UPDATE library_moves SET has_old = 0, revision = revision + 1 WHERE has_old = 1',
);
const byId = sql('libraryMoves.byId', 'SELECT * FROM library_moves WHERE id = $id');
const newest = sql('libraryMoves.newest', 'SELECT * FROM library_moves ORDER BY seq DESC LIMIT 1');
const running = sql('libraryMoves.running', `SELECT * FROM library_moves WHERE state = 'running' ORDER BY seq`);
const withOld = sql('libraryMoves.withOld', 'SELECT * FROM library_moves WHERE has_old = 1 ORDER BY seq DESC LIMIT 1');
const save = sql(
  'libraryMoves.save',
  `UPDATE library_moves SET state = $state, phase = $phase, progress = $progress, has_old = $hasOld, damaged = $damaged, files = $files,
     bytes = $bytes, error = $error, finished_at = $finishedAt, revision = revision + 1 WHERE id = $id`,
);

export interface NewMove {
  id: string;
  from: string;
  to: string;
  library: string;
  keepsOld: boolean;
  files: number;
  bytes: number;
  createdAt: number;
}

/** Once the library moves again, nothing can tell that the new place has what an older one held: older folders are forgotten. */
export function insertMove(db: WriteDb, move: NewMove): void {
  db.run(dropOld);
  db.run(insert, { ...move, keepsOld: move.keepsOld ? 1 : 0 });
}
export const moveById = (db: ReadDb, id: string): MoveRow | undefined => db.one<MoveRow>(byId, { id });
export const newestMove = (db: ReadDb): MoveRow | undefined => db.one<MoveRow>(newest);
export const runningMoves = (db: ReadDb): MoveRow[] => db.all<MoveRow>(running);
/** The newest whose old folder still holds files. */
export const moveWithOld = (db: ReadDb): MoveRow | undefined => db.one<MoveRow>(withOld);

export function saveMove(db: WriteDb, row: MoveRow): void {
  const { id, state, phase, damaged, files, bytes, error, has_old: hasOld, finished_at: finishedAt } = row;
  const progress = state === 'done' ? 100 : row.progress;
  db.run(save, { id, state, phase, progress, damaged, files, bytes, error, hasOld, finishedAt });
}

const ofLibrary = sql('libraryMoves.ofLibrary', 'SELECT 1 AS yes FROM library_moves WHERE library = $library LIMIT 1');
const dropKept = sql('libraryMoves.removesOld', 'UPDATE library_moves SET keeps_old = 0 WHERE id = $id');
const relocate = sql('libraryMoves.relocated', 'UPDATE library_moves SET to_home = $home WHERE library = $library');

/** A move of this data folder has named it. */
export const isOurs = (db: ReadDb, library: string): boolean => db.one(ofLibrary, { library }) !== undefined;
/** The new place of a library has another name by now. */
export const relocated = (db: WriteDb, library: string, home: string): number => db.run(relocate, { library, home });
/** The old folder is no longer kept. */
export const removesOld = (db: WriteDb, id: string): number => db.run(dropKept, { id });

/** What of a move that runs is not stored. A stored change is newer than all that came before it. */
interface Live {
  row: MoveRow;
  done: number;
  doneBytes: number;
  ticks: number;
  waits?: string | undefined;
  isPaused: boolean;
  leftMs: number | undefined;
}
const TICKS_OF_A_REVISION = 10_000;

export function moveOf(row: MoveRow, live: Live | undefined): LibraryMove {
  const { damaged, bytes, files } = live?.row ?? row;
  return {
    id: row.id,
    kind: 'move',
    name: 'Library',
    revision: row.revision * TICKS_OF_A_REVISION + (live?.ticks ?? 0),
    state: row.state,
    phase: row.phase,
    progress: Math.max(row.progress, live?.row.progress ?? 0),
    from: row.from_home,
    folder: row.to_home,
    files: [],
    count: files,
    bytes,
    damaged,
    done: live?.done ?? 0,
    doneBytes: live?.doneBytes ?? 0,
    keepsOld: row.keeps_old === 1,
    hasOld: row.has_old === 1,
    createdAt: row.created_at,
    ...(live?.waits === undefined ? {} : { waits: live.waits }),
    ...(live?.isPaused ? { paused: true as const } : {}),
    ...(live?.leftMs === undefined ? {} : { leftMs: live.leftMs }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
  };
}
