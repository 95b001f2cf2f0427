import { kindOf, laneNamed, type StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Profile } from '../../../../shared/profile.ts';

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

const MINUTE_MS = 60_000;

/** A sliding window over the last minute, so that a lane never exceeds its limit, however unevenly its requests are spread. */
export class RateWindow {
  private readonly sent = new Map<string, number[]>();
  private readonly sentBefore: (lane: string, since: number) => number[];

  /** `sentBefore` reads what a lane sent before this object existed, so that the limit also holds over a restart. */
  constructor(sentBefore: (lane: string, since: number) => number[]) {
    this.sentBefore = sentBefore;
  }

  /** 0 if the lane may send now, else how many milliseconds it has to wait. */
  waitMs(lane: string, perMinute: number, now: number): number {
    const recent = this.recent(lane, now);
    const oldest = recent[recent.length - perMinute];
    return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
  }

  record(lane: string, now: number): void {
    this.sent.set(lane, [...this.recent(lane, now), now]);
  }

  private recent(lane: string, now: number): number[] {
    const since = now - MINUTE_MS;
    const sent = this.sent.get(lane) ?? this.sentBefore(lane, since);
    // What was sent later than now was sent before the clock was set back: it would hold the lane for as long as that was.
    const recent = sent.filter((at) => at > since && at <= now);
    this.sent.set(lane, recent);
    return recent;
  }
}
