import { MEDIA_TASK_LIMIT_MS } from '../../../shared/asset.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import type { Clock, Logger } from '../../core/ports.ts';

/** A media page of its own: a headless browser, or a hidden window in Electron. */
export interface MediaWorker {
  stop(): Promise<void>;
  /** Ends when it is gone, by itself or stopped. */
  gone: Promise<void>;
}

export interface KeeperParts {
  subscribe(listener: (event: StudioEvent) => void): () => void;
  /** Starts one; null where this machine has nothing to start it with. */
  start(): Promise<MediaWorker | null>;
  /** How long an open page may take to claim the work before a worker is started for it, milliseconds. */
  graceMs: number;
  clock: Clock;
  log: Logger;
}

export interface MediaKeeper {
  /** An open page takes the work itself. */
  pageClaims(): void;
  /** The worker asked for work and got some, or none. */
  workerClaims(gotTask: boolean): void;
  workerFinishes(): void;
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
/** After the studio has taken the task back, so that the next worker gets it. */
const STUCK_MS = MEDIA_TASK_LIMIT_MS + 1_000;
/** A worker that keeps dying is not started for ever. */
const MOST_DEATHS = 3;

/** Sees to it that media work gets done when no page is open to do it (DESIGN "Media"). */
export function createMediaKeeper(parts: KeeperParts): MediaKeeper {
  return new Keeper(parts);
}

class Keeper implements MediaKeeper {
  private readonly parts: KeeperParts;
  private readonly unsubscribe: () => void;
  private worker: Promise<MediaWorker | null> | undefined;
  private cancelTimer: () => void = () => {};
  private waiting = false;
  private deaths = 0;
  private stopping = false;
  private closed = false;

  constructor(parts: KeeperParts) {
    this.parts = parts;
    this.unsubscribe = parts.subscribe((event) => {
      if (event.type === 'media.work') this.workArrives();
    });
  }

  pageClaims(): void {
    if (!this.waiting) return;
    this.waiting = false;
    this.cancelTimer();
  }

  workerClaims(gotTask: boolean): void {
    this.deaths = 0;
    if (!gotTask) this.stopAfter(IDLE_MS);
    // What was announced while it hung has nobody else to do it.
    else this.stopAfter(STUCK_MS, () => this.workArrives());
  }

  workerFinishes(): void {
    this.stopAfter(IDLE_MS);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.unsubscribe();
    this.cancelTimer();
    await this.stopWorker();
  }

  private workArrives(): void {
    if (this.closed || this.waiting || this.worker) return;
    this.waiting = true;
    this.arm(this.parts.graceMs, () => {
      this.waiting = false;
      this.startWorker();
    });
  }

  private startWorker(): void {
    this.worker = this.parts.start().catch((error: unknown) => {
      this.parts.log.warn({ error: String(error) }, 'the media worker does not start');
      return null;
    });
    void this.worker.then(async (worker) => {
      await worker?.gone;
      this.worker = undefined;
      this.cancelTimer();
      if (worker && !this.closed && !this.stopping && ++this.deaths < MOST_DEATHS) this.workArrives();
    });
    this.stopAfter(IDLE_MS);
  }

  private stopAfter(ms: number, andThen = () => {}): void {
    if (!this.worker) return;
    this.arm(ms, () => void this.stopWorker().then(andThen));
  }

  private async stopWorker(): Promise<void> {
    this.stopping = true;
    await (await this.worker)?.stop();
    this.stopping = false;
  }

  private arm(ms: number, run: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.parts.clock.after(ms, run);
  }
}
