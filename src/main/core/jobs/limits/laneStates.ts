import type { LaneStatus } from '../../../../shared/events.ts';
import { allKinds } from '../../../../shared/kinds/index.ts';
import type { Profile } from '../../../../shared/profile.ts';
import { limitsOfLane, partsOfLane } from './lanes.ts';

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
