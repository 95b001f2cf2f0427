import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { t } from '../../../../shared/text/texts.ts';
import type { Piece } from '../media/containers.ts';
import type { CopyMark } from '../media/markPieces.ts';
import type { FileAnswer, FileQuestion, ListedFile } from './fileProgram.ts';

/** A thread that nobody has asked for so long is ended. */
const IDLE_MS = 5_000;
const GONE = t`The thread that copies files has ended.`;

export interface ReadFile {
  bytes: number;
  sha256: string;
}

export interface FullyReadFile extends ReadFile {
  sha512: string;
}

/** Reads, copies and removes files in a thread of its own. Errors have the `code` of the file system. */
export class FileThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, { done(answer: unknown): void; failed(error: Error): void }>();
  private nextId = 1;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** The content files below the folder of a library. */
  list(folder: string): Promise<ListedFile[]> {
    return this.ask({ type: 'list', folder });
  }

  /** On disk when it resolves; what was read of the source. */
  copy(from: string, to: string): Promise<ReadFile> {
    return this.ask({ type: 'copy', from, to });
  }

  hash(file: string): Promise<ReadFile> {
    return this.ask({ type: 'hash', file, sha512: false });
  }

  /** The longer hash too. */
  hashes(file: string): Promise<FullyReadFile> {
    return this.ask({ type: 'hash', file, sha512: true });
  }

  /** Of a file that this process has open for reading, from its first byte to `bytes`. */
  hashOf(fd: number, bytes: number): Promise<ReadFile> {
    return this.ask({ type: 'hashOpen', fd, bytes });
  }

  /** A marked copy of a file, in its order. */
  piecesOf(file: string, mark: CopyMark): Promise<Piece[]> {
    return this.ask({ type: 'pieces', file, mark });
  }

  remove(folder: string, names: readonly string[]): Promise<null> {
    return this.ask({ type: 'remove', folder, names });
  }

  /** Removes the empty folders of a library, itself included. */
  tidy(folder: string): Promise<null> {
    return this.ask({ type: 'tidy', folder });
  }

  private ask<T>(question: FileQuestion): Promise<T> {
    if (this.isClosed) return Promise.reject(new Error('Dailies is being closed.'));
    const id = this.nextId++;
    clearTimeout(this.idle);
    this.worker ??= this.start();
    const { worker, pending } = this;
    return new Promise<T>((done, failed) => {
      pending.set(id, { done: (said) => done(said as T), failed });
      worker.ref();
      worker.postMessage({ id, ...question });
    });
  }

  private start(): Worker {
    const worker = new Worker(programUrl());
    const gone = (why: string): void => {
      // One that was ended has left nothing, and what was asked since is another's.
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const { failed } of this.pending.values()) failed(new Error(why));
      this.pending.clear();
    };
    worker.on('message', (answer: FileAnswer) => this.answered(worker, answer));
    worker.on('error', (error) => gone(String(error)));
    worker.on('exit', () => gone(GONE));
    return worker;
  }

  private answered(worker: Worker, answer: FileAnswer): void {
    if (this.worker !== worker) return;
    const asked = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    if (this.pending.size === 0) {
      worker.unref();
      this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    }
    if ('answer' in answer) asked?.done(answer.answer);
    else asked?.failed(Object.assign(new Error(answer.error), { code: answer.code }));
  }

  /** What is under way is given up, and has ended when this resolves; a copy in the middle has no name yet. */
  async stop(): Promise<void> {
    const { worker, pending } = this;
    const given = [...pending.values()];
    pending.clear();
    clearTimeout(this.idle);
    this.worker = undefined;
    await worker?.terminate();
    for (const { failed } of given) failed(new Error(GONE));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.stop();
  }
}

/** The source file under plain Node; next to the entry points (or one folder above a shared chunk) once bundled. */
function programUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./fileProgram.ts', import.meta.url);
  const beside = new URL('./file-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../file-worker.js', import.meta.url);
}
