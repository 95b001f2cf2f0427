import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { problemOfFile } from './fileType.ts';
import { copyInto } from './upkeepWork.ts';

export interface Backup {
  name: string;
  /** When it was made, milliseconds since 1970. */
  at: number;
  bytes: number;
}

/** Number of backups kept; older ones are removed when a new one is made. */
const KEPT = 8;

export const backupDir = (dataDir: string): string => path.join(dataDir, 'backups');

/** Makes a compact, consistent copy of the open database; it appears only when complete. */
export function backUp(connection: Database.Database, dataDir: string, label: string, now: number): string {
  const { part, finish } = beginBackup(dataDir, label, now);
  copyInto(connection, part);
  return finish();
}

/** A backup that is copied elsewhere: `part` is where to, and `finish` makes a whole copy appear under its name, which it returns. */
export function beginBackup(dataDir: string, label: string, now: number): { part: string; finish(): string } {
  const dir = backupDir(dataDir);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const target = path.join(dir, `${stamp}-${label}.db`);
  const part = `${target}.part`;
  removeUnfinished(dir);
  const finish = (): string => {
    fs.renameSync(part, target);
    for (const old of listBackups(dataDir).slice(KEPT)) fs.rmSync(path.join(dir, old.name), { force: true });
    return target;
  };
  return { part, finish };
}

/** Removes what an interrupted backup left, by a kill or a full disk: it may be as large as the database. */
function removeUnfinished(dir: string): void {
  for (const name of fs.readdirSync(dir)) if (/[.]db[.]part(-|$)/.test(name)) fs.rmSync(path.join(dir, name));
}

/** Newest first. */
export function listBackups(dataDir: string): Backup[] {
  const dir = backupDir(dataDir);
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.db') && fs.statSync(path.join(dir, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => ({ name, ...sizeAndTime(path.join(dir, name)) }))
    .sort((a, b) => b.name.localeCompare(a.name));
}

function sizeAndTime(file: string): { at: number; bytes: number } {
  const { mtimeMs, size } = fs.statSync(file);
  return { at: Math.round(mtimeMs), bytes: size };
}

/**
 * Replaces the database with a backup; the old file is moved aside, never deleted. The database must be closed. The copy is complete on
 * disk before it is renamed, so a kill leaves either the old file or the new one.
 */
export function restoreBackup(dataDir: string, databaseFile: string, name: string, now: number): void {
  const source = path.join(backupDir(dataDir), name);
  const part = `${databaseFile}.restore`;
  const fault = problemOfFile(source);
  if (fault !== undefined) throw new Error(fault);
  // Anything else there, such as a named pipe, must not be written to.
  fs.rmSync(part, { force: true });
  fs.copyFileSync(source, part);
  syncFile(part);
  if (fs.existsSync(databaseFile)) moveAside(databaseFile, 'replaced', now);
  fs.renameSync(part, databaseFile);
}

/** Renames a database together with its journal; returns the new name. */
export function moveAside(databaseFile: string, why: 'damaged' | 'replaced', now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const target = databaseFile.replace(/\.db$/, `.${why}-${stamp}.db`);
  for (const suffix of ['-wal', '-shm', '']) {
    if (fs.existsSync(databaseFile + suffix)) fs.renameSync(databaseFile + suffix, target + suffix);
  }
  return target;
}

function syncFile(file: string): void {
  const handle = fs.openSync(file, 'r+');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
