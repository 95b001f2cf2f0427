import { type FileHandle, open } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { en } from '../../../../shared/text/texts.ts';
import { GrowingHash } from './hashFile.ts';

export const MAX_FILE_BYTES = 4 * 1024 ** 3;

export interface WriteOptions {
  /** Keep this many bytes of the existing file and write after them; 0 starts over. */
  from: number;
  /** Largest accepted length of the whole file, in bytes. */
  cap?: number;
  /** Called with the length of the file after each chunk. */
  onBytes?: (length: number) => void;
  /** In bytes: a longer one is hashed in a thread. */
  inThreadFrom?: number;
}

/** A file that is synced to disk: its length and the hash of all of it. */
export interface WrittenFile {
  bytes: number;
  sha256: string;
}

/** Chunks arrive small; large writes are faster. */
const BATCH_BYTES = 1024 * 1024;
/** Syncing this often leaves the last sync little to do. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024;

/**
 * Streams a body to a file and hashes it meanwhile: one batch is written while the next arrives, and what is written of a large file is read
 * by a thread that hashes it. At the end everything is on disk (fdatasync). If the body breaks off, the received bytes stay in the file. At
 * most about three batches are in memory.
 *
 * Errors: `too_large`, `disk_full`, `unsupported_media` (see {@link RejectedContent}), `unreachable` (the body broke off; the message
 * says why).
 */
export async function writeStream(
  file: string,
  body: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Result<WrittenFile>> {
  const handle = await open(file, options.from > 0 ? 'r+' : 'w+', 0o600).catch(writeError);
  if ('ok' in handle) return handle;
  const hash = new GrowingHash(handle, options.inThreadFrom);
  try {
    if (options.from > 0) {
      await handle.truncate(options.from);
      await hash.keep(options.from);
    }
    const bytes = await writeBody(handle, body, hash, options);
    if (typeof bytes !== 'number') return bytes;
    await handle.datasync();
    return ok({ bytes, sha256: await hash.sha256() });
  } catch (error) {
    return writeError(error);
  } finally {
    await hash.end();
    await handle.close();
  }
}

async function writeBody(
  handle: FileHandle,
  body: AsyncIterable<Uint8Array>,
  hash: GrowingHash,
  { from, cap = MAX_FILE_BYTES, onBytes }: WriteOptions,
): Promise<Result<never> | number> {
  const writer = batchWriter(handle, from, (length) => hash.written(length));
  let at = from;
  try {
    for await (const chunk of body) {
      at += chunk.byteLength;
      if (at > cap) return fail('too_large', en`The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.`);
      hash.add(chunk);
      const full = writer.take(chunk);
      if (full) await full;
      onBytes?.(at);
    }
  } finally {
    // Also after an interruption: the next attempt resumes from there.
    await writer.end();
  }
  return at;
}

/** Gathers chunks into batches. `take` returns a promise when the reader has to wait for the disk. */
function batchWriter(handle: FileHandle, from: number, onWritten: (length: number) => void) {
  let at = from;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let unsyncedBytes = 0;
  let syncing: Promise<unknown> | undefined;

  const flush = async (): Promise<void> => {
    const batch = held;
    const [offset, length] = [at, heldBytes];
    held = [];
    heldBytes = 0;
    at += length;
    const before = writing;
    const now = before.then(() => writeFully(handle, batch, length, offset)).then(() => onWritten(offset + length));
    // The next awaited write throws the error.
    now.catch(() => undefined);
    writing = now;
    await before;
    unsyncedBytes += length;
    if (unsyncedBytes < SYNC_EVERY_BYTES || syncing) return;
    unsyncedBytes = 0;
    syncing = handle
      .datasync()
      .catch(() => undefined)
      .finally(() => {
        syncing = undefined;
      });
  };
  return {
    take(chunk: Uint8Array): Promise<void> | undefined {
      held.push(chunk);
      heldBytes += chunk.byteLength;
      return heldBytes >= BATCH_BYTES ? flush() : undefined;
    },
    async end(): Promise<void> {
      try {
        if (heldBytes > 0) await flush();
        await writing;
      } finally {
        await syncing;
      }
    },
  };
}

/** A nearly full disk accepts part of a write without an error; writing the rest then fails. */
async function writeFully(handle: FileHandle, batch: Uint8Array[], length: number, offset: number): Promise<void> {
  const { bytesWritten } = await handle.writev(batch, offset);
  if (bytesWritten === length) return;
  const rest = Buffer.concat(batch).subarray(bytesWritten);
  for (let done = 0; done < rest.length; ) {
    done += (await handle.write(rest, done, rest.length - done, offset + bytesWritten + done)).bytesWritten;
  }
}

/** Thrown by a body whose content is rejected: `writeStream` answers `unsupported_media` with its message. */
export class RejectedContent extends Error {}

export function writeError(error: unknown): Result<never> {
  if (error instanceof RejectedContent) return fail('unsupported_media', error.message);
  if (isDiskFull(error))
    return fail('disk_full', en`The disk is full. Make room; nothing is lost, and it goes on by itself.`);
  return fail('unreachable', error instanceof Error ? error.message : String(error));
}

export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(faultCode(error));

/** The code of a system's error (`EROFS`), without the paths that its message names; of another error its message. */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
