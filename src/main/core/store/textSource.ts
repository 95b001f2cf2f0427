import type { ReadDb } from './handles.ts';
import { TEXT_TABLES, type TextTable } from './textIndex.ts';

/** What a module has of its rows for a search over all modules. */
export interface TextSource {
  /** Rows that match and are shown, what came last first, with numbers below `before`. */
  find(db: ReadDb, page: { match: string; before: number; limit: number }): FoundRow[];
  read(db: ReadDb, seqs: readonly number[]): FoundText[];
}

export interface FoundRow {
  seq: number;
  /** When it was made, in ms since 1970. */
  at: number;
  /** When it came into this library, where it may have been made elsewhere before that: numbers grow with this time. */
  cameAt?: number;
}

export interface FoundText {
  seq: number;
  id: string;
  title: string;
  /** Where the words may stand; what says most comes first. */
  texts: string[];
  conversationId?: string;
  branch?: string;
  role?: 'user' | 'assistant';
  projectId?: string;
}

/** For a statement that reads the rows of a table in the order in which its index finds them, and no more than it answers. */
export const hitsIn = (table: TextTable): string => `${TEXT_TABLES[table]} AS hit`;
/** Needs `$match`. */
export const IS_MATCH = 'hit.words MATCH $match';
/** Needs `$before` too. */
export const IS_HIT = `${IS_MATCH} AND hit.rowid < $before`;
