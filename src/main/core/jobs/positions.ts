import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** The order of the queue: a fractional number per job, so that a job fits between two others. Read from the index, one seek per state. */

const last = sql(
  'jobs.lastPosition',
  `SELECT max(coalesce((SELECT max(seq) FROM jobs), 0),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'queued'), 0),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'blocked'), 0)) AS position`,
);
const ofWaiting = sql('jobs.positionOf', `SELECT position FROM jobs WHERE id = $id AND state IN ('queued', 'blocked')`);
const inFront = sql(
  'jobs.positionInFront',
  `SELECT max(coalesce((SELECT max(position) FROM jobs WHERE state = 'queued' AND position < $position), $position - 2),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'blocked' AND position < $position), $position - 2)) AS position`,
);
const makeRoom = sql(
  'jobs.makeRoom',
  `UPDATE jobs SET position = position - 1 WHERE state IN ('queued', 'blocked') AND position < $position`,
);

/** The position behind every waiting job, those that were moved to the end included. */
export const positionAtEnd = (db: ReadDb): number => (db.one<{ position: number }>(last)?.position ?? 0) + 1;

/** The position between a waiting job and the one in front of it; undefined if no such job waits. */
export function positionBefore(db: WriteDb, id: string): number | undefined {
  const target = db.one<{ position: number }>(ofWaiting, { id })?.position;
  if (target === undefined) return undefined;
  const front = db.one<{ position: number }>(inFront, { position: target })?.position ?? target - 2;
  const middle = (front + target) / 2;
  if (middle > front && middle < target) return middle;
  // After too many halvings no number is left between the two.
  db.run(makeRoom, { position: target });
  return target - 0.5;
}
