import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { t } from '../../../../shared/text/texts.ts';
import type { Logger } from '../../ports.ts';
import type { ReadDb, Sql, SqlParams } from '../handles.ts';
import type { ReadAnswer, ReadQuestion } from './readProgram.ts';

/** A thread that nobody has asked for so long is ended; the next question starts another. */
const IDLE_MS = 30_000;

type Send = ReadQuestion extends infer Question ? (Question extends unknown ? Omit<Question, 'id'> : never) : never;

interface Thread {
  worker: Worker;
  pending: Map<number, { done(rows: unknown[]): void; failed(error: Error): void }>;
}

export interface ReadWorkerDeps {
  file: string;
  /** Reads in this thread instead, where the other one cannot be had. */
  readHere<T>(work: (db: ReadDb) => T): T;
  log: Pick<Logger, 'warn'>;
}

/**
 * Runs reads that count or sort many rows in a thread of its own, so that the program answers meanwhile. They run one after the other,
 * each in one snapshot of what is committed; what was asked last is read first, since its asker has typed on.
 */
export class ReadWorker {
  private readonly deps: ReadWorkerDeps;
  private thread: Thread | undefined;
  private readonly waiting: (() => Promise<void>)[] = [];
  private isReading = false;
  private idle: NodeJS.Timeout | undefined;
  private nextId = 1;
  private isClosed = false;

  constructor(deps: ReadWorkerDeps) {
    this.deps = deps;
  }

  /**
   * What `work` returns. It is run again for each statement that it reads, with the rows of all before: it must do nothing but read and
   * compute, and read the same for the same rows.
   */
  read<T>(work: (db: ReadDb) => T): Promise<T> {
    return new Promise((done, failed) => {
      this.waiting.push(() => this.inSnapshot(work).then(done, failed));
      void this.readWaiting();
    });
  }

  private async readWaiting(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    // Those of the same turn come before the first is begun.
    await undefined;
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) await next();
    this.isReading = false;
  }

  private async inSnapshot<T>(work: (db: ReadDb) => T): Promise<T> {
    clearTimeout(this.idle);
    try {
      await this.ask({ type: 'begin' });
      return await this.replayed(work);
    } catch (error) {
      if (!(error instanceof ThreadGone) || this.isClosed) throw error;
      this.deps.log.warn({ error: error.message }, 'the thread that reads is gone; read in the main one');
      return this.deps.readHere(work);
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
    if (!this.thread && question.type === 'end') return Promise.resolve([]);
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
      worker: new Worker(programUrl(), { workerData: { file: this.deps.file } }),
      pending: new Map(),
    };
    const { worker, pending } = thread;
    const gone = (why: string): void => {
      if (this.thread === thread) this.thread = undefined;
      for (const { failed } of pending.values()) failed(new ThreadGone(why));
      pending.clear();
    };
    worker.on('message', (answer: ReadAnswer) => {
      const asked = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) worker.unref();
      if ('rows' in answer) asked?.done(answer.rows);
      else asked?.failed(new Error(answer.error));
    });
    worker.on('error', (error) => gone(String(error)));
    worker.on('exit', () => gone(t`The thread that reads has ended.`));
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

/** It could not start, or it died; the next question starts another. */
class ThreadGone extends Error {}

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
