import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { backUp } from '../backup/backup.ts';
import { setDurability } from '../connection.ts';
import { migrate, versionOf } from './migrate.ts';

/** The thread that migrates a database. Nobody else may have it open. */

export interface MigrationTask {
  file: string;
  dataDir: string;
  now: number;
}

/** The progress; the backup before the first step counts as one step. */
export interface MigrationStep {
  done: number;
  of: number;
}

const { file, dataDir, now } = workerData as MigrationTask;
const connection = new Database(file, { fileMustExist: true });
try {
  setDurability(connection);
  const label = `v${versionOf(connection)}`;
  migrate(connection, {
    beforeFirst: () => void backUp(connection, dataDir, label, now),
    onStep: (step) => parentPort?.postMessage(step),
  });
} finally {
  connection.close();
}
