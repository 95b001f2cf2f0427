import type Database from 'better-sqlite3';
import { addTextFunctions } from '../reading/textIndex.ts';
import { revisions, tables } from './release-0.1.0.ts';
import { chat } from './release-0.2.0/chat.ts';
import { jobs } from './release-0.2.0/jobs.ts';
import { library } from './release-0.2.0/library.ts';
import { money } from './release-0.2.0/money.ts';
import { studio, words } from './release-0.2.0/studio.ts';

export const versionOf = (connection: Database.Database): number =>
  Number(connection.pragma('user_version', { simple: true }));

export const newestVersion = (migrations: readonly Migration[] = MIGRATIONS): number => migrations.at(-1)?.version ?? 0;

/** Why a database of this version cannot be opened. */
export function faultOfVersion(version: number): 'newer' | 'development' | undefined {
  if (version > newestVersion()) return 'newer';
  return version === 0 || MIGRATIONS.some((one) => one.version === version) ? undefined : 'development';
}

/**
 * Migrates a file to the newest version, or to `target`. A migration and its version number are one transaction, so a kill leaves a
 * complete version. `beforeFirst` (the backup) runs once, and only if a file with data has to be migrated. `onStep` is called before each
 * part.
 */
export function migrate(
  connection: Database.Database,
  options: {
    beforeFirst?: () => void;
    migrations?: readonly Migration[];
    target?: number;
    onStep?: (step: { done: number; of: number }) => void;
  } = {},
): void {
  addTextFunctions(connection);
  const migrations = options.migrations ?? MIGRATIONS;
  const target = options.target ?? newestVersion(migrations);
  const from = versionOf(connection);
  const due = migrations.filter(({ version }) => version > from && version <= target);
  if (due.length === 0) return;
  const of = due.flatMap(({ ddl }) => ddl).length + 1;
  let done = 0;
  options.onStep?.({ done, of });
  if (from > 0) options.beforeFirst?.();
  for (const { ddl, version } of due) {
    connection
      .transaction(() => {
        for (const part of [ddl].flat()) {
          done += 1;
          options.onStep?.({ done, of });
          connection.exec(part);
        }
        connection.pragma(`user_version = ${version}`);
      })
      .immediate();
  }
}

interface Migration {
  version: number;
  name: string;
  /** The parts of a long migration are reported as steps. */
  ddl: string | readonly string[];
}

/**
 * Every migration there is, in order. A released one is never changed; a change is a new one. The versions before 13, and 14 to 63, were
 * those of development builds.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 13, name: 'release-0.1.0', ddl: [tables, revisions] },
  { version: 64, name: 'release-0.2.0', ddl: [jobs, money, chat, words, library, studio] },
];
