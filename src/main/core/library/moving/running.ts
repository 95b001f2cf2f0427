import type { LibraryMove } from '../../../../shared/library/libraryFolder.ts';
import { deleteFlag, readFlag, type Store, writeFlag } from '../../store/index.ts';
import type { ListedFile } from './fileProgram.ts';
import type { FileThread } from './fileThread.ts';
import type { MoveRow } from './moveTable.ts';

/** A move that runs, with what of it is not stored. */
export interface Running {
  row: MoveRow;
  cancel: AbortController;
  thread: FileThread;
  done: number;
  doneBytes: number;
  /** Changes that are not stored. */
  ticks: number;
  waits?: string;
  isPaused: boolean;
  pace: Pace;
  ended: Promise<void>;
}

export const newRun = (row: MoveRow, thread: FileThread, isPaused: boolean, now: number): Running => ({
  row,
  cancel: new AbortController(),
  thread,
  isPaused,
  pace: new Pace(now, 0),
  ...{ done: 0, doneBytes: 0, ticks: 0, ended: Promise.resolve() },
});

/** Of the whole progress, where each phase begins and ends. */
const SHARES = { copy: [0, 55], compare: [55, 95], switch: [95, 96], remove: [96, 99] } as const;

/** With its first percent, so that a restart goes on from there. */
export function enterPhase(run: Running, phase: LibraryMove['phase'], now: number): void {
  run.done = 0;
  run.doneBytes = 0;
  run.pace = new Pace(now, 0);
  run.row = { ...run.row, phase, progress: Math.max(run.row.progress, SHARES[phase][0]) };
}

/** One file more; the share of the phase that is through. */
export function countFile(run: Running, { bytes }: ListedFile, now: number): number {
  run.done += 1;
  run.doneBytes += bytes;
  run.pace.passed(now, run.doneBytes);
  const { files, bytes: all } = run.row;
  return (run.doneBytes + run.done) / Math.max(1, all + files);
}

/** Raises the progress to this share of the phase, 0 to 1; false if no percent is full. It never falls. */
export function raiseTo(run: Running, share: number): boolean {
  const [from, to] = SHARES[run.row.phase];
  const percent = Math.floor(from + (to - from) * Math.min(1, share));
  if (percent <= run.row.progress) return false;
  run.row = { ...run.row, progress: percent };
  return true;
}

/** Whether it can be paused: copying and comparing take long, the rest is a moment or is past holding. */
export const canPause = ({ row }: Running): boolean => row.phase === 'copy' || row.phase === 'compare';

/** Milliseconds until the phase ends, as it goes on now. */
export function leftOf(run: Running, now: number): number | undefined {
  if (run.isPaused || run.waits !== undefined || !canPause(run)) return undefined;
  return run.pace.leftMs(now, run.doneBytes, Math.max(0, run.row.bytes - run.doneBytes));
}

/** What went through before a pause says nothing of the time after it. */
export function setPaused(run: Running, isPaused: boolean, now: number): void {
  if (run.isPaused && !isPaused) run.pace = new Pace(now, run.doneBytes);
  run.isPaused = isPaused;
}

/** What went through longer ago says nothing of the disk now: files that were there already are passed at once. */
const WINDOW_MS = 30_000;
/** Less time than this says nothing yet. */
const LEAST_MS = 2_000;
/** Samples are at least so far apart, so that there are few however many files there are. */
const APART_MS = 500;

interface Sample {
  at: number;
  bytes: number;
}

/** How fast a phase of a move goes on, by what went through of late. */
export class Pace {
  private samples: Sample[];

  /** `bytes`: what is through at this moment. */
  constructor(at: number, bytes: number) {
    this.samples = [{ at, bytes }];
  }

  /** `bytes`: all that is through by now. */
  passed(at: number, bytes: number): void {
    const last = this.samples.at(-1);
    if (last && at - last.at < APART_MS) return;
    this.samples.push({ at, bytes });
    while (this.samples.length > 2 && at - (this.samples[1]?.at ?? at) >= WINDOW_MS) this.samples.shift();
  }

  /** Milliseconds until so many more bytes are through; undefined while nobody can tell. */
  leftMs(now: number, through: number, left: number): number | undefined {
    const first = this.samples[0];
    if (!first || now - first.at < LEAST_MS || through <= first.bytes) return undefined;
    return Math.round((left * (now - first.at)) / (through - first.bytes));
  }
}

const FLAG = 'library:pausedMove';

/** Holds a move between two of its files until the user lets it go on, also over a restart. */
export class MovePause {
  private readonly store: Store;
  private id: string | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(store: Store) {
    this.store = store;
    this.id = readFlag(store.read, FLAG);
  }

  isOn(id: string): boolean {
    return this.id === id;
  }

  hold(id: string): void {
    this.store.transaction((db) => writeFlag(db, FLAG, id));
    this.id = id;
  }

  /** Nothing if it is not held. */
  release(id: string): void {
    if (!this.isOn(id)) return;
    this.store.transaction((db) => deleteFlag(db, FLAG));
    this.id = undefined;
    for (const wake of this.waiting) wake();
  }

  /** Resolves once the move may go on; rejects with the reason of a stop. */
  async over(id: string, signal: AbortSignal): Promise<void> {
    while (this.isOn(id) && !signal.aborted)
      await new Promise<void>((wake) => {
        const done = (): void => {
          this.waiting.delete(done);
          signal.removeEventListener('abort', done);
          wake();
        };
        this.waiting.add(done);
        signal.addEventListener('abort', done);
      });
    signal.throwIfAborted();
  }
}
