import { deleteFlag, flagsWithPrefix, type ReadDb, type WriteDb, writeFlag } from '../../store/index.ts';

/**
 * The waiting times that services asked for, over restarts: until when each lane waits, by the clock. The row of the job that was refused
 * has its own, but the lane waits also once that job was canceled, or the user has asked for it.
 */

const HOLD = 'hold:';

interface KeptHold {
  lane: string;
  until: number;
}

/** Undefined: the lane waits no more. */
export function saveHold(db: WriteDb, lane: string, until: number | undefined): void {
  if (until === undefined) deleteFlag(db, HOLD + lane);
  else writeFlag(db, HOLD + lane, String(until));
}

export const keptHolds = (db: ReadDb): KeptHold[] =>
  flagsWithPrefix(db, HOLD).map(({ name, value }) => ({ lane: name.slice(HOLD.length), until: Number(value) }));
