import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileThread, type ReadFile } from './moving/fileThread.ts';

/** A larger file is read in a thread: 10 GB would take this one 20 seconds of a processor. */
const IN_THREAD_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** It ends by itself when nothing is asked. */
const thread = new FileThread();

interface HashOptions {
  signal?: AbortSignal;
  /** The longer hash too. */
  sha512?: boolean;
  /** In bytes. */
  inThreadFrom?: number;
}

/** What is on the disk, read anew. Throws the error of the file system, or the reason of the signal. */
export async function hashFile(
  file: string,
  { signal, sha512 = false, inThreadFrom = IN_THREAD_BYTES }: HashOptions = {},
): Promise<ReadFile> {
  signal?.throwIfAborted();
  const { size } = await stat(file);
  signal?.throwIfAborted();
  if (size < inThreadFrom) return hashHere(file, sha512, signal);
  const read = thread.hash(file, sha512);
  if (!signal) return read;
  // What the thread still reads is nobody's then.
  read.catch(() => undefined);
  const canceled = Promise.withResolvers<never>();
  const cancel = (): void => canceled.reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  return Promise.race([read, canceled.promise]).finally(() => signal.removeEventListener('abort', cancel));
}

async function hashHere(file: string, withSha512: boolean, signal: AbortSignal | undefined): Promise<ReadFile> {
  const hash = createHash('sha256');
  const longer = withSha512 ? createHash('sha512') : undefined;
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    longer?.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex'), sha512: longer?.digest('hex') ?? '' };
}
