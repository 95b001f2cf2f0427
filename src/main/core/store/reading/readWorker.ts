import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { answerQuestions } from '../../workers/index.ts';

/** The thread for slow reads, on a read-only connection. Requests come one after the other. */

export type ReadQuestion =
  | { type: 'begin' | 'end' }
  | { type: 'all'; text: string; params: Record<string, string | number | null> };

const connection = new Database((workerData as { file: string }).file, { readonly: true });
const prepared = new Map<string, Database.Statement>();
/** Limits prepared statements, because one that is made for a filter may never come again. */
const MOST_PREPARED = 200;

function answer(question: ReadQuestion): unknown[] {
  if (question.type !== 'all') {
    if (connection.inTransaction) connection.exec('COMMIT');
    if (question.type === 'begin') connection.exec('BEGIN');
    return [];
  }
  const { text, params } = question;
  const statement = prepared.get(text) ?? connection.prepare(text);
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  prepared.set(text, statement);
  return statement.all(params);
}

answerQuestions(answer);
