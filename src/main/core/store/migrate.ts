import type Database from 'better-sqlite3';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { addTextFunctions } from './textIndex.ts';

export const versionOf = (connection: Database.Database): number =>
  Number(connection.pragma('user_version', { simple: true }));

export const newestVersion = (migrations: readonly Migration[] = MIGRATIONS): number => migrations.at(-1)?.version ?? 0;

/**
 * Migrates a file to the newest version, or to `target`. Each step's DDL and its version number are one transaction, so a kill leaves a
 * complete version. `beforeFirst` (the backup) runs once, and only if a file with data has to be migrated.
 * `onStep` is told before each.
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
  const of = due.length + 1;
  options.onStep?.({ done: 0, of });
  if (from > 0) options.beforeFirst?.();
  for (const [index, step] of due.entries()) {
    options.onStep?.({ done: index + 1, of });
    connection
      .transaction(() => {
        connection.exec(step.ddl);
        connection.pragma(`user_version = ${step.version}`);
      })
      .immediate();
  }
}
