import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Probe, probeFile } from './probe.ts';

/** A file that is complete, verified and in its content-addressed place. */
export interface StoredFile extends Probe {
  sha256: string;
  bytes: number;
}

const libraryDir = (dataDir: string): string => path.join(dataDir, 'library');
const partDir = (dataDir: string): string => path.join(libraryDir(dataDir), 'parts');

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

/** The unfinished file of a download or an upload. Downloads name it by their asset, so that they can go on after a restart. */
export function partPath(dataDir: string, name: string): string {
  fs.mkdirSync(partDir(dataDir), { recursive: true, mode: 0o700 });
  return path.join(partDir(dataDir), `${name}.part`);
}

export const MAX_FILE_BYTES = 4 * 1024 ** 3;

/** Writes a body to the end of a part file as it comes, at most `cap` bytes in all. Returns the file's length; does not sync. */
export async function appendBody(
  part: string,
  body: AsyncIterable<Uint8Array>,
  options: { from: number; cap?: number },
): Promise<Result<number>> {
  const cap = options.cap ?? MAX_FILE_BYTES;
  const handle = await open(part, options.from > 0 ? 'r+' : 'w').catch(writeFault);
  if ('ok' in handle) return handle;
  let at = options.from;
  try {
    for await (const chunk of body) {
      if (at + chunk.byteLength > cap) {
        return fail('too_large', `The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.`);
      }
      at += await writeWhole(handle, chunk, at);
    }
    return ok(at);
  } catch (error) {
    return writeFault(error);
  } finally {
    await handle.close();
  }
}

/** A disk that is nearly full takes a part and says so without an error; the rest then fails. */
async function writeWhole(handle: FileHandle, chunk: Uint8Array, at: number): Promise<number> {
  let done = 0;
  while (done < chunk.byteLength) {
    done += (await handle.write(chunk, done, chunk.byteLength - done, at + done)).bytesWritten;
  }
  return done;
}

export function writeFault(error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return fail('disk_full', 'The disk is full. Make room; nothing is lost, and it goes on by itself.');
  return fail('unreachable', error instanceof Error ? error.message : String(error));
}

/**
 * Verifies a complete part file and puts it in its place: probe → hash → fsync → rename → fsync of the folder. After a kill there is
 * either the whole file under its hash or only the part. The part is kept when the content is refused, for the caller to remove.
 */
export async function settleFile(dataDir: string, part: string): Promise<Result<StoredFile>> {
  try {
    const probe = await probeFile(part);
    if (!probe)
      return fail(
        'unsupported_media',
        'The file is not a picture or video that Dailies can keep (PNG, JPEG, WebP, GIF, AVIF, MP4, MOV, WebM).',
      );
    const { sha256, bytes } = await hashAndSync(part);
    const target = contentPath(dataDir, sha256, probe.extension);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    fs.renameSync(part, target);
    syncFolder(path.dirname(target));
    return ok({ ...probe, sha256, bytes });
  } catch (error) {
    return writeFault(error);
  }
}

async function hashAndSync(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  const handle = await open(file, 'r+');
  try {
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).byteLength;
    }
    await handle.sync();
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    await handle.close();
  }
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
