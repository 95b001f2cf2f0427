import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { FileThread, type FollowedFile, type FullyReadFile, type ReadFile } from './fileThread.ts';

/** A larger file is read in a thread: 10 GB would take this one 20 seconds of a processor. */
export const IN_THREAD_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** It ends by itself when nothing is asked. */
export const filesThread = new FileThread();

interface HashOptions {
  signal?: AbortSignal;
  /** In bytes. */
  inThreadFrom?: number;
}

/** What is on the disk, read anew. Throws the error of the file system, or the reason of the signal. */
export async function hashFile(file: string, options: HashOptions = {}): Promise<ReadFile> {
  return (await isForThread(file, options))
    ? orCanceled(filesThread.hash(file), options.signal)
    : hashHere(file, options.signal);
}

/** The same with the longer hash too. */
export async function hashesOfFile(file: string, options: HashOptions = {}): Promise<FullyReadFile> {
  if (await isForThread(file, options)) return orCanceled(filesThread.hashes(file), options.signal);
  const longer = createHash('sha512');
  const read = await hashHere(file, options.signal, (chunk) => longer.update(chunk));
  return { ...read, sha512: longer.digest('hex') };
}

/** Of a file that is open for reading, from its first byte to `bytes`; throws the reason of the signal. */
export async function hashOfHandle(
  handle: FileHandle,
  bytes: number,
  { signal, inThreadFrom = IN_THREAD_BYTES }: HashOptions = {},
): Promise<string> {
  const hash = new GrowingHash(handle, inThreadFrom);
  try {
    await hash.keep(bytes);
    return await orCanceled(hash.sha256(), signal);
  } finally {
    await hash.end();
  }
}

/**
 * The hash of a file that is being written: of a small one it is made as the bytes pass, a larger one is read by the thread as far as it
 * has come to the disk. The handle must be open for reading, and is closed after {@link end}.
 */
export class GrowingHash {
  private readonly handle: FileHandle;
  private readonly inThreadFrom: number;
  private readonly here = createHash('sha256');
  private followed: FollowedFile | undefined;
  private bytes = 0;

  constructor(handle: FileHandle, inThreadFrom: number = IN_THREAD_BYTES) {
    this.handle = handle;
    this.inThreadFrom = inThreadFrom;
  }

  /** So many bytes are in the file already; nothing was added before. */
  async keep(bytes: number): Promise<void> {
    if (this.grows(bytes)) return this.followed?.upTo(bytes);
    const options = { autoClose: false, start: 0, end: bytes - 1, highWaterMark: CHUNK_BYTES };
    if (bytes > 0) for await (const chunk of this.handle.createReadStream(options)) this.here.update(chunk as Buffer);
  }

  /** It is written behind all others. */
  add(chunk: Uint8Array): void {
    if (!this.grows(chunk.byteLength)) this.here.update(chunk);
  }

  /** The file can be read up to there. */
  written(length: number): void {
    this.followed?.upTo(length);
  }

  /** Once all is written. */
  sha256(): Promise<string> {
    return this.followed?.sha256(this.bytes) ?? Promise.resolve(this.here.digest('hex'));
  }

  async end(): Promise<void> {
    await this.followed?.drop();
  }

  private grows(by: number): boolean {
    this.bytes += by;
    if (this.bytes >= this.inThreadFrom) this.followed ??= filesThread.follow(this.handle.fd);
    return this.followed !== undefined;
  }
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
