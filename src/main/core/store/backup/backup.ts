import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { t } from '../../../../shared/text/texts.ts';
import { syncFile, syncFolderSync } from '../../durableFiles.ts';
import { problemOfFile, removeDatabase } from '../fileProblems.ts';
import { flagAsBackup } from '../flags.ts';
import { faultOfVersion, versionOf } from '../migrations/migrate.ts';
import { isOurs } from './attachedBackup.ts';
import { copyInto } from './upkeepWork.ts';

export interface Backup {
  name: string;
  /** When it was made, milliseconds since 1970. */
  at: number;
  bytes: number;
  /** The reason for the backup: `now`, `daily`, `restore`, or the version of the data before an update (`v41`). */
  label: string;
}

export const backupDir = (dataDir: string): string => path.join(dataDir, 'backups');

/** Makes a compact, consistent copy of the open database; it appears only when complete. */
export function backUp(connection: Database.Database, dataDir: string, label: string, now: number): string {
  const { part, finish } = beginBackup(dataDir, label, now);
  copyInto(connection, part, now);
  return finish();
}

/** A backup made by another copier: it writes to `part`, and `finish` gives the complete copy its name, which it returns. */
export function beginBackup(dataDir: string, label: string, now: number): { part: string; finish(): string } {
  const dir = backupDir(dataDir);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const target = freeName(dir, label, now);
  const part = `${target}.part`;
  removeUnfinished(dir);
  const finish = (): string => {
    fs.renameSync(part, target);
    syncFolderSync(dir);
    return target;
  };
  return { part, finish };
}

/** The time and the label, with the next free millisecond if two are made at once. */
function freeName(dir: string, label: string, now: number): string {
  for (let at = now; ; at++) {
    const file = path.join(dir, `${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}-${label}.db`);
    if (!fs.existsSync(file)) return file;
  }
}

/** Removes an interrupted backup after a kill or a full disk: it may be as large as the database. */
function removeUnfinished(dir: string): void {
  for (const name of fs.readdirSync(dir)) if (/[.]db[.]part(-|$)/.test(name)) fs.rmSync(path.join(dir, name));
}

/** Removes a backup that has just failed, to free its space. */
export const dropUnfinished = (dataDir: string): void => {
  if (fs.existsSync(backupDir(dataDir))) removeUnfinished(backupDir(dataDir));
};

/** How many backups are kept: the newest ones, and the first one of each of so many months with backups. */
export interface Retention {
  newest: number;
  months: number;
}

/** Labels of `Backups.make` and of migrations. File managers add words to the name of a copy. */
const MADE_LABEL = /^(?:now|daily|update|restore|v\d+)$/;

/** Whether the backup was made here. Other files in the folder, such as copies by hand, do not count towards the limit. */
export const isMadeHere = ({ label }: Pick<Backup, 'label'>): boolean => MADE_LABEL.test(label);

/** Backups that count towards the limit. One from a clock that was ahead would otherwise be among the newest forever. */
const countedBackups = (backups: readonly Backup[], now: number): Backup[] =>
  backups.filter((backup) => isMadeHere(backup) && backup.at <= now);

/** Names of backups that are kept only as the first of their month, by the local calendar; `backups` are newest first. */
export function monthlyBackups(backups: readonly Backup[], { newest, months }: Retention, now: number): Set<string> {
  const placed = countedBackups(backups, now);
  const firsts = new Map<string, string>();
  for (const { name, at } of placed) {
    const day = new Date(at);
    firsts.set(`${day.getFullYear()}-${day.getMonth()}`, name);
  }
  const recent = new Set(placed.slice(0, newest).map(({ name }) => name));
  return new Set([...firsts.values()].slice(0, months).filter((name) => !recent.has(name)));
}

/** Removes all other backups that were made here; those in `needed` are kept whatever their age. */
export function removeOldBackups(
  dataDir: string,
  retention: Retention,
  { now, needed }: { now: number; needed: ReadonlySet<string> },
): void {
  const backups = listBackups(dataDir);
  const monthly = monthlyBackups(backups, retention, now);
  for (const { name } of countedBackups(backups, now).slice(retention.newest))
    if (!needed.has(name) && !monthly.has(name)) fs.rmSync(path.join(backupDir(dataDir), name), { force: true });
}

/** Newest first. */
export function listBackups(dataDir: string): Backup[] {
  const dir = backupDir(dataDir);
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.db') && fs.statSync(path.join(dir, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => factsOf(dir, name))
    .sort((a, b) => b.at - a.at || b.name.localeCompare(a.name));
}

const NAMED = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-(.{1,100})[.]db$/;

/** By the name if it is one of ours, because copying changes the time of a file. */
function factsOf(dir: string, name: string): Backup {
  const { mtimeMs, size: bytes } = fs.statSync(path.join(dir, name));
  const [, day, hour, minute, second, ms, label = ''] = NAMED.exec(name) ?? [];
  const at = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { name, at: Number.isNaN(at) ? Math.round(mtimeMs) : at, bytes, label };
}

