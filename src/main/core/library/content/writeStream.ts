import { type FileHandle, open } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { en } from '../../../../shared/text/texts.ts';
import { codeOf, isDiskFull, messageOf } from '../../faults.ts';
import { hashOfHandle } from './fileThread.ts';

export const MAX_FILE_BYTES = 4 * 1024 ** 3;

export interface WriteOptions {
  /** Keep this many bytes of the existing file and write after them; 0 starts over. */
  from: number;
  /** Largest accepted length of the whole file, in bytes. */
  cap?: number;
  /** Called with the length of the file after each chunk. */
  onBytes?: (length: number) => void;
}

/** A file that is synced to disk: its length and the hash of all of it. */
export interface WrittenFile {
  bytes: number;
  sha256: string;
}

/**
 * Streams a body to a file, each chunk written before the next is asked for. At the end everything is on disk (fdatasync), and is hashed as
 * it is there. If the body breaks off, the received bytes stay in the file.
 *
 * Errors: `too_large`, `disk_full`, `unsupported_media` (see {@link RejectedContent}), `unreachable` (the body broke off; the message
 * says why).
 */
export async function writeStream(
  file: string,
  body: AsyncIterable<Uint8Array>,
  { from, cap = MAX_FILE_BYTES, onBytes }: WriteOptions,
): Promise<Result<WrittenFile>> {
  const handle = await open(file, from > 0 ? 'r+' : 'w+', 0o600).catch(writeError);
  if ('ok' in handle) return handle;
  try {
    if (from > 0) await handle.truncate(from);
    let bytes = from;
    for await (const chunk of body) {
      if (bytes + chunk.byteLength > cap)
        return fail('too_large', en`The file is larger than ${Math.floor(cap / 1024 ** 2)} MB.`);
      await writeFully(handle, chunk, bytes);
      bytes += chunk.byteLength;
      onBytes?.(bytes);
    }
    await handle.datasync();
    if ((await handle.stat()).size !== bytes) throw new Error(en`The file was changed while it was written.`);
    return ok({ bytes, sha256: await hashOfHandle(handle, bytes) });
  } catch (error) {
    return writeError(error);
  } finally {
    await handle.close();
  }
}

/** A nearly full disk accepts part of a write without an error; writing the rest then fails. */
async function writeFully(handle: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength; )
    done += (await handle.write(chunk, done, chunk.byteLength - done, at + done)).bytesWritten;
}

/** Thrown by a body whose content is rejected: `writeStream` answers `unsupported_media` with its message. */
export class RejectedContent extends Error {}

export function writeError(error: unknown): Result<never> {
  if (error instanceof RejectedContent) return fail('unsupported_media', error.message);
  if (isDiskFull(error))
    return fail('disk_full', en`The disk is full. Free some space and it continues; nothing is lost.`);
  return fail('unreachable', messageOf(error));
}

/** The code of a system error (`EROFS`), without the paths in its message; for any other error its message. */
export const faultCode = (error: unknown): string => codeOf(error) || messageOf(error);
