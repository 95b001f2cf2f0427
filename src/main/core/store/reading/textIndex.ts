import type Database from 'better-sqlite3';
import { promptOf, type StudioRequest } from '../../../../shared/kinds/index.ts';
import { indexedWords } from '../../../../shared/library/search/words.ts';
import type { ReadDb } from '../connection.ts';

/**
 * The text index: an FTS5 table for each of jobs, assets, messages, shots and chats, with the same row numbers, that contains only the
 * words of a row. Triggers keep them in step, so that no statement, present or future, can forget one. They belong to the connection and
 * are not stored in the file, because they need functions of the program.
 */

/** The condition for the numbers (`seq`) of what holds all that `$match` says, made by `ftsQuery`. */
export const TEXT_TABLES = {
  job: 'jobs_fts',
  asset: 'assets_fts',
  message: 'messages_fts',
  shot: 'shots_fts',
  chat: 'conversations_fts',
} as const;
export type TextTable = keyof typeof TEXT_TABLES;

export const matching = (table: TextTable): string =>
  `SELECT rowid FROM ${TEXT_TABLES[table]} WHERE ${TEXT_TABLES[table]} MATCH $match`;

/** SQL functions about words; both migrations and triggers need them. */
export function addTextFunctions(connection: Database.Database): void {
  connection.function('text_words', { deterministic: true, varargs: true }, (...texts: unknown[]) =>
    indexedWords(...texts.map((text) => (text === null ? '' : String(text)))),
  );
  connection.function('request_prompt', { deterministic: true }, (request: unknown) => promptIn(String(request)));
}

/** The kind of an old request may no longer exist. */
function promptIn(json: string): string {
  try {
    return String(promptOf(JSON.parse(json) as StudioRequest) ?? '');
  } catch {
    return '';
  }
}

const PROMPT_OF = (job: string) => `(SELECT request_prompt(j.request) FROM main.jobs j WHERE j.id = ${job})`;
/** An answer is not searched while it is still arriving. */
const DONE = (job: string) => `${job}.state NOT IN ('queued', 'blocked', 'sending', 'running', 'fetching')`;
const ANSWER_OF = (job: string) =>
  `(SELECT coalesce(j.result ->> 'text', j.partial_text) FROM main.jobs j WHERE j.id = ${job} AND ${DONE('j')})`;

/** The words of a row, by the row's name in the statement. */
const WORDS = {
  job: (row: string) => `text_words(request_prompt(${row}.request), ${row}.model)`,
  asset: (row: string) =>
    `text_words(${row}.name, ${row}.model, ${PROMPT_OF(`${row}.job_id`)}, ${row}.elsewhere ->> 'prompt')`,
  message: (row: string) =>
    `text_words(CASE WHEN ${row}.role = 'user' OR ${row}.job_id IS NULL THEN ${row}.text ELSE ${ANSWER_OF(`${row}.job_id`)} END)`,
  shot: (row: string) => `text_words(${row}.title, ${row}.prompt)`,
  chat: (row: string) => `text_words(${row}.title)`,
} as const;

interface Indexed {
  /** The table of the rows. */
  rows: string;
  /** Columns that its words are made of. */
  of: string;
  /** Which rows are searched. */
  when(row: string): string;
}

const INDEXED: Record<TextTable, Indexed> = {
  job: { rows: 'main.jobs', of: 'request, model', when: () => 'true' },
  // A thumbnail is never listed.
  asset: {
    rows: 'main.assets',
    of: 'name, model, job_id, role, elsewhere',
    when: (row) => `${row}.role <> 'thumbnail'`,
  },
  message: { rows: 'main.messages', of: 'text, role, job_id', when: () => 'true' },
  shot: { rows: 'main.shot_texts', of: 'title, prompt', when: () => 'true' },
  // A new chat gets its number only after it was added.
  chat: { rows: 'main.conversations', of: 'title, seq', when: (row) => `${row}.seq IS NOT NULL` },
};

