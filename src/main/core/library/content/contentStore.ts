import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { knownExtension } from '../../../../shared/library/mediaFormats.ts';
import { mediaTypeOf } from '../../../../shared/library/mediaRef.ts';
import { en } from '../../../../shared/text/texts.ts';
import { WorkQueue } from '../../timeSlicing.ts';
import { mimeInProcess, probeInProcess } from '../media/inspector.ts';
import type { Probe } from '../media/probe.ts';
import { makeFolder, syncFolder } from './folders.ts';
import { type WrittenFile, writeError } from './writeStream.ts';

/** A file that is complete and verified, stored under its hash. */
export interface StoredFile extends Probe {
  sha256: string;
  bytes: number;
}

/** The folder of the library below its home: the data folder or, once moved, another one. */
export const libraryDir = (home: string): string => path.join(home, 'library');

/** Where content with this hash lives: the name is the hash, so a file can be checked by itself. */
export function contentPath(home: string, sha256: string, extension: string): string {
  return path.join(libraryDir(home), sha256.slice(0, 2), `${sha256}.${extension}`);
}

/**
 * Inspects a partial file by its content. `unsupported_media` if Dailies does not keep such files; sound is kept only where it is asked
 * for (`sound`): as a file of the user's, or as the result of a request.
 */
export async function inspectFile(
  part: string,
  file: WrittenFile,
  { sound = false } = {},
): Promise<Result<StoredFile>> {
  const probe = await probeInProcess(part);
  if (!probe) return unsupportedMedia;
  if (mediaTypeOf(probe.mime) === 'audio' && !sound) return soundNotWanted;
  if (probe.isInPieces) return soundInPieces;
  return ok({ ...probe, ...file });
}

export const unsupportedMedia = fail(
  'unsupported_media',
  en`The file is not a picture, video or sound that Dailies can keep (PNG, JPEG, WebP, GIF, AVIF, MP4, MOV, WebM, MKV, WAV, MP3, OGG, FLAC, M4A).`,
);
export const soundInPieces = fail(
  'unsupported_media',
  en`More sound follows the stated end of this WAV file. Open it in a sound editor and save it again.`,
);
const soundNotWanted = fail('unsupported_media', en`The file is a sound, and a picture or video is needed here.`);

/** A file that cannot be read here, described by the type it claims; its size in pixels is unknown. */
export async function describeUnreadable(part: string, file: WrittenFile): Promise<Result<StoredFile>> {
  const mime = (await mimeInProcess(part)) ?? '';
  const extension = knownExtension(mime);
  return extension ? ok({ ...file, mime, extension, width: 0, height: 0 }) : unsupportedMedia;
}

/**
 * Moves a verified, synced partial file to its place: rename, then fsync of the folder. A kill leaves either the complete file under its
 * hash or only the partial one. Content that is already stored stays one file. The folder of the library must be there: a disk may be gone.
 */
export const storeFile = (
  home: string,
  part: string,
  file: StoredFile,
  inUse: Pick<ContentInUse, 'inTurn'>,
): Promise<Result<StoredFile>> =>
  inUse.inTurn(async () => {
    try {
      const target = contentPath(home, file.sha256, file.extension);
      if (await makeFolder(path.dirname(target))) await syncFolder(libraryDir(home));
      await replaceFile(part, target, file.bytes);
      await syncFolder(path.dirname(target));
      return ok(file);
    } catch (error) {
      return writeError(error);
    }
  });

/** Windows does not replace a file that is being read; the same content is there then. */
async function replaceFile(part: string, target: string, bytes: number): Promise<void> {
  try {
    await rename(part, target);
  } catch (error) {
    if ((await sizeOf(target)) !== bytes) throw error;
    await rm(part, { force: true });
  }
}

/** Whether this content is already stored. */
export const isStored = async (home: string, file: StoredFile): Promise<boolean> =>
  (await sizeOf(contentPath(home, file.sha256, file.extension))) === file.bytes;

/** Undefined where there is no such file. */
export const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
      return undefined;
    },
  );

/** A file, by its content. */
interface FileInUse {
  readonly sha256: string;
}

/**
 * Content that is stored and named by no row yet. Files are shared by their hash: what is deleted meanwhile must not take such a file with
 * it. A download needs no hold: its metadata says what it stored until its row is written.
 */
export class ContentInUse {
  private readonly files = new Set<FileInUse>();
  private readonly queue = new WorkQueue();

  add(file: FileInUse): void {
    this.files.add(file);
  }

  /** Its row is written, or never will be. */
  release(file: FileInUse): void {
    this.files.delete(file);
  }

  /** Writes its row, after which it is held no longer. */
  recorded<T>(file: FileInUse, write: () => T): T {
    try {
      return write();
    } finally {
      this.release(file);
    }
  }

  /** Files come to their place and go from it one after the other: nothing comes between the last look at who needs a file and its end. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.add(work);
  }

  has(sha256: string): boolean {
    return [...this.files].some((file) => file.sha256 === sha256);
  }
}
