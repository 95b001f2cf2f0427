import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { knownExtension } from '../../../../shared/library/mediaFormats.ts';
import { mediaTypeOf } from '../../../../shared/library/mediaRef.ts';
import { en } from '../../../../shared/text/texts.ts';
import { makeFolder, syncFolder } from '../../durableFiles.ts';
import { WorkQueue } from '../../timeSlicing.ts';
import { mimeInProcess, probeInProcess } from '../media/inspector.ts';
import type { Probe } from '../media/probe.ts';
import { type WrittenFile, writeError } from './writeStream.ts';

/** A file that is complete and verified, stored under its hash. */
export interface StoredFile extends Probe {
  sha256: string;
  bytes: number;
}

/** The folder of the library inside its home: the data folder or, after a move, another folder. */
export const libraryDir = (home: string): string => path.join(home, 'library');

/** Where content with this hash lives: the name is the hash, so a file can be checked by itself. */
export function contentPath(home: string, sha256: string, extension: string): string {
  return path.join(libraryDir(home), sha256.slice(0, 2), `${sha256}.${extension}`);
}

/**
 * Inspects a partial file by its content. `unsupported_media` if Dailies does not keep such files. Sound is accepted only with `sound`: for
 * a file of the user's, or as the result of a request.
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
 * Moves a verified, synced partial file to its final name: rename, then fsync of the folder. A kill leaves either the complete file under
 * its hash or only the partial one. Content that is already stored stays one file. The folder of the library must exist, because a disk may
 * be gone.
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

/** Undefined if the file does not exist. */
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
 * Stored content that no row refers to yet. Files are shared by their hash, so a deletion meanwhile must not remove such a file. Downloads
 * are not registered here: their metadata lists the stored file until its row is written.
 */
export class ContentInUse {
  private readonly files = new Set<FileInUse>();
  private readonly queue = new WorkQueue();

  add(file: FileInUse): void {
    this.files.add(file);
  }

  /** The row is written, or never will be. */
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

  /** Serializes storing and removing files, so that nothing happens between the check that a file is unused and its removal. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.add(work);
  }

  has(sha256: string): boolean {
    return [...this.files].some((file) => file.sha256 === sha256);
  }
}
