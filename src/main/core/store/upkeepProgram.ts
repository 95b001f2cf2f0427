import Database from 'better-sqlite3';
import { checkFile, copyInto } from './upkeepWork.ts';

/** The process that reads a whole database, to check or to copy it, on a connection of its own that cannot write. */

export type UpkeepTask = { type: 'check'; file: string } | { type: 'copy'; file: string; into: string };
export type UpkeepAnswer = { ok: boolean; message: string };

function answer(task: UpkeepTask): UpkeepAnswer {
  const connection = new Database(task.file, { readonly: true });
  try {
    if (task.type === 'check') return checkFile(connection);
    copyInto(connection, task.into);
    return { ok: true, message: 'The copy is whole.' };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  } finally {
    connection.close();
  }
}

process.on('message', (task: UpkeepTask) => {
  process.send?.(answer(task), () => process.disconnect());
});
// Without the program nobody needs the answer.
process.on('disconnect', () => process.exit());
