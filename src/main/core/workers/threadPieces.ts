import { parentPort, Worker } from 'node:worker_threads';
import { urlOf, type WorkerEntry } from './workerUrl.ts';

/** A document that needs more memory ends only its thread. */
const MAX_MEMORY_MB = 768;
/** The time limit for one piece. */
const MAX_PIECE_MS = 60_000;
/** An idle thread is ended after this time. */
const IDLE_MS = 5_000;

/** The thread exceeded its memory or time, or could not be started. */
export class WorkerLimitExceeded extends Error {}

interface Thread {
  url: string;
  worker: Worker;
}

let thread: Thread | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * The pieces of an answer made in a thread, each requested when the one before is consumed. One question is answered at a time, whoever
 * asks, so that memory of several documents never adds up. Throws {@link WorkerLimitExceeded}.
 */
export async function* threadPieces<Piece>(entry: WorkerEntry, question: unknown): AsyncGenerator<Piece> {
  const before = last;
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  last = before.then(() => promise);
  await before;
  clearTimeout(idle);
  try {
    const worker = await threadOf(urlOf(entry));
    for (let asked: unknown = { question }; ; asked = {}) {
      const { piece } = await answerOf<Piece>(worker, asked);
      if (piece === undefined) return;
      yield piece;
    }
  } finally {
    idle = setTimeout(() => void endThread(), IDLE_MS).unref();
    leave();
  }
}

async function threadOf(url: URL): Promise<Worker> {
  if (thread && thread.url !== url.href) await endThread();
  thread ??= { url: url.href, worker: startThread(url) };
  return thread.worker;
}

function startThread(url: URL): Worker {
  const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
  const gone = () => {
    if (thread?.worker === worker) thread = undefined;
  };
  worker.on('error', gone).on('exit', gone);
  worker.unref();
  return worker;
}

async function endThread(): Promise<void> {
  const ended = thread;
  thread = undefined;
  await ended?.worker.terminate();
}

function answerOf<Piece>(worker: Worker, asked: unknown): Promise<{ piece?: Piece }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ piece?: Piece }>();
  const ended = (error?: Error) => reject(new WorkerLimitExceeded(error?.message ?? 'the thread ended'));
  const exited = () => ended();
  const timer = setTimeout(() => void endThread().then(exited), MAX_PIECE_MS);
  worker.on('message', resolve).on('error', ended).on('exit', exited);
  worker.postMessage(asked);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', ended).off('exit', exited);
  });
}

/** Characters of JSON in one piece, so that the turn in which it arrives stays short. */
const PIECE_LENGTH = 200_000;
const PIECE_ITEMS = 50;

/** The thread's side: each piece is made on request. A new question ends the previous one. */
export function givePieces<Question, Piece>(answer: (question: Question) => AsyncGenerator<Piece>): void {
  let pieces: AsyncGenerator<Piece> | undefined;
  parentPort?.on('message', async (asked: { question?: Question }) => {
    if (asked.question !== undefined) {
      await pieces?.return(undefined);
      pieces = answer(asked.question);
    }
    const next = await pieces?.next();
    if (next?.done) pieces = undefined;
    parentPort?.postMessage(!next || next.done ? {} : { piece: next.value });
  });
}

/** A list in pieces of similar length. */
export function* piecesOf<T>(items: Iterable<T>): Generator<T[]> {
  let [piece, length]: [T[], number] = [[], 0];
  for (const item of items) {
    piece.push(item);
    length += JSON.stringify(item).length;
    if (length < PIECE_LENGTH && piece.length < PIECE_ITEMS) continue;
    yield piece;
    [piece, length] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
