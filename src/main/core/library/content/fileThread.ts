import type { FileHandle } from 'node:fs/promises';
import { WorkerThread } from '../../workers/index.ts';
import type { Piece } from '../media/containers.ts';
import type { CopyMetadata } from '../media/metadataPieces.ts';
import type { FileQuestion, ListedFile } from './fileWorker.ts';

export interface ReadFile {
  bytes: number;
  sha256: string;
}

export interface FullyReadFile extends ReadFile {
  sha512: string;
}

/** Reads, copies and removes files in a thread of its own. Errors have the `code` of the file system. */
export class FileThread {
  private readonly thread = new WorkerThread<FileQuestion>({
    from: import.meta.url,
    source: './fileWorker.ts',
    bundled: 'file-worker.js',
  });

  /** The content files below the folder of a library. */
  list(folder: string): Promise<ListedFile[]> {
    return this.thread.ask({ type: 'list', folder });
  }

  /** The copy is on disk when this resolves. Returns the facts about the source that was read. */
  copy(from: string, to: string): Promise<ReadFile> {
    return this.thread.ask({ type: 'copy', from, to });
  }

  hash(file: string): Promise<ReadFile> {
    return this.thread.ask({ type: 'hash', file, sha512: false });
  }

  /** The longer hash too. */
  hashes(file: string): Promise<FullyReadFile> {
    return this.thread.ask({ type: 'hash', file, sha512: true });
  }

  /** Of a file that this process has open for reading, from its first byte to `bytes`. */
  hashOf(fd: number, bytes: number): Promise<ReadFile> {
    return this.thread.ask({ type: 'hashOpen', fd, bytes });
  }

  /** A copy of a file with metadata, in its order. */
  piecesOf(file: string, metadata: CopyMetadata): Promise<Piece[]> {
    return this.thread.ask({ type: 'pieces', file, metadata });
  }

  remove(folder: string, names: readonly string[]): Promise<null> {
    return this.thread.ask({ type: 'remove', folder, names });
  }

  /** Removes the empty folders of a library, itself included. */
  tidy(folder: string): Promise<null> {
    return this.thread.ask({ type: 'tidy', folder });
  }

  /** Aborts all work, and resolves once it has ended; an unfinished copy has no final name yet. */
  stop(): Promise<void> {
    return this.thread.stop();
  }

  close(): Promise<void> | undefined {
    return this.thread.close();
  }
}

/** Files are hashed in a thread: 10 GB would take this one 20 seconds of a processor. It ends by itself when nothing is asked. */
export const filesThread = new FileThread();

/** The facts about the bytes on disk, which are read again. Throws the error of the file system, or the reason of the signal. */
export const hashFile = (file: string, signal?: AbortSignal): Promise<ReadFile> =>
  orCanceled(filesThread.hash(file), signal);

/** The same with the longer hash too. */
export const hashesOfFile = (file: string, signal?: AbortSignal): Promise<FullyReadFile> =>
  orCanceled(filesThread.hashes(file), signal);

/** Of a file that is open for reading, from its first byte to `bytes`. */
export const hashOfHandle = async (handle: FileHandle, bytes: number): Promise<string> =>
  (await filesThread.hashOf(handle.fd, bytes)).sha256;

/** The result of a read that cannot be stopped, or the signal's reason, whichever comes first. */
export function orCanceled<Read>(read: Promise<Read>, signal: AbortSignal | undefined): Promise<Read> {
  if (!signal) return read;
  // After an abort, a late error must not be unhandled.
  read.catch(() => undefined);
  if (signal.aborted) return Promise.reject(signal.reason);
  const canceled = Promise.withResolvers<never>();
  const cancel = (): void => canceled.reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  return Promise.race([read, canceled.promise]).finally(() => signal.removeEventListener('abort', cancel));
}
