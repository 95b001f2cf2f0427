import fs from 'node:fs';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { orCanceled } from './fileThread.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes of a file. It is opened only when they are read: an earlier error would be unhandled and end the program, and a refused call
 * would leave the file open.
 */
export async function* bytesOf(
  file: string,
  options: Parameters<typeof fs.createReadStream>[1] = { highWaterMark: CHUNK_BYTES },
): AsyncGenerator<Uint8Array> {
  yield* fs.createReadStream(file, options);
}

/** How long reading a file of the user's may take, in milliseconds. */
const LIMIT_MS = 60_000;
const BYTES_PER_MS = 1_000;

/** Runs a read of this many bytes of a user's file, and gives up if it takes longer than any disk or share needs. */
export async function withTimeout<Read>(
  bytes: number,
  signal: AbortSignal | undefined,
  read: () => Promise<Read>,
): Promise<Read> {
  const limit = AbortSignal.timeout(LIMIT_MS + Math.ceil(bytes / BYTES_PER_MS));
  try {
    return await orCanceled(read(), AbortSignal.any([limit, ...(signal ? [signal] : [])]));
  } catch (error) {
    throw error === limit.reason ? new FileTimeout(t`The file does not answer.`) : error;
  }
}

/** The disk does not answer; callers stop using it. */
export class FileTimeout extends Error {}

/** Accesses the path in this field of a call, or answers that its disk does not respond. */
export function withFolderTimeout<Answer>(
  field: string,
  touch: () => Promise<Result<Answer>>,
  signal?: AbortSignal,
): Promise<Result<Answer>> {
  return refusedOnTimeout(field, () => withTimeout(0, signal, touch));
}

/** Reads a path piece by piece, or answers that its disk stopped responding. */
export const refusedOnTimeout = <Answer>(field: string, read: () => Promise<Result<Answer>>): Promise<Result<Answer>> =>
  read().catch((error) => {
    if (error instanceof FileTimeout) return folderSilent(field);
    throw error;
  });

export const folderSilent = (field: string): Result<never> =>
  fail('wrong_state', en`${field}: its disk does not answer. Connect it again, or choose another place.`, { field });

interface UserFile {
  /** The known length; no more is read. */
  bytes?: number | undefined;
  signal?: AbortSignal | undefined;
  flags?: number;
}

/** The bytes of a user's file; gives up if the disk does not answer in time or the signal aborts. */
export async function* userBytes(file: string, { bytes, signal, flags = 0 }: UserFile): AsyncGenerator<Uint8Array> {
  // Does not block if the file has become a pipe in the meantime.
  const opening = { flags: fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | flags };
  const range = bytes === undefined ? {} : { end: bytes - 1 };
  const parts = bytesOf(file, { ...opening, ...range, highWaterMark: CHUNK_BYTES } as never);
  try {
    for (;;) {
      const part = await withTimeout(CHUNK_BYTES, signal, () => parts.next());
      if (part.done) return;
      yield part.value;
    }
  } finally {
    // Ends once the disk answers.
    void parts.return(undefined).catch(() => undefined);
  }
}
