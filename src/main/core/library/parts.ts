import fs from 'node:fs';
import path from 'node:path';
import type { StoredFile } from './files.ts';

/**
 * Unfinished files and what is known of them. A download's part carries the name of its asset, so that it can go on after a restart; beside
 * it lies a note with what tells whether it may be gone on with, and, once it is whole, what it turned out to be.
 */
export interface PartNote {
  /** Entity tag or date of the content that the bytes are of. */
  validator?: string;
  /** Bytes of the whole file. */
  total?: number;
  /** It was whole and verified: only its row was not written yet when Dailies ended. */
  done?: StoredFile;
}

const partDir = (dataDir: string): string => path.join(dataDir, 'library', 'parts');

export function partPath(dataDir: string, name: string): string {
  fs.mkdirSync(partDir(dataDir), { recursive: true, mode: 0o700 });
  return path.join(partDir(dataDir), `${name}.part`);
}

const notePath = (part: string): string => `${part}.json`;

export function readNote(part: string): PartNote {
  try {
    const note: unknown = JSON.parse(fs.readFileSync(notePath(part), 'utf8'));
    return typeof note === 'object' && note !== null ? note : {};
  } catch {
    return {};
  }
}

/** Written beside and moved over: a kill leaves the old note or the new one. */
export function writeNote(part: string, note: PartNote): void {
  const fresh = `${notePath(part)}.new`;
  fs.writeFileSync(fresh, JSON.stringify(note), { mode: 0o600 });
  fs.renameSync(fresh, notePath(part));
}

/** Bytes that are here already. */
export function partSize(part: string): number {
  return fs.statSync(part, { throwIfNoEntry: false })?.size ?? 0;
}

export function forgetPart(part: string): void {
  for (const file of [part, notePath(part), `${notePath(part)}.new`]) fs.rmSync(file, { force: true });
}

/** At start: what belongs to no download that still waits is left over from a kill, and goes. */
export function cleanParts(dataDir: string, isAwaited: (name: string) => boolean): number {
  const files = fs.existsSync(partDir(dataDir)) ? fs.readdirSync(partDir(dataDir)) : [];
  const stale = files.filter((file) => file.endsWith('.new') || !isAwaited(file.replace(/\.part(\.json)?$/, '')));
  for (const file of stale) fs.rmSync(path.join(partDir(dataDir), file), { force: true, recursive: true });
  return stale.length;
}
