import fs from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { probed, typeOfFile } from './inspector.ts';
import { type Poured, writeFault } from './pour.ts';
import type { Probe } from './probe.ts';

/** A file that is complete, verified and in its content-addressed place. */
export interface StoredFile extends Probe {
  sha256: string;
  bytes: number;
}

const libraryDir = (dataDir: string): string => path.join(dataDir, 'library');

/** Where content with this hash lives: the name is the hash, so a file can be checked by itself. */
export function contentPath(dataDir: string, sha256: string, extension: string): string {
  return path.join(libraryDir(dataDir), sha256.slice(0, 2), `${sha256}.${extension}`);
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

export const extensionOf = (mime: string): string => EXTENSIONS[mime] ?? 'bin';

/** Looks into a part file: what it is, by its content. `unsupported_media` where Dailies does not keep such files. */
export async function examine(part: string, poured: Poured): Promise<Result<StoredFile>> {
  const probe = await probed(part);
  return probe ? ok({ ...probe, ...poured }) : unsupported;
}

const unsupported = fail(
  'unsupported_media',
  'The file is not a picture or video that Dailies can keep (PNG, JPEG, WebP, GIF, AVIF, MP4, MOV, WebM).',
);

/** A file that nobody here can read, by what it calls itself; its size in pixels is not known. */
export async function asItCame(part: string, poured: Poured): Promise<Result<StoredFile>> {
  const mime = (await typeOfFile(part)) ?? '';
  const extension = EXTENSIONS[mime];
  return extension ? ok({ ...poured, mime, extension, width: 0, height: 0 }) : unsupported;
}

/**
 * Puts a verified, synced part file in its place: rename → fsync of the folder. After a kill there is either the whole file under its
 * hash or only the part. Content that is here already stays one file.
 */
export function settleFile(dataDir: string, part: string, file: StoredFile): Result<StoredFile> {
  try {
    const target = contentPath(dataDir, file.sha256, file.extension);
    if (fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })) syncFolder(libraryDir(dataDir));
    moveOver(part, target, file.bytes);
    syncFolder(path.dirname(target));
    return ok(file);
  } catch (error) {
    return writeFault(error);
  }
}

/** Windows does not replace a file that somebody reads; the same content is there then. */
function moveOver(part: string, target: string, bytes: number): void {
  try {
    fs.renameSync(part, target);
  } catch (error) {
    if (fs.statSync(target, { throwIfNoEntry: false })?.size !== bytes) throw error;
    fs.rmSync(part, { force: true });
  }
}

/** Whether this content lies in its place. */
export function isStored(dataDir: string, file: StoredFile): boolean {
  const target = contentPath(dataDir, file.sha256, file.extension);
  return fs.statSync(target, { throwIfNoEntry: false })?.size === file.bytes;
}

/** A rename is durable when its folder is; Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