/** All searched texts of one table, as rows of `rowid` and `words`, to compare with its index. */
export const wordsOfAll = (table: TextTable): string =>
  `SELECT t.seq AS rowid, ${WORDS[table]('t')} AS words FROM ${INDEXED[table].rows} t WHERE ${INDEXED[table].when('t')}`;

const remove = (table: TextTable, condition: string) => `DELETE FROM ${TEXT_TABLES[table]} WHERE ${condition};`;
const add = (table: TextTable, row: string, from = '') =>
  `INSERT INTO ${TEXT_TABLES[table]} (rowid, words) SELECT ${row}.seq, ${WORDS[table](row)} ${from};`;

/** Makes this connection keep the index in step with its writes. */
export function keepTextIndex(connection: Database.Database): void {
  for (const name of Object.keys(INDEXED) as TextTable[]) {
    const { rows, of, when } = INDEXED[name];
    const gone = remove(name, 'rowid = OLD.seq');
    const here = add(name, 'NEW', `WHERE ${when('NEW')}`);
    const on = (event: string, what: string, condition: string, then: string) =>
      connection.exec(
        `CREATE TEMP TRIGGER ${name}_${event}_words AFTER ${what} ON ${rows} WHEN ${condition} BEGIN ${then} END`,
      );
    const differs = of.split(', ').map((column) => `NEW.${column} IS NOT OLD.${column}`);
    on('added', 'INSERT', when('NEW'), here);
    on('changed', `UPDATE OF ${of}`, differs.join(' OR '), `${gone} ${here}`);
    on('removed', 'DELETE', 'true', gone);
  }
  const ofJob = (table: 'asset' | 'message') => {
    const { rows, when } = INDEXED[table];
    const own = `t.job_id = NEW.id AND ${when('t')}`;
    const numbers = `SELECT t.seq FROM ${rows} t WHERE ${own}`;
    return `${remove(table, `rowid IN (${numbers})`)} ${add(table, 't', `FROM ${rows} t WHERE ${own}`)}`;
  };
  connection.exec(`CREATE TEMP TRIGGER jobs_worded_assets AFTER UPDATE OF request ON main.jobs
    WHEN NEW.request IS NOT OLD.request BEGIN ${ofJob('asset')} END`);
  connection.exec(`CREATE TEMP TRIGGER jobs_answered_messages AFTER UPDATE OF state, result, partial_text ON main.jobs
    WHEN (${DONE('NEW')} OR ${DONE('OLD')}) AND (NEW.state IS NOT OLD.state OR NEW.result IS NOT OLD.result OR NEW.partial_text IS NOT OLD.partial_text)
    BEGIN ${ofJob('message')} END`);
}

/** A module's rows for a search over all modules. */
export interface TextSource {
  /** Visible rows that match, the latest arrival first, with numbers below `before`. */
  find(db: ReadDb, page: { match: string; before: number; limit: number }): FoundRow[];
  read(db: ReadDb, seqs: readonly number[]): FoundText[];
}

export interface FoundRow {
  seq: number;
  /** When it was made, in ms since 1970. */
  at: number;
  /** The time of arrival in this library, if the item was made elsewhere before: numbers grow with this time. */
  cameAt?: number;
}

export interface FoundText {
  seq: number;
  id: string;
  title: string;
  /** Texts that may contain the words; the most telling comes first. */
  texts: string[];
  conversationId?: string;
  branch?: string;
  role?: 'user' | 'assistant';
  projectId?: string;
}

/** For a statement that reads rows in the sequence in which the text index finds them, and no more than needed. */
export const hitsIn = (table: TextTable): string => `${TEXT_TABLES[table]} AS hit`;
/** Needs `$match`. */
export const IS_MATCH = 'hit.words MATCH $match';
/** Needs `$before` too. */
export const IS_HIT = `${IS_MATCH} AND hit.rowid < $before`;
