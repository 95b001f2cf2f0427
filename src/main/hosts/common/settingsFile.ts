import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tooDeepAt } from '../../../shared/text/depth.ts';
import { t } from '../../../shared/text/texts.ts';
import { readRegularFile } from './regularFile.ts';

/** Prepares the settings file before the host's library opens it: intact, of this version, with a copy of its last good state. */

type File = Record<string, unknown>;

/** Each migrates from the version of its index to the next. A file without a version is version 0; version 1 only adds the number. */
const MIGRATIONS: readonly ((file: File) => File)[] = [(file) => file];

export interface PreparedSettings {
  version: number;
  /** The repairs, as one sentence for the user. */
  repairNotice?: string;
}

/**
 * Throws one sentence if it is not a file, is a link, or was written by a newer Dailies. Invalid JSON is moved aside, not overwritten, and
 * replaced by the copy of the last good start, like a missing file.
 */
export function prepareSettingsFile(
  dataDir: string,
  name: string,
  now: number,
  migrations: readonly ((file: File) => File)[] = MIGRATIONS,
): PreparedSettings {
  const path = join(dataDir, `${name}.json`);
  const backup = join(dataDir, `${name}.backup.json`);
  refuseLink(path);
  const text = readRegularFile(path);
  const found = text === undefined ? undefined : objectIn(text);
  const version = migrations.length;
  if (text === undefined) return { version, ...replaceMissing(path, backup) };
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
    // On a full disk a file that only lacks its version or its copy is still usable.
    if (JSON.stringify(migrated) !== JSON.stringify(found)) throw error;
  }
  return { version };
}

/** Renews the copy from the present file, so that removed secrets are in no copy. Throws if it cannot be written. */
export function copySettingsFile(dataDir: string, name: string): void {
  const text = readRegularFile(join(dataDir, `${name}.json`));
  if (text !== undefined && objectIn(text) !== undefined) writeAtomically(join(dataDir, `${name}.backup.json`), text);
}

/** A link would lead keys and addresses to a place that somebody else chose. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${path} is a symbolic link, not a file, and is not read`);
}

function replaceDamaged(path: string, aside: string, backup: string): string {
  const kept = `The settings file was damaged. It is kept as ${aside}`;
  const copy = usableCopy(backup);
  if (copy === undefined) {
    renameSync(path, aside);
    return t`${kept}; the defaults apply.`;
  }
  // On a full disk the file stays, for the next start to repair.
  const part = writePart(path, copy);
  renameSync(path, aside);
  renameSync(part, path);
  return t`${kept}; its copy of the last good start is used.`;
}

/** Without a copy it is the first start. */
function replaceMissing(path: string, backup: string): Pick<PreparedSettings, 'repairNotice'> {
  const copy = usableCopy(backup);
  if (copy === undefined) return {};
  writeAtomically(path, copy);
  return { repairNotice: t`The settings file was missing; its copy of the last good start is used.` };
}

function usableCopy(backup: string): string | undefined {
  const copy = existsSync(backup) ? readRegularFile(backup) : undefined;
  return copy === undefined || objectIn(copy) === undefined ? undefined : copy;
}

/** Writes the file completely or not at all. */
function writeAtomically(path: string, text: string): void {
  renameSync(writePart(path, text), path);
}

/** Returns the path, to be renamed. */
function writePart(path: string, text: string): string {
  const part = `${path}.part`;
  // Anything else there, such as a named pipe, must not be written to.
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600 });
  return part;
}

function versionOf({ version = 0 }: File): number {
  return Number.isInteger(version) ? Math.max(0, version as number) : 0;
}

/** The object in a settings file. Depth is limited: a deeper one could be parsed, but not written again. */
function objectIn(text: string): File | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return tooDeepAt(value) === undefined ? (value as File) : undefined;
  } catch {
    return undefined;
  }
}
