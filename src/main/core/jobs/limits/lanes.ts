import type { LaneStatus } from '../../../../shared/contract/events.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { allKinds, kindOf, laneNamed, type StudioRequest } from '../../../../shared/kinds/index.ts';
import {
  deleteFlag,
  flagsWithPrefix,
  type ReadDb,
  readFlag,
  releaseRestored,
  restoredFrom,
  type WriteDb,
  writeFlag,
} from '../../store/index.ts';

/** A lane groups the jobs that share a limit. Its name is `<lane of the kind>:<profile id>`. */

const isPreview = (profile: Profile, model: string): boolean =>
  profile.models.find((known) => known.id === model)?.preview ?? /preview/i.test(model);

export const laneOf = (profile: Profile, request: StudioRequest): string =>
  `${kindOf(request).lane(request, (model) => isPreview(profile, model)).name}:${profile.id}`;

export function partsOfLane(lane: string): { kind: string; profileId: string } {
  const at = lane.indexOf(':');
  return { kind: lane.slice(0, at), profileId: lane.slice(at + 1) };
}

/** How many jobs of a lane may be in progress at once, and be sent in a minute. */
export interface LaneLimits {
  atOnce: number;
  perMinute?: number;
}

export function limitsOfLane({ limits }: Profile, kind: string): LaneLimits {
  const lane = laneNamed(kind);
  const perMinute = lane?.perMinute?.(limits);
  return { atOnce: lane?.atOnce(limits) ?? 1, ...(perMinute === undefined ? {} : { perMinute }) };
}

/** How many open jobs of a lane are in a state. */
export interface OpenCount {
  lane: string;
  state: string;
  n: number;
  reservedNano: number;
  unpriced: number;
}

const AT_SERVICE = ['sending', 'running'];
const WAITING = ['queued', 'blocked'];

/** The lanes of the active profile, and the others that have open jobs or are held back. */
export function laneStates(
  profiles: { get(id: string): Profile | undefined; active(): Profile },
  counts: readonly OpenCount[],
  paused: readonly string[],
): LaneStatus[] {
  const active = profiles.active().id;
  const own = allKinds().flatMap((kind) => kind.lanes.map(({ name }) => `${name}:${active}`));
  const lanes = new Set([...own, ...counts.map(({ lane }) => lane), ...paused]);
  return [...lanes].map((lane) => {
    const { kind, profileId } = partsOfLane(lane);
    const profile = profiles.get(profileId);
    const sum = (states: readonly string[], what: 'n' | 'reservedNano' | 'unpriced' = 'n') =>
      counts.reduce((total, each) => total + (each.lane === lane && states.includes(each.state) ? each[what] : 0), 0);
    return {
      kind,
      profileId,
      running: sum(AT_SERVICE),
      atOnce: profile ? limitsOfLane(profile, kind).atOnce : 1,
      waiting: sum(WAITING),
      reservedNano: sum(WAITING, 'reservedNano'),
      unpriced: sum(WAITING, 'unpriced'),
      paused: paused.includes(lane),
    };
  });
}

/**
 * Pauses by the user, which outlive restarts: of the whole queue, or of single lanes. A paused lane stays paused when the queue resumes. A
 * queue from a restored backup is paused in the same way, because its waiting jobs may have been sent since.
 */

const QUEUE = 'paused';
const LANE = 'paused:';

export const isQueuePaused = (db: ReadDb): boolean => readFlag(db, QUEUE) === 'yes' || restoredFrom(db) !== undefined;

/** Whether the lane is paused. */
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
