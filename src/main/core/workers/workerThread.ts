import { parentPort, Worker } from 'node:worker_threads';
import { t } from '../../../shared/text/texts.ts';
import { urlOf, type WorkerEntry } from './workerUrl.ts';

/** An idle thread is ended after this time; the next question starts another. */
const IDLE_MS = 30_000;

/** The thread could not start, or died. */
export class WorkerDied extends Error {}

const GONE = t`The worker thread has ended.`;

type Asked<Question> = { id: number; question: Question };
type Answer = { id: number; answer: unknown } | { id: number; error: string; code: string };

/** A thread that answers by {@link answerQuestions}. Questions may overlap; answers carry their number. */
export class WorkerThread<Question> {
  private readonly entry: WorkerEntry;
  private readonly workerData: unknown;
  private worker: Worker | undefined;
  private readonly pending = new Map<number, { done(answer: unknown): void; failed(error: Error): void }>();
  private nextId = 1;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(entry: WorkerEntry, workerData?: unknown) {
    this.entry = entry;
    this.workerData = workerData;
  }

  /** Rejects with the message and the `code` of the error thrown there, or with {@link WorkerDied}. */
  ask<T>(question: Question): Promise<T> {
    if (this.isClosed) return Promise.reject(new Error('Dailies is being closed.'));
    const id = this.nextId++;
    clearTimeout(this.idle);
    this.worker ??= this.start();
    const { worker, pending } = this;
    return new Promise<T>((done, failed) => {
      pending.set(id, { done: (said) => done(said as T), failed });
      worker.ref();
      worker.postMessage({ id, question } satisfies Asked<Question>);
    });
  }

  private start(): Worker {
    const worker = new Worker(urlOf(this.entry), { workerData: this.workerData });
    const gone = (why: string): void => {
      // A stopped thread; newer questions belong to its successor.
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const { failed } of this.pending.values()) failed(new WorkerDied(why));
      this.pending.clear();
    };
    worker.on('message', (answer: Answer) => this.answered(worker, answer));
    worker.on('error', (error) => gone(String(error)));
    worker.on('exit', () => gone(GONE));
    return worker;
  }

  private answered(worker: Worker, answer: Answer): void {
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

  /** Ends the thread and abandons its work; resolves when it has ended. */
  async stop(): Promise<void> {
    const { worker } = this;
    const given = [...this.pending.values()];
    this.pending.clear();
    clearTimeout(this.idle);
    this.worker = undefined;
    await worker?.terminate();
    for (const { failed } of given) failed(new Error(GONE));
  }

  close(): Promise<void> | undefined {
    this.isClosed = true;
    return this.worker && this.stop();
  }
}

/** The thread's side. What `movedWith` finds in an answer is transferred instead of copied. */
export function answerQuestions<Question>(
  answer: (question: Question) => unknown,
  movedWith: (answer: unknown) => ArrayBuffer[] = () => [],
): void {
  const say = (said: Answer, moved?: ArrayBuffer[]): void => parentPort?.postMessage(said, moved);
  parentPort?.on('message', async ({ id, question }: Asked<Question>) => {
    try {
      const said = await answer(question);
      say({ id, answer: said }, movedWith(said));
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException;
      say({ id, error: error.message, code: error.code ?? '' });
    }
  });
}
