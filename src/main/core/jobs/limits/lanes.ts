import { kindOf, laneNamed, type StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Profile } from '../../../../shared/profile.ts';

/** Lanes as jobs are kept by them: the name of what shares a limit, and whose it is. */

const isPreview = (profile: Profile, model: string): boolean =>
  profile.models.find((known) => known.id === model)?.preview ?? /preview/i.test(model);

export const laneOf = (profile: Profile, request: StudioRequest): string =>
  `${kindOf(request).lane(request, (model) => isPreview(profile, model)).name}:${profile.id}`;

export function partsOfLane(lane: string): { kind: string; profileId: string } {
  const at = lane.indexOf(':');
  return { kind: lane.slice(0, at), profileId: lane.slice(at + 1) };
}

/** How many of a lane may be under way at once, and be sent in a minute. */
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

/** Counts what was sent in the last minute, so that a lane never sends more than it may, however the requests are bunched. */
export class RateWindow {
  private readonly sent = new Map<string, number[]>();
  private readonly earlier: (lane: string, since: number) => number[];

  /** `earlier` tells what a lane sent before this window was there (a restart is no reason to send more). */
  constructor(earlier: (lane: string, since: number) => number[]) {
    this.earlier = earlier;
  }

  /** 0 when the lane may send now, else how many milliseconds it has to wait. */
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
    const recent = (this.sent.get(lane) ?? this.earlier(lane, since)).filter((at) => at > since);
    this.sent.set(lane, recent);
    return recent;
  }
}
