import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReadDb, Sql, SqlParams } from './handles.ts';
import type { ReadAnswer, ReadQuestion } from './readProgram.ts';

/** A thread that nobody has asked for so long is ended; the next question starts another. */
const IDLE_MS = 30_000;

type Send = ReadQuestion extends infer Question ? (Question extends unknown ? Omit<Question, 'id'> : never) : never;

interface Thread {
  worker: Worker;
  pending: Map<number, { done(rows: unknown[]): void; failed(error: Error): void }>;
}

/**
 * Runs reads that count or sort many rows in a thread of its own, so that the program answers meanwhile. They run one after the other,
 * each in one snapshot of what is committed.
 */
export class ReadWorker {
  private readonly file: string;
  private thread: Thread | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;
  private nextId = 1;
  private isClosed = false;

  constructor(file: string) {
    this.file = file;
  }

  /**
   * What `work` returns. It is run again for each statement that it reads, with the rows of all before: it must do nothing but read and
   * compute, and read the same for the same rows.
   */
  read<T>(work: (db: ReadDb) => T): Promise<T> {
    const mine = this.last.then(() => this.inSnapshot(work));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async inSnapshot<T>(work: (db: ReadDb) => T): Promise<T> {
    clearTimeout(this.idle);
    await this.ask({ type: 'begin' });
    try {
      return await this.replayed(work);
    } finally {
      await this.ask({ type: 'end' }).catch(() => undefined);
      this.idle = setTimeout(() => void this.endThread(), IDLE_MS).unref();
    }
  }

  private async replayed<T>(work: (db: ReadDb) => T): Promise<T> {
    const known: { key: string; rows: unknown[] }[] = [];
    for (;;) {
      const missing = new Missing();
      try {
        return work(readingFrom(known, missing));
      } catch (error) {
        if (error !== missing || !missing.asked) throw error;
        const { key, text, params } = missing.asked;
        known.push({ key, rows: await this.ask({ type: 'all', text, params }) });
      }
    }
  }

  private ask(question: Send): Promise<unknown[]> {
    if (this.isClosed) return Promise.reject(new Error('The database is closed.'));
    this.thread ??= this.startThread();
    const { worker, pending } = this.thread;
    const id = this.nextId++;
    return new Promise((done, failed) => {
      pending.set(id, { done, failed });
      worker.ref();
      worker.postMessage({ id, ...question });
    });
  }

  private startThread(): Thread {
    const thread: Thread = {
      worker: new Worker(programUrl(), { workerData: { file: this.file } }),
      pending: new Map(),
    };
    const { worker, pending } = thread;
    const gone = (error: Error): void => {
      if (this.thread === thread) this.thread = undefined;
      for (const { failed } of pending.values()) failed(error);
      pending.clear();
    };
    worker.on('message', (answer: ReadAnswer) => {
      const asked = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) worker.unref();
      if ('rows' in answer) asked?.done(answer.rows);
      else asked?.failed(new Error(answer.error));
    });
    worker.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => gone(new Error('The thread that reads has ended.')));
    return thread;
  }

  private async endThread(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  /** What is being read is given up. Undefined if there is nothing to wait for. */
  close(): Promise<void> | undefined {
    this.isClosed = true;
    clearTimeout(this.idle);
    return this.thread ? this.endThread() : undefined;
  }
}

/** Thrown where rows are needed that have not been read yet. */
class Missing {
  asked: { key: string; text: string; params: SqlParams } | undefined;
}

function readingFrom(known: readonly { key: string; rows: unknown[] }[], missing: Missing): ReadDb {
  let at = 0;
  const all = <Row>({ text }: Sql, params: SqlParams = {}): Row[] => {
    const key = JSON.stringify([text, params]);
    const read = known[at++];
    if (read && read.key !== key) throw new Error('a read depends on more than what it read before');
    if (read) return read.rows as Row[];
    missing.asked = { key, text, params };
    throw missing;
  };
  return { all, one: <Row>(statement: Sql, params?: SqlParams) => all<Row>(statement, params)[0] };
}

/** The source file under plain Node; next to the entry points (or one folder above a shared chunk) once bundled. */
function programUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./readProgram.ts', import.meta.url);
  const beside = new URL('./read-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../read-worker.js', import.meta.url);
}
