import type { Logger } from '../../ports.ts';
import { WorkerDied, WorkerThread } from '../../workers/index.ts';
import type { ReadDb, Sql, SqlParams } from '../connection.ts';
import type { ReadQuestion } from './readWorker.ts';

const PROGRAM = { from: import.meta.url, source: './readWorker.ts', bundled: 'read-worker.js' };

export interface ReadThreadDeps {
  file: string;
  /** Reads in this thread instead, if the other one is not available. */
  readHere<T>(work: (db: ReadDb) => T): T;
  log: Pick<Logger, 'warn'>;
}

/**
 * Runs reads that count or sort many rows in a separate thread, so that the program stays responsive. They run one after the other, each in
 * one snapshot of the committed state. The latest request runs first, because its user has typed on.
 */
export class ReadThread {
  private readonly deps: ReadThreadDeps;
  private readonly thread: WorkerThread<ReadQuestion>;
  private readonly waiting: (() => Promise<void>)[] = [];
  private isReading = false;

  constructor(deps: ReadThreadDeps) {
    this.deps = deps;
    this.thread = new WorkerThread(PROGRAM, { file: deps.file });
  }

  /**
   * The result of `work`. It is run again for each statement that it reads, with the rows of all earlier ones: it must do nothing but read
   * and compute, and give the same result for the same rows.
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
    // Waits for further requests of the same turn before the first one starts.
    await undefined;
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) await next();
    this.isReading = false;
  }

  private async inSnapshot<T>(work: (db: ReadDb) => T): Promise<T> {
    try {
      await this.thread.ask({ type: 'begin' });
      return await this.replayed(work);
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error;
      this.deps.log.warn({ error: error.message }, 'the thread that reads is gone; read in the main one');
      return this.deps.readHere(work);
    } finally {
      await this.thread.ask({ type: 'end' }).catch(() => undefined);
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
        known.push({ key, rows: await this.thread.ask({ type: 'all', text, params }) });
      }
    }
  }

  /** Aborts the current read. Undefined if there is nothing to wait for. */
  close(): Promise<void> | undefined {
    return this.thread.close();
  }
}

/** Thrown if rows are needed that were not read yet. */
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
