import { deleteFlag, flagsWithPrefix, type ReadDb, type WriteDb, writeFlag } from '../../store/index.ts';

/**
 * The waiting times that services asked for, over restarts: until when each lane waits, by the clock, and for which host. The row of the
 * job that was refused has its own, but the lane waits also once that job was canceled, or the user has asked for it.
 */

const HOLD = 'hold:';

/** A profile that has another address since waits for nothing that the one before asked for. */
export interface Hold {
  host: string;
  until: number;
}

/** Undefined: the lane waits no more. */
export function saveHold(db: WriteDb, lane: string, hold: Hold | undefined): void {
  if (hold === undefined) deleteFlag(db, HOLD + lane);
  else writeFlag(db, HOLD + lane, JSON.stringify(hold));
}

export const keptHolds = (db: ReadDb): (Hold & { lane: string })[] =>
  flagsWithPrefix(db, HOLD).map(({ name, value }) => ({
    lane: name.slice(HOLD.length),
    ...(JSON.parse(value) as Hold),
  }));
