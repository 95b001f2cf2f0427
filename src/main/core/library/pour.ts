import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/result.ts';

export const MAX_FILE_BYTES = 4 * 1024 ** 3;

export interface PourOptions {
  /** Keep so many bytes of the file that is there, and write behind them; 0 begins it anew. */
  from: number;
  /** Most bytes of the whole file. */
  cap?: number;
  /** Told the length of the file after each piece that has come. */
  onBytes?: (length: number) => void;
}

/** A file as it lies on disk, synced: its length and the hash of all of it. */
export interface Poured {
  bytes: number;
  sha256: string;
}

/** Pieces come small; a disk likes them large. */
const BATCH = 1024 * 1024;
/** The disk is set to work this often, so that the last sync has little left to do. */
const SYNC_EVERY = 64 * 1024 * 1024;

/**
 * Writes a body to a file as it comes and hashes it on the way: one batch is being written while the next one arrives, no byte is read
 * back. At the end everything is on the disk (fdatasync). Where the body breaks off, what came is kept in the file. At most about
 * three batches are in memory. Errors: `too_large`, `disk_full`, `unsupported_media` (see
 * {@link Unfit}), `unreachable` (the body broke off, with its sentence).
 */
export async function pour(
  file: string,
  body: AsyncIterable<Uint8Array>,
  options: PourOptions,
): Promise<Result<Poured>> {
  const handle = await open(file, options.from > 0 ? 'r+' : 'w', 0o600).catch(writeFault);
  if ('ok' in handle) return handle;
  try {
    const hash = createHash('sha256');
    if (options.from > 0) await keepFirst(handle, options.from, hash);
    const bytes = await pourInto(handle, body, hash, options);
    if (typeof bytes !== 'number') return bytes;
    await handle.datasync();
    return ok({ bytes, sha256: hash.digest('hex') });
  } catch (error) {
    return writeFault(error);
  } finally {
    await handle.close();
  }
}

/** The bytes that stay are part of the hash; what may stand behind them is cut off. */
async function keepFirst(handle: FileHandle, length: number, hash: Hash): Promise<void> {
  await handle.truncate(length);
  const kept = handle.createReadStream({ autoClose: false, start: 0, end: length - 1, highWaterMark: BATCH });
  for await (const piece of kept) hash.update(piece as Buffer);
}

async function pourInto(
  handle: FileHandle,
  body: AsyncIterable<Uint8Array>,
  hash: Hash,
  { from, cap = MAX_FILE_BYTES, onBytes }: PourOptions,
): Promise<Result<never> | number> {
  const writer = batchWriter(handle, from);
  let at = from;
  try {
    for await (const piece of body) {
      at += piece.byteLength;
      if (at > cap) return fail('too_large', `The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.`);
      hash.update(piece);
      const full = writer.take(piece);
      if (full) await full;
      onBytes?.(at);
    }
  } finally {
    // Also after a break: the next try goes on from there.
    await writer.end();
  }
  return at;
}

/** Gathers pieces into batches. `take` returns a promise where the reader has to wait for the disk. */
function batchWriter(handle: FileHandle, from: number) {
  let at = from;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let unsynced = 0;
  let syncing: Promise<unknown> | undefined;

  const flush = async (): Promise<void> => {
    const batch = held;
    const [place, length] = [at, heldBytes];
    held = [];
    heldBytes = 0;
    at += length;
    const before = writing;
    const now = before.then(() => writeWhole(handle, batch, length, place));
    // Its fault is met by whoever waits for it next.
    now.catch(() => undefined);
    writing = now;
    await before;
    unsynced += length;
    if (unsynced < SYNC_EVERY || syncing) return;
    unsynced = 0;
    syncing = handle
      .datasync()
      .catch(() => undefined)
      .finally(() => {
        syncing = undefined;
      });
  };
  return {
    take(piece: Uint8Array): Promise<void> | undefined {
      held.push(piece);
      heldBytes += piece.byteLength;
      return heldBytes >= BATCH ? flush() : undefined;
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

/** A disk that is nearly full takes a part and says so without an error; the rest then fails. */
async function writeWhole(handle: FileHandle, batch: Uint8Array[], length: number, place: number): Promise<void> {
  const { bytesWritten } = await handle.writev(batch, place);
  if (bytesWritten === length) return;
  const rest = Buffer.concat(batch).subarray(bytesWritten);
  for (let done = 0; done < rest.length; ) {
    done += (await handle.write(rest, done, rest.length - done, place + bytesWritten + done)).bytesWritten;
  }
}

/** Thrown by a body whose bytes are not wanted: `pour` answers `unsupported_media` with its sentence. */
export class Unfit extends Error {}

export function writeFault(error: unknown): Result<never> {
  if (error instanceof Unfit) return fail('unsupported_media', error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return fail('disk_full', 'The disk is full. Make room; nothing is lost, and it goes on by itself.');
  return fail('unreachable', error instanceof Error ? error.message : String(error));
}