/**
 * Replaces the database with a backup; the old file is moved aside, never deleted. The database must be closed. The copy is complete on
 * disk before it is renamed, so a kill leaves either the old file or the new one. Jobs waiting in the backup are not sent until the user
 * allows it.
 */
export function restoreBackup(dataDir: string, databaseFile: string, name: string, now: number): void {
  const source = path.join(backupDir(dataDir), name);
  const part = `${databaseFile}.restore`;
  const fault = problemOfFile(source);
  if (fault !== undefined) throw new Error(fault);
  // Another kind of file at this path, such as a named pipe, must not be written to.
  removeDatabase(part);
  try {
    fs.copyFileSync(source, part);
    assertUsable(part);
    // A backup of an earlier version does not mark itself as one.
    flagAsBackup(part, factsOf(backupDir(dataDir), name).at);
    syncFile(part);
    replaceDatabase(databaseFile, part, 'replaced', now);
  } catch (error) {
    // On a full disk, half a copy may take all the space.
    removeDatabase(part);
    throw error;
  }
}

/** Another program's file, or one of a newer version, could not be opened as the database. */
function assertUsable(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    const fault = faultOfVersion(versionOf(connection));
    if (fault === 'newer') throw new Error(t`The backup was made by a newer Dailies. Update first.`);
    if (fault === 'development') throw new Error(t`The backup was made by a development build.`);
    if (!isOurs(connection)) throw new Error(t`This is not a backup of Dailies.`);
  } finally {
    connection.close();
  }
}

type Why = 'damaged' | 'replaced';

/** The name of a replacement for a database, once it is complete on disk and decided. */
const nextName = (databaseFile: string, why: Why): string => `${databaseFile}.next-${why}`;

/**
 * Replaces a database by another one that is complete on disk. The old one is moved aside, never deleted; returns its new path. The first
 * rename decides: after a kill, {@link finishReplacing} completes the rest. Nothing may have the database open.
 */
export function replaceDatabase(databaseFile: string, part: string, why: Why, now: number): string | undefined {
  fs.renameSync(part, nextName(databaseFile, why));
  try {
    return completeReplacing(databaseFile, why, now);
  } catch (error) {
    // The old database could not be moved, for example because another program reads it. It stays, and the next start does not try again.
    if (fs.existsSync(databaseFile)) fs.rmSync(nextName(databaseFile, why), { force: true });
    throw error;
  }
}

/** At start: completes a replacement that a kill interrupted; between its renames the folder would look like a new one. */
export function finishReplacing(databaseFile: string, now: number): void {
  for (const why of ['damaged', 'replaced'] as const)
    if (fs.existsSync(nextName(databaseFile, why)))
      completeReplacing(databaseFile, why, now, begunAside(databaseFile, why));
}

function completeReplacing(databaseFile: string, why: Why, now: number, begun?: string): string | undefined {
  const movedTo = fs.existsSync(databaseFile)
    ? moveAside(databaseFile, begun ?? asideName(databaseFile, why, now))
    : undefined;
  fs.renameSync(nextName(databaseFile, why), databaseFile);
  syncFolderSync(path.dirname(databaseFile));
  return movedTo;
}

function asideName(databaseFile: string, why: Why, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  return databaseFile.replace(/\.db$/, `.${why}-${stamp}.db`);
}

/** Renames a database together with its journal; returns the new name. */
function moveAside(databaseFile: string, target: string): string {
  const moved: string[] = [];
  try {
    for (const suffix of ['-wal', '-shm', '']) {
      if (!fs.existsSync(databaseFile + suffix)) continue;
      fs.renameSync(databaseFile + suffix, target + suffix);
      moved.push(suffix);
    }
  } catch (error) {
    // The database stays, and its last changes are in its journal.
    for (const suffix of moved) fs.renameSync(target + suffix, databaseFile + suffix);
    throw error;
  }
  return target;
}

/**
 * The path of a database that a kill left half moved: its journal was renamed after the replacement. An older journal belongs to a database
 * that the user has removed.
 */
function begunAside(databaseFile: string, why: Why): string | undefined {
  if (fs.existsSync(`${databaseFile}-wal`)) return undefined;
  const folder = path.dirname(databaseFile);
  const start = path.basename(databaseFile).replace(/\.db$/, `.${why}-`);
  const decidedAt = fs.statSync(nextName(databaseFile, why)).ctimeMs;
  const found = fs.readdirSync(folder).filter((name) => name.startsWith(start) && /[.]db-(wal|shm)$/.test(name));
  const journals = found
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).ctimeMs >= decidedAt);
  const names = journals.map((file) => file.replace(/-(wal|shm)$/, ''));
  return names.sort().findLast((name) => !fs.existsSync(name));
}
