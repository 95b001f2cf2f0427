import type { FileHandle } from 'node:fs/promises';
import { FileThread, type FullyReadFile, type ReadFile } from './fileThread.ts';

/** Files are hashed in a thread: 10 GB would take this one 20 seconds of a processor. It ends by itself when nothing is asked. */
export const filesThread = new FileThread();

/** What is on the disk, read anew. Throws the error of the file system, or the reason of the signal. */
export const hashFile = (file: string, signal?: AbortSignal): Promise<ReadFile> =>
  orCanceled(filesThread.hash(file), signal);

/** The same with the longer hash too. */
export const hashesOfFile = (file: string, signal?: AbortSignal): Promise<FullyReadFile> =>
  orCanceled(filesThread.hashes(file), signal);

/** Of a file that is open for reading, from its first byte to `bytes`. */
export const hashOfHandle = async (handle: FileHandle, bytes: number): Promise<string> =>
  (await filesThread.hashOf(handle.fd, bytes)).sha256;

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
