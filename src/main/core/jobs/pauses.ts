import {
  deleteFlag,
  flagsWithPrefix,
  type ReadDb,
  readFlag,
  releaseRestored,
  restoredFrom,
  type WriteDb,
  writeFlag,
} from '../store/index.ts';

/**
 * What the user holds back, over restarts: the whole queue, or single lanes. A paused lane stays so when the queue goes on. The queue of a
 * backup that took the place of the database is held in the same way: what waits in it may have been sent since it was made.
 */

const QUEUE = 'paused';
const LANE = 'paused:';

export const isQueuePaused = (db: ReadDb): boolean => readFlag(db, QUEUE) === 'yes' || restoredFrom(db) !== undefined;

/** Whether nothing of this lane is sent now. */
export const isPaused = (db: ReadDb, lane: string): boolean =>
  isQueuePaused(db) || readFlag(db, LANE + lane) !== undefined;

export const pausedLanes = (db: ReadDb): string[] =>
  flagsWithPrefix(db, LANE).map(({ name }) => name.slice(LANE.length));

/** Without a lane, the whole queue. */
export function savePaused(db: WriteDb, lane: string | undefined, paused: boolean): void {
  if (lane === undefined) {
    writeFlag(db, QUEUE, paused ? 'yes' : 'no');
    if (!paused) releaseRestored(db);
  } else if (paused) writeFlag(db, LANE + lane, 'yes');
  else deleteFlag(db, LANE + lane);
}
