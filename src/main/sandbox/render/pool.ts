import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clip, ClipSpec, EditSpec, RenderJob, RenderReply, StillSpec } from './specs.ts';

/** Renders and encodes outside the thread that answers requests. */
export interface Renderer {
  /** Returns PNG bytes. */
  still(spec: StillSpec): Promise<Uint8Array>;
  /** Returns PNG bytes: the base with its white pixels repainted. */
  edit(spec: EditSpec): Promise<Uint8Array>;
  /** `onDrawn` gets the drawn share, 0 to 1. */
  clip(spec: ClipSpec, onDrawn?: (drawn: number) => void): Promise<Clip>;
  close(): Promise<void>;
}

type EndReply = Extract<RenderReply, { ok: boolean }>;

interface Waiting {
  id: number;
  job: RenderJob;
  settle(reply: EndReply): void;
  onDrawn?: ((drawn: number) => void) | undefined;
}

interface Slot {
  worker: Worker;
  busy: Waiting | null;
  idle?: NodeJS.Timeout;
}

/** An idle thread ends after this time: after a clip it holds hundreds of megabytes. */
const IDLE_MS = 30_000;

/**
 * Two or three worker threads, started on demand: the program that waits for them needs processors too. One of them renders no clips, so
 * that a picture never waits for a minute of video. Work interrupted by `close` never settles.
 */
export class RenderPool implements Renderer {
  readonly #slots: Slot[] = [];
  readonly #queue: Waiting[] = [];
  readonly #size = Math.max(2, Math.min(3, availableParallelism() - 1));
  readonly #idleMs: number;
  #nextId = 1;
  #closed = false;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    this.#idleMs = idleMs;
  }

  async still(spec: StillSpec): Promise<Uint8Array> {
    return (await this.#run({ kind: 'still', spec })) as Uint8Array;
  }

  async edit(spec: EditSpec): Promise<Uint8Array> {
    return (await this.#run({ kind: 'edit', spec })) as Uint8Array;
  }

  async clip(spec: ClipSpec, onDrawn?: (drawn: number) => void): Promise<Clip> {
    return (await this.#run({ kind: 'clip', spec }, onDrawn)) as Clip;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { idle } of this.#slots) clearTimeout(idle);
    await Promise.all(this.#slots.map(({ worker }) => worker.terminate()));
  }

  #run(job: RenderJob, onDrawn?: (drawn: number) => void): Promise<Uint8Array | Clip> {
    return new Promise((resolve, reject) => {
      const settle = (reply: EndReply) => (reply.ok ? resolve(reply.result) : reject(new Error(reply.message)));
      const waiting = { id: this.#nextId++, job, settle, onDrawn };
      this.#queue.push(waiting);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#closed) return;
    const clips = this.#slots.filter(({ busy }) => busy?.job.kind === 'clip').length;
    const next = this.#queue.findIndex(({ job }) => job.kind !== 'clip' || clips < this.#size - 1);
    if (next < 0) return;
    const slot =
      this.#slots.find(({ busy }) => busy === null) ?? (this.#slots.length < this.#size ? this.#open() : null);
    const [waiting] = slot ? this.#queue.splice(next, 1) : [];
    if (!slot || !waiting) return;
    slot.busy = waiting;
    clearTimeout(slot.idle);
    slot.worker.postMessage({ id: waiting.id, job: waiting.job });
  }

  #open(): Slot {
    const slot: Slot = { worker: new Worker(workerUrl()), busy: null };
    const finish = (reply: EndReply) => {
      const done = slot.busy;
      slot.busy = null;
      done?.settle(reply);
      this.#dispatch();
      this.#endLater(slot);
    };
    slot.worker.on('message', (reply: RenderReply) =>
      'drawn' in reply ? slot.busy?.onDrawn?.(reply.drawn) : finish(reply),
    );
    slot.worker.on('error', (error) => {
      this.#remove(slot);
      finish({ id: slot.busy?.id ?? 0, ok: false, message: error instanceof Error ? error.message : String(error) });
    });
    slot.worker.unref();
    this.#slots.push(slot);
    return slot;
  }

  #endLater(slot: Slot): void {
    if (slot.busy || this.#closed || !this.#slots.includes(slot)) return;
    clearTimeout(slot.idle);
    slot.idle = setTimeout(() => {
      this.#remove(slot);
      void slot.worker.terminate();
    }, this.#idleMs).unref();
  }

  #remove(slot: Slot): void {
    const at = this.#slots.indexOf(slot);
    if (at >= 0) this.#slots.splice(at, 1);
  }
}

/** The worker's file: the source under plain Node; once bundled, next to the entry points or one folder above a shared chunk. */
function workerUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./worker.ts', import.meta.url);
  const beside = new URL('./sandbox-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../sandbox-worker.js', import.meta.url);
}
