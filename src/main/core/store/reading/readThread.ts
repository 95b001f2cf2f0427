import type { Logger } from '../../ports.ts';
import { WorkerDied, WorkerThread } from '../../workers/index.ts';
import type { ReadDb, Sql, SqlParams } from '../connection.ts';
import type { ReadQuestion } from './readWorker.ts';

const PROGRAM = { from: import.meta.url, source: './readWorker.ts', bundled: 'read-worker.js' };

export interface ReadThreadDeps {
  file: string;
  /** Reads in this thread instead, where the other one cannot be had. */
  readHere<T>(work: (db: ReadDb) => T): T;
  log: Pick<Logger, 'warn'>;
}

/**
 * Runs reads that count or sort many rows in a thread of its own, so that the program answers meanwhile. They run one after the other,
 * each in one snapshot of what is committed; what was asked last is read first, since its asker has typed on.
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

  /** What is being read is given up. Undefined if there is nothing to wait for. */
  close(): Promise<void> | undefined {
    return this.thread.close();
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
