import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileThread, type FullyReadFile, type ReadFile } from './moving/fileThread.ts';

/** A larger file is read in a thread: 10 GB would take this one 20 seconds of a processor. */
const IN_THREAD_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** It ends by itself when nothing is asked. */
const thread = new FileThread();

interface HashOptions {
  signal?: AbortSignal;
  /** In bytes. */
  inThreadFrom?: number;
}

/** What is on the disk, read anew. Throws the error of the file system, or the reason of the signal. */
export async function hashFile(file: string, options: HashOptions = {}): Promise<ReadFile> {
  return (await isForThread(file, options))
    ? orCanceled(thread.hash(file), options.signal)
    : hashHere(file, options.signal);
}

/** The same with the longer hash too. */
export async function hashesOfFile(file: string, options: HashOptions = {}): Promise<FullyReadFile> {
  if (await isForThread(file, options)) return orCanceled(thread.hashes(file), options.signal);
  const longer = createHash('sha512');
  const read = await hashHere(file, options.signal, (chunk) => longer.update(chunk));
  return { ...read, sha512: longer.digest('hex') };
}

async function isForThread(file: string, { signal, inThreadFrom = IN_THREAD_BYTES }: HashOptions): Promise<boolean> {
  signal?.throwIfAborted();
  const { size } = await stat(file);
  signal?.throwIfAborted();
  return size >= inThreadFrom;
}

function orCanceled<Read>(read: Promise<Read>, signal: AbortSignal | undefined): Promise<Read> {
  if (!signal) return read;
  // What the thread still reads is nobody's then.
  read.catch(() => undefined);
  const canceled = Promise.withResolvers<never>();
  const cancel = (): void => canceled.reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  return Promise.race([read, canceled.promise]).finally(() => signal.removeEventListener('abort', cancel));
}

async function hashHere(
  file: string,
  signal: AbortSignal | undefined,
  also: (chunk: Buffer) => void = () => {},
): Promise<ReadFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    also(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
