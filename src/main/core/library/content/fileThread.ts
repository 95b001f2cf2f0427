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

  /** On disk when it resolves; what was read of the source. */
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

  /** What is under way is given up, and has ended when this resolves; a copy in the middle has no name yet. */
  stop(): Promise<void> {
    return this.thread.stop();
  }

  close(): Promise<void> | undefined {
    return this.thread.close();
  }
}
