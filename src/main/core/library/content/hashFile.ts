import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { FileThread, type FullyReadFile, type ReadFile } from './fileThread.ts';

/** A larger file is read in a thread: 10 GB would take this one 20 seconds of a processor. */
export const IN_THREAD_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** It ends by itself when nothing is asked. */
export const filesThread = new FileThread();

interface HashOptions {
  signal?: AbortSignal;
  /** In bytes. */
  inThreadFrom?: number | undefined;
}

/** What is on the disk, read anew. Throws the error of the file system, or the reason of the signal. */
export async function hashFile(file: string, options: HashOptions = {}): Promise<ReadFile> {
  return (await isForThread(file, options))
    ? orCanceled(filesThread.hash(file), options.signal)
    : hashOfStream(streamOf(file), options.signal);
}

/** The same with the longer hash too. */
export async function hashesOfFile(file: string, options: HashOptions = {}): Promise<FullyReadFile> {
  if (await isForThread(file, options)) return orCanceled(filesThread.hashes(file), options.signal);
  const longer = createHash('sha512');
  const read = await hashOfStream(streamOf(file), options.signal, (chunk) => longer.update(chunk));
  return { ...read, sha512: longer.digest('hex') };
}

/** Of a file that is open for reading, from its first byte to `bytes`; throws the reason of the signal. */
export async function hashOfHandle(
  handle: FileHandle,
  bytes: number,
  { signal, inThreadFrom = IN_THREAD_BYTES }: HashOptions = {},
): Promise<string> {
  if (bytes >= inThreadFrom) return (await orCanceled(filesThread.hashOf(handle.fd, bytes), signal)).sha256;
  if (bytes === 0) return createHash('sha256').digest('hex');
  const stream = handle.createReadStream({ autoClose: false, start: 0, end: bytes - 1, highWaterMark: CHUNK_BYTES });
  return (await hashOfStream(stream, signal)).sha256;
}

async function isForThread(file: string, { signal, inThreadFrom = IN_THREAD_BYTES }: HashOptions): Promise<boolean> {
  signal?.throwIfAborted();
  const { size } = await stat(file);
  signal?.throwIfAborted();
  return size >= inThreadFrom;
}

/** The answer of what goes on by itself, or the reason of the signal, whichever comes first. */
export function orCanceled<Read>(read: Promise<Read>, signal: AbortSignal | undefined): Promise<Read> {
  if (!signal) return read;
  // How it ends then is nobody's business.
  read.catch(() => undefined);
  if (signal.aborted) return Promise.reject(signal.reason);
  const canceled = Promise.withResolvers<never>();
  const cancel = (): void => canceled.reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  return Promise.race([read, canceled.promise]).finally(() => signal.removeEventListener('abort', cancel));
}

async function hashOfStream(
  stream: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
  also: (chunk: Buffer) => void = () => {},
): Promise<ReadFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    signal?.throwIfAborted();
    hash.update(chunk);
    also(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

const streamOf = (file: string): AsyncIterable<Buffer> => fs.createReadStream(file, { highWaterMark: CHUNK_BYTES });
