import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import type { Clock, Logger } from '../../core/ports.ts';

/** A process with the media page: a headless browser, or a hidden window in Electron. */
export interface MediaWorker {
  stop(): Promise<void>;
  gone: Promise<void>;
}

export interface SupervisorDeps {
  subscribe(listener: (event: StudioEvent) => void): () => void;
  /** Starts a worker; null if this machine cannot run one. */
  start(): Promise<MediaWorker | null>;
  /** Returns the claims of a worker that has ended. */
  release(taskIds: string[]): void;
  /** How long open pages may take to claim work before a worker is started, in milliseconds. */
  graceMs: number;
  clock: Clock;
  log: Logger;
}

export interface MediaWorkerSupervisor {
  /** An open page has claimed the work. */
  pageClaims(): void;
  /** The worker is still making its film. */
  workerBeats(): void;
  /** The worker asked for work and got this task, if any. */
  workerClaims(taskId: string | undefined): void;
  /** The worker claimed a film, which it makes besides its tasks. */
  workerClaimsFilm(taskId: string): void;
  workerFinishes(): void;
  workerFinishesFilm(): void;
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
/** From a worker's start to its first claim: browsers start slowly on a busy machine. */
const FIRST_CLAIM_MS = 60_000;
/** Longer than the studio's task limit, so that the next worker gets the task. */
const STUCK_MS = MEDIA_TASK_LIMIT_MS + 1_000;
/** Consecutive workers without a claim after which none is started until a page claims or a pause has passed. */
const MAX_CRASHES = 3;
/** Shorter than a film waits for a page (`movieTasks.ts`), so that several workers are tried for each film. */
const PAUSE_MS = 5 * 60_000;

/** Starts workers for media work while no page is open to do it. */
export function createMediaWorkerSupervisor(deps: SupervisorDeps): MediaWorkerSupervisor {
  return new Supervisor(deps);
}

/** Reports an answered media call to the supervisor. */
export function noteMediaCall(
  supervisor: MediaWorkerSupervisor,
  isWorker: boolean,
  name: string,
  result: Result<unknown>,
): void {
  const isClaim = name === 'media.claim' || name === 'media.claimFilm';
  if (!isWorker) {
    if (isClaim) supervisor.pageClaims();
    return;
  }
  if (name === 'media.finish') supervisor.workerFinishes();
  if (name === 'media.finishFilm') supervisor.workerFinishesFilm();
  if (!result.ok) return;
  const taskId = isClaim ? (result.data as CallOutput<'media.claim' | 'media.claimFilm'>).task?.id : undefined;
  if (name === 'media.claim') supervisor.workerClaims(taskId);
  if (name === 'media.claimFilm' && taskId !== undefined) supervisor.workerClaimsFilm(taskId);
  if (name === 'media.beat') supervisor.workerBeats();
}

class Supervisor implements MediaWorkerSupervisor {
  private readonly deps: SupervisorDeps;
  private readonly unsubscribe: () => void;
  private worker: Promise<MediaWorker | null> | undefined;
  private cancelTimer: () => void = () => {};
  /** The worker's latest claims: it does one task and one film at a time. */
  private task: string | undefined;
  private film: string | undefined;
  private waiting = false;
  /**
   * Work was announced and not requested since: a worker may end without having heard of it, or none may be allowed to start for a while.
   */
  private unclaimed = false;
  private crashes = 0;
  private cancelPause: () => void = () => {};
  private stopping = false;
  private closed = false;

  constructor(deps: SupervisorDeps) {
    this.deps = deps;
    this.unsubscribe = deps.subscribe((event) => {
      if (event.type === 'media.work') this.workArrives();
    });
  }

  pageClaims(): void {
    this.forgetCrashes();
    this.unclaimed = false;
    if (!this.waiting) return;
    this.waiting = false;
    this.cancelTimer();
  }

  workerClaims(taskId: string | undefined): void {
    this.asks();
    this.task = taskId;
    if (taskId === undefined) this.rests();
    else if (this.film === undefined) this.works();
  }

  workerClaimsFilm(taskId: string): void {
    this.asks();
    this.film = taskId;
    this.works();
  }

  workerBeats(): void {
    this.works();
  }

  workerFinishes(): void {
    this.rests();
  }

  workerFinishesFilm(): void {
    this.film = undefined;
    this.rests();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.unsubscribe();
    this.cancelTimer();
    this.cancelPause();
    await this.stopWorker();
  }

  private works(): void {
    // Nobody else will do work that was announced while the worker hung.
    this.stopAfter(STUCK_MS, () => {
      this.unclaimed = true;
    });
  }

  /** A worker that makes a film also asks for tasks. Such a request does not make it idle, and the film's own timeout continues. */
  private rests(): void {
    if (this.film === undefined) this.stopAfter(IDLE_MS);
  }

  private asks(): void {
    this.forgetCrashes();
    // A stopping worker may still ask for a task, but not for a film.
    if (!this.stopping) this.unclaimed = false;
  }

  private workArrives(): void {
    // Set first: most work is announced once, even while no worker may start.
    this.unclaimed = true;
    if (this.closed || this.waiting || this.worker || this.crashes >= MAX_CRASHES) return;
    this.waiting = true;
    this.arm(this.deps.graceMs, () => {
      this.waiting = false;
      this.startWorker();
    });
  }

  private startWorker(): void {
    this.unclaimed = true;
    this.worker = this.deps.start().catch((error: unknown) => {
      this.deps.log.warn({ error: String(error) }, 'the media worker does not start');
      this.crashed();
      return null;
    });
    void this.worker.then(async (worker) => {
      if (worker) this.stopAfter(FIRST_CLAIM_MS);
      await worker?.gone;
      this.worker = undefined;
      this.cancelTimer();
      this.releaseClaims();
      const isMissed = this.unclaimed || !this.stopping;
      if (!worker || this.closed || !isMissed) return;
      this.crashed();
      this.workArrives();
    });
  }

  private crashed(): void {
    this.crashes += 1;
    if (this.crashes < MAX_CRASHES || this.closed) return;
    this.deps.log.warn(
      { crashes: this.crashes, pauseMs: PAUSE_MS },
      'no media worker asks for work: none is started for a while',
    );
    this.cancelPause = this.deps.clock.after(PAUSE_MS, () => {
      this.forgetCrashes();
      // Work from the pause, and work that the last worker left, is not announced again.
      if (this.unclaimed) this.workArrives();
    });
  }

  private forgetCrashes(): void {
    this.crashes = 0;
    this.cancelPause();
  }

  /** Finished work is no longer claimed and is not affected. */
  private releaseClaims(): void {
    const claimed = [this.task, this.film].filter((id) => id !== undefined);
    this.task = undefined;
    this.film = undefined;
    if (claimed.length > 0 && !this.closed) this.deps.release(claimed);
  }

  private stopAfter(ms: number, before = () => {}): void {
    if (!this.worker) return;
    this.arm(ms, () => {
      before();
      void this.stopWorker();
    });
  }

  private async stopWorker(): Promise<void> {
    this.stopping = true;
    await (await this.worker)?.stop();
    this.stopping = false;
  }

  private arm(ms: number, run: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.deps.clock.after(ms, run);
  }
}
