import Database from 'better-sqlite3';
import { openParentPort } from '../../workers/index.ts';
import { unpackBackup } from './attachedBackup.ts';
import { checkCopy, checkWith, copyInto, faultOf, type UpkeepAnswer } from './upkeepWork.ts';

/** The process that reads a whole database to check or copy it, on a read-only connection. */

/** `at`: the time of the request for the copy, milliseconds since 1970. */
export type UpkeepTask =
  | { type: 'check'; file: string }
  | { type: 'unpack'; file: string; into: string }
  | { type: 'copy'; file: string; into: string; at: number };

function answer(task: UpkeepTask): UpkeepAnswer {
  if (task.type === 'unpack') return unpackBackup(task.file, task.into);
  const connection = new Database(task.file, { readonly: true });
  try {
    if (task.type === 'check') return checkWith(connection, 'quick_check');
    copyInto(connection, task.into, task.at);
    return checkCopy(task.into);
  } catch (error) {
    return faultOf(error);
  } finally {
    connection.close();
  }
}

const asker = openParentPort();
asker.onMessage((task) => asker.send(answer(task as UpkeepTask)));
