import fs from 'node:fs';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { orCanceled } from './fileThread.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes of a file. It is opened once they are read: before that nobody would hear that it cannot be, which would end the program, and
 * what is refused first would stay open.
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

/** The answer of what reads so many bytes of a file of the user's, or that it takes longer than any disk or share does. */
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

/** A disk that does not answer: whoever has more to ask of it stops. */
export class FileTimeout extends Error {}

/** The answer of what touches the place that this field of a call names, or that its disk does not answer. */
export function withFolderTimeout<Answer>(
  field: string,
  touch: () => Promise<Result<Answer>>,
  signal?: AbortSignal,
): Promise<Result<Answer>> {
  return refusedOnTimeout(field, () => withTimeout(0, signal, touch));
}

/** The answer of what reads a place piece by piece, or that its disk has stopped to answer. */
export const refusedOnTimeout = <Answer>(field: string, read: () => Promise<Result<Answer>>): Promise<Result<Answer>> =>
  read().catch((error) => {
    if (error instanceof FileTimeout) return folderSilent(field);
    throw error;
  });

export const folderSilent = (field: string): Result<never> =>
  fail('wrong_state', en`${field}: its disk does not answer. Connect it again, or choose another place.`, { field });

interface UserFile {
  /** As many as it has; no more are read. */
  bytes?: number | undefined;
  signal?: AbortSignal | undefined;
  flags?: number;
}

/** The bytes of a file of the user's; one that does not answer in time, or where the signal says so, is given up. */
export async function* userBytes(file: string, { bytes, signal, flags = 0 }: UserFile): AsyncGenerator<Uint8Array> {
  // What became a pipe in the meantime is not waited for.
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
    // It ends once the disk answers.
    void parts.return(undefined).catch(() => undefined);
  }
}
