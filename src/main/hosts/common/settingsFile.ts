import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tooDeepAt } from '../../../shared/depth.ts';
import { t } from '../../../shared/texts.ts';
import { readRegularFile } from './regularFile.ts';

/** Prepares the settings file before the host's library opens it: intact, of this version, and with a copy of its last good state. */

type File = Record<string, unknown>;

/**
 * Each migrates a file from the version of its index to the next. A file without a version is version 0; version 1 is the same with its
 * number.
 */
const MIGRATIONS: readonly ((file: File) => File)[] = [(file) => file];

export interface PreparedSettings {
  version: number;
  /** What had to be done, as one sentence for the user. */
  repairNotice?: string;
}

/**
 * Throws one sentence if it is not a file, or was written by a newer Dailies. Invalid JSON is moved aside, not overwritten, since the
 * user may want to look at it; the copy of the last good start replaces it.
 */
export function prepareSettingsFile(
  dataDir: string,
  name: string,
  now: number,
  migrations: readonly ((file: File) => File)[] = MIGRATIONS,
): PreparedSettings {
  const path = join(dataDir, `${name}.json`);
  const backup = join(dataDir, `${name}.backup.json`);
  const text = readRegularFile(path);
  const found = text === undefined ? undefined : objectIn(text);
  const version = migrations.length;
  if (text === undefined) return { version };
  if (found === undefined)
    return { version, repairNotice: replaceDamaged(path, join(dataDir, `${name}.damaged-${now}.json`), backup) };
  const from = versionOf(found);
  if (from > version) {
    throw new Error(`${path} was written by a newer Dailies (version ${from} of the file; this one knows ${version})`);
  }
  const migrated = migrations.slice(from).reduce((file, migrate) => migrate(file), found);
  try {
    if (from < version) {
      writeAtomically(join(dataDir, `${name}.version-${from}.json`), text);
      writeAtomically(path, JSON.stringify({ ...migrated, version }, undefined, '\t'));
    }
    writeAtomically(backup, readRegularFile(path) ?? text);
  } catch (error) {
    // On a full disk a file that only lacks its version or its copy can still be used.
    if (JSON.stringify(migrated) !== JSON.stringify(found)) throw error;
  }
  return { version };
}

function replaceDamaged(path: string, aside: string, backup: string): string {
  renameSync(path, aside);
  const kept = `The settings file was damaged. It is kept as ${aside}`;
  const copy = existsSync(backup) ? readRegularFile(backup) : undefined;
  if (copy === undefined || objectIn(copy) === undefined) return t`${kept}; the defaults apply.`;
  writeAtomically(path, copy);
  return t`${kept}; its copy of the last good start is used.`;
}

/** Writes the file completely or not at all. */
function writeAtomically(path: string, text: string): void {
  const part = `${path}.part`;
  // Anything else there, such as a named pipe, must not be written to.
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
}

function versionOf({ version = 0 }: File): number {
  return Number.isInteger(version) ? Math.max(0, version as number) : 0;
}

/** The object of a settings file; one that nests deeper than anything of ours could be read, but not written again. */
function objectIn(text: string): File | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return tooDeepAt(value) === undefined ? (value as File) : undefined;
  } catch {
    return undefined;
  }
}
