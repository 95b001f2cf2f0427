import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Clock, Logger } from '../../ports.ts';
import { urlOf } from '../../workers/index.ts';
import { JOURNAL_SUFFIXES, problemOfFile } from '../fileProblems.ts';
import { faultOfVersion, newestVersion, versionOf } from './migrate.ts';
import type { MigrationStep, MigrationTask } from './migrationWorker.ts';

export type { MigrationStep } from './migrationWorker.ts';

/**
 * The version of this database if it has data of an earlier program version. Undefined also if there is no database or it cannot be read:
 * the error is reported when it is opened.
 */
export function earlierVersion(file: string): number | undefined {
  const isFile = [file, ...JOURNAL_SUFFIXES.map((suffix) => file + suffix)].every((one) => !problemOfFile(one));
  if (!fs.existsSync(file) || !isFile) return undefined;
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { readonly: true, fileMustExist: true });
    const version = versionOf(connection);
    return version > 0 && version < newestVersion() && !faultOfVersion(version) ? version : undefined;
  } catch {
    return undefined;
  } finally {
    connection?.close();
  }
}

const PROGRAM = { from: import.meta.url, source: './migrationWorker.ts', bundled: 'migrate.js' };

export interface MigrationParts {
  file: string;
  dataDir: string;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn'>;
  onStep?: ((step: MigrationStep) => void) | undefined;
}

/**
 * Migrates data of an earlier version in a separate thread: with a hundred thousand jobs this takes many seconds, in which windows must be
 * drawn. After an error, the file is in the state of the last complete step, and opening it continues from there.
 */
export async function migrateInThread({ file, dataDir, clock, log, onStep }: MigrationParts): Promise<void> {
  const from = earlierVersion(file);
  if (from === undefined) return;
  log.warn({ from, to: newestVersion() }, 'the data of an earlier version is backed up and brought up to this one');
  const task: MigrationTask = { file, dataDir, now: clock.now() };
  const worker = new Worker(urlOf(PROGRAM), { workerData: task });
  const fault = await new Promise<string | undefined>((done) => {
    worker.on('message', (step: MigrationStep) => onStep?.(step));
    worker.once('error', (error) => done(String(error)));
    worker.once('exit', (code) => done(code === 0 ? undefined : `it ended with ${code}`));
  });
  if (fault !== undefined) log.warn({ error: fault }, 'the thread that brings the data up to this version has failed');
}
