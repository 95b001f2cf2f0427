import type { LibraryMove } from '../../../../shared/library/libraryFolder.ts';
import type { ListedFile } from './fileProgram.ts';
import type { FileThread } from './fileThread.ts';
import type { MoveRow } from './moveTable.ts';
import { Pace } from './pace.ts';

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
