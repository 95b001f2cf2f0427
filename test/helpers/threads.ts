import { Worker } from 'node:worker_threads';
import * as zlib from 'node:zlib';

/**
 * Work of this process on other threads, which `process.getActiveResourcesInfo` does not list: zlib streams and requests to worker
 * threads. A worker is assumed to answer each message with one; one that has ended answers nothing.
 */

type Method = (this: object, ...args: unknown[]) => unknown;
type Native = Record<'init' | 'write' | 'close', Method>;

/** Native streams whose thread is working. A stream without a reader is idle until its reader asks again. */
const packing = new Set<object>();

function follow(stream: unknown): void {
  const { _handle: handle } = stream as { _handle: object };
  const native = Object.getPrototypeOf(handle) as Native;
  const { init, write, close } = native;
  // One argument is the callback for a finished piece.
  native.init = function (...args) {
    const done = (arg: unknown) => {
      if (typeof arg !== 'function') return arg;
      return function (this: object) {
        packing.delete(this);
        return arg.call(this);
      };
    };
    return init.apply(this, args.map(done));
  };
  native.write = function (...args) {
    packing.add(this);
    return write.apply(this, args);
  };
  // Also called after an error, which has no callback.
  native.close = function (...args) {
    packing.delete(this);
    return close.apply(this, args);
  };
  (stream as zlib.Zlib).close();
}

follow(zlib.createInflate());
follow(zlib.createBrotliCompress());
follow(zlib.createBrotliDecompress());
follow(zlib.createZstdCompress());
follow(zlib.createZstdDecompress());

const asked = new Map<Worker, number>();
const followed = new WeakSet<Worker>();
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<Worker['postMessage']>) {
  // An ended worker does not answer.
  if (this.threadId === -1) return post.apply(this, args);
  asked.set(this, (asked.get(this) ?? 0) + 1);
  if (!followed.has(this)) {
    followed.add(this);
    this.prependListener('message', () => asked.set(this, Math.max(0, (asked.get(this) ?? 0) - 1)));
    this.once('exit', () => asked.delete(this));
  }
  post.apply(this, args);
};

/** Called after each test file: its unfinished work must not make `settle` wait in the next file of the process. */
export function forgetThreads(): void {
  packing.clear();
  asked.clear();
}

/** The busy threads, described for an error message. */
export function busyThreads(): string[] {
  const questions = [...asked.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...(packing.size > 0 ? [`${packing.size} × zlib`] : []),
    ...(questions > 0 ? [`${questions} unanswered by a worker thread`] : []),
  ];
}
