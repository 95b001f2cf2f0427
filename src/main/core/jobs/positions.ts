import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/** The order of the queue: a fractional number per job, so that a job fits between two others. Read from the index, one seek per state. */

const last = sql(
  'jobs.lastPosition',
  `SELECT max(coalesce((SELECT max(seq) FROM jobs), 0),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'queued'), 0),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'blocked'), 0),
     coalesce((SELECT max(last_position) FROM bulk_writes), 0)) AS position`,
);
const ofWaiting = sql('jobs.positionOf', `SELECT position FROM jobs WHERE id = $id AND state IN ('queued', 'blocked')`);
/** Positions reserved for a bulk write are respected, so that no other job gets between its jobs. */
const inFront = sql(
  'jobs.positionInFront',
  `SELECT max(coalesce((SELECT max(position) FROM jobs WHERE state = 'queued' AND position < $position), $position - 2),
     coalesce((SELECT max(position) FROM jobs WHERE state = 'blocked' AND position < $position), $position - 2),
     coalesce((SELECT max(last_position) FROM bulk_writes WHERE last_position < $position), $position - 2)) AS position`,
);
const makeRoom = sql(
  'jobs.makeRoom',
  `UPDATE jobs SET position = position - $room WHERE state IN ('queued', 'blocked') AND position < $position`,
);
/** Reserved positions move with the others. */
const makeRoomSetAside = sql(
  'jobs.makeRoomSetAside',
  `UPDATE bulk_writes SET first_position = first_position - $room, last_position = last_position - $room WHERE last_position < $position`,
);
const firstWaiting = sql(
  'jobs.firstPosition',
  `SELECT min(coalesce((SELECT min(position) FROM jobs WHERE state = 'queued'), 0),
     coalesce((SELECT min(position) FROM jobs WHERE state = 'blocked'), 0),
     coalesce((SELECT min(first_position) FROM bulk_writes), 0)) AS position`,
);

/** The position behind every waiting job, those that are still to come or to be moved there included. */
export const positionAtEnd = (db: ReadDb): number => (db.one<{ position: number }>(last)?.position ?? 0) + 1;

const upTo = sql(
  'jobs.placeAt',
  `SELECT count(*) AS n FROM jobs INDEXED BY jobs_waiting WHERE state IN ('queued', 'blocked') AND position <= $position`,
);

/** The rank among all waiting jobs of the job at this position; 1 is next. */
export const placeAt = (db: ReadDb, position: number): number => db.one<{ n: number }>(upTo, { position })?.n ?? 0;

/** Room for jobs at one place of the queue: the job with the index `n` gets the position `from + step × (n + 1)`. */
export interface Space {
  from: number;
  step: number;
}

/** In front of all, before a waiting job, or at the end; undefined if no such job waits. */
export function spaceAt(
  db: WriteDb,
  place: 'first' | { before: string | undefined },
  count: number,
): Space | undefined {
  if (place === 'first')
    return { from: (db.one<{ position: number }>(firstWaiting)?.position ?? 0) - count - 1, step: 1 };
  if (place.before === undefined) return { from: positionAtEnd(db) - 1, step: 1 };
  const target = db.one<{ position: number }>(ofWaiting, { id: place.before })?.position;
  return target === undefined ? undefined : spaceBefore(db, target, count);
}

function spaceBefore(db: WriteDb, target: number, count: number): Space {
  const front = db.one<{ position: number }>(inFront, { position: target })?.position ?? target - 2;
  const step = (target - front) / (count + 1);
  // Numbers this large are this far apart at least.
  const finest = Math.max(Math.abs(front), Math.abs(target), 1) * Number.EPSILON;
  if (step > 2 * finest) return { from: front, step };
  // After too many halvings there are not enough numbers between the two.
  for (const statement of [makeRoom, makeRoomSetAside]) db.run(statement, { position: target, room: count });
  return { from: target - count, step: count / (count + 1) };
}
