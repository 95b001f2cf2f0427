import { z } from 'zod';
import { command, nothing, query } from '../contract/call.ts';
import type { Export } from '../film/filmExport.ts';

/** The folder of the library: its size, its move to another place, and its check. */

/** In this order. `remove` waits for the user if the old folder is to be kept. */
export const MOVE_PHASES = ['copy', 'compare', 'switch', 'remove'] as const;
export type MovePhase = (typeof MOVE_PHASES)[number];

/**
 * A move of the library, followed like an export by `export.changed`, `exports.get` and `exports.cancel`. Until the last checksum is
 * verified in the new place, the library stays in the old one and nothing there is removed. After a restart the current phase starts over.
 */
export interface LibraryMove extends Export {
  kind: 'move';
  phase: MovePhase;
  /** The folder that held `library` before. */
  from: string;
  /** The number of files, and of those that this phase has finished. */
  count: number;
  done: number;
  bytes: number;
  doneBytes: number;
  /** Files that were damaged or incomplete before; they are moved as they are. */
  damaged: number;
  /** The old folder stays until `library.removeOld`. */
  keepsOld: boolean;
  /** The old folder has files that can be removed. */
  hasOld: boolean;
  /** The move continues by itself once this is fixed. */
  waits?: string;
  /** Paused by the user until `library.resumeMove`, over restarts. */
  paused?: true;
  /** Estimated milliseconds to the end of the phase; only while copying or comparing. */
  leftMs?: number;
}

/** A file that differs from its record. */
export interface FaultyFile {
  assetId: string;
  name: string;
  fault: 'missing' | 'damaged';
  /** The gateway may still hold it. */
  canFetch: boolean;
}

/** A check of every file against its checksum. */
export interface LibraryCheck {
  state: 'running' | 'done' | 'failed' | 'canceled';
  /** 0 to 100. */
  progress: number;
  at: number;
  files: number;
  bytes: number;
  missing: number;
  damaged: number;
  /** The first {@link MOST_FAULTY}. */
  faulty: FaultyFile[];
  error?: string;
}
export const MOST_FAULTY = 500;

/** The parts of the library's size; a shared file counts once, with the first in this order. */
export const SPACE_PARTS = [
  'videoKept',
  'videoOpen',
  'videoNo',
  'images',
  'sounds',
  'framesMasks',
  'thumbnails',
  'bin',
] as const;
export type SpacePart = (typeof SPACE_PARTS)[number];

export interface LibrarySpace {
  parts: { part: SpacePart; files: number; bytes: number }[];
  /** On the disk of the library. */
  freeBytes: number;
}

/** The result of the last automatic emptying of the bin. */
export interface EmptiedByItself {
  at: number;
  items: number;
  files: number;
  bytes: number;
}

export interface LibraryFolder {
  /** The absolute path of the folder with the files. */
  folder: string;
  /** The folder given to `library.move`, or the data folder. */
  home: string;
  isUsual: boolean;
  /** Why it cannot be read or written. */
  fault?: string;
  /** The newest move. */
  move?: LibraryMove;
  /** The running check, else the last one that finished. */
  check?: LibraryCheck;
  binEmptied?: EmptiedByItself;
  /** Nothing is deleted automatically before this moment; absent while the days have not begun to count. Milliseconds since 1970. */
  binEmptiesFrom?: number;
}

const folder = z.string().min(1).max(4_096);

export const libraryFolderCalls = {
  'library.folder': query<LibraryFolder>()(nothing),
  /** By kinds of file, from the database. */
  'library.space': query<LibrarySpace>()(nothing),
  /**
   * Moves the library below another, existing folder: copies, verifies every checksum, switches in one durable step, then empties the old
   * place at once or, with `keepOld`, by `library.removeOld`. A crash at any moment leaves a whole library in one place, and the move goes
   * on at the next start.
   */
  'library.move': command<LibraryMove>()(z.strictObject({ folder, keepOld: z.boolean().optional() })),
  /** Starts no more files until `library.resumeMove`, over restarts; only while copying or comparing. */
  'library.pauseMove': command<LibraryMove>()(nothing),
  'library.resumeMove': command<LibraryMove>()(nothing),
  /** Empties the old place of the library. */
  'library.removeOld': command<LibraryMove>()(nothing),
  /** Names the library's new path after its disk was renamed. Only the same library is accepted. */
  'library.locate': command<LibraryFolder>()(z.strictObject({ folder })),
  /** Verifies every file against its checksum, followed by `library.checked`. */
  'library.verify': command<LibraryCheck>()(nothing),
  'library.cancelVerify': command<LibraryCheck>()(nothing),
  'library.reveal': command<null>()(nothing),
} as const;

/** The folder of a hash list (ASC MHL), not a file of the user's. */
export const HASH_LIST_FOLDER = 'ascmhl';
