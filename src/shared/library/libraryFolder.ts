import { z } from 'zod';
import { command, nothing, query } from '../contract/call.ts';
import type { Export } from '../film/filmExport.ts';

/** The folder of the library: where it is, what it is made of, its move to another place, and the check of every file in it. */

/** In this order. `remove` waits for the user where the old folder is to be kept until then. */
export const MOVE_PHASES = ['copy', 'compare', 'switch', 'remove'] as const;
export type MovePhase = (typeof MOVE_PHASES)[number];

/**
 * A move of the library, followed like an export by `export.changed`, `exports.get` and `exports.cancel`. Until the last checksum was read
 * back from the new place the library is in the old one, and nothing of it is removed. After a restart its progress goes on from where its
 * phase began.
 */
export interface LibraryMove extends Export {
  kind: 'move';
  phase: MovePhase;
  /** The folder that holds `library` before. */
  from: string;
  /** How many files there are, and how many of them this phase is through with. */
  count: number;
  done: number;
  bytes: number;
  doneBytes: number;
  /** Files that were damaged or half read before: they are moved as they are. */
  damaged: number;
  /** The old folder stays until `library.removeOld`. */
  keepsOld: boolean;
  /** There are files in the old folder that can be removed. */
  hasOld: boolean;
  /** It goes on by itself once this is fixed. */
  waits?: string;
  /** By the user, until `library.resumeMove`, also over a restart. */
  paused?: true;
  /** Milliseconds until the phase ends, as it goes on now; only while copying or comparing, and once it can be told. */
  leftMs?: number;
}

/** One file that is not as the library recorded it. */
export interface FaultyFile {
  assetId: string;
  name: string;
  fault: 'missing' | 'damaged';
  /** The gateway may still hold it. */
  canFetch: boolean;
}

/** A check that reads every file and compares it with its checksum. */
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

/** What the library is made of; a file that several assets share counts once, with the first of them in this order. */
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

/** What the bin let go when it was emptied by itself, as the settings say. */
export interface EmptiedByItself {
  /** Milliseconds since 1970. */
  at: number;
  items: number;
  /** Of the disk. */
  files: number;
  bytes: number;
}

export interface LibraryFolder {
  /** The absolute path of the folder that holds the files. */
  folder: string;
  /** The folder given to `library.move`, or the data folder. */
  home: string;
  isUsual: boolean;
  /** Why it cannot be read or written now. */
  fault?: string;
  /** The newest move. */
  move?: LibraryMove;
  /** The check that runs or, otherwise, the last that came to its end. */
  check?: LibraryCheck;
  binEmptied?: EmptiedByItself;
  /** Before this moment nothing is deleted by the days of the bin; absent where they have not begun to count. Milliseconds since 1970. */
  binEmptiesFrom?: number;
}

const folder = z.string().min(1).max(4_096);

export const libraryFolderCalls = {
  'library.folder': query<LibraryFolder>()(nothing),
  /** By kinds of file; counted from the records, without reading the disk. */
  'library.space': query<LibrarySpace>()(nothing),
  /**
   * Moves the library below another folder: copies, reads every checksum back, switches in one durable step, and only then empties the old
   * place, at once or, with `keepOld`, by `library.removeOld`. The folder that holds it must exist. A kill at any moment leaves a library
   * that is whole in one place, and the move goes on at the next start.
   */
  'library.move': command<LibraryMove>()(z.strictObject({ folder, keepOld: z.boolean().optional() })),
  /** Begins no more files until `library.resumeMove`, also after a restart; only while files are copied or compared. */
  'library.pauseMove': command<LibraryMove>()(nothing),
  'library.resumeMove': command<LibraryMove>()(nothing),
  /** Empties the place that the library was moved from. */
  'library.removeOld': command<LibraryMove>()(nothing),
  /** The disk of the library has another name now: says where the library is. Only the very library is taken. */
  'library.locate': command<LibraryFolder>()(z.strictObject({ folder })),
  /** Reads every file and compares it with its checksum; `library.checked` follows it. */
  'library.verify': command<LibraryCheck>()(nothing),
  'library.cancelVerify': command<LibraryCheck>()(nothing),
  /** Shows the folder in the system's file manager. */
  'library.reveal': command<null>()(nothing),
} as const;

/** Where the hash list of a folder is (ASC MHL): it is no file of the user's. */
export const HASH_LIST_FOLDER = 'ascmhl';
