import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { addLocalDay } from './localDay.ts';

/** The thread that reads what takes long, on a connection of its own that cannot write. Its questions come one after the other. */

export type ReadQuestion =
  | { id: number; type: 'begin' | 'end' }
  | { id: number; type: 'all'; text: string; params: Record<string, string | number | null> };
export type ReadAnswer = { id: number; rows: unknown[] } | { id: number; error: string };

const connection = new Database((workerData as { file: string }).file, { readonly: true });
addLocalDay(connection);
const prepared = new Map<string, Database.Statement>();
/** A statement that is made for a filter may never come again. */
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

parentPort?.on('message', (question: ReadQuestion) => {
  const { id } = question;
  try {
    parentPort?.postMessage({ id, rows: answer(question) } satisfies ReadAnswer);
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies ReadAnswer);
  }
});
