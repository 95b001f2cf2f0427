import type { Profile } from '../../../../shared/profile.ts';
import type { StudioRequest } from '../../../../shared/request.ts';

/**
 * A lane is what shares a limit: a profile's chats, its images, its videos, and apart from them its preview video models, which may
 * be asked ten times a minute only (spec 8).
 */

export type LaneKind = 'chat' | 'image' | 'video' | 'preview';

const isPreview = (profile: Profile, model: string): boolean =>
  profile.models.find((known) => known.id === model)?.preview ?? /preview/i.test(model);

export function laneOf(profile: Profile, request: StudioRequest): string {
  const kind: LaneKind =
    request.kind === 'chat'
      ? 'chat'
      : request.kind !== 'video'
        ? 'image'
        : isPreview(profile, request.model)
          ? 'preview'
          : 'video';
  return `${kind}:${profile.id}`;
}

export function partsOfLane(lane: string): { kind: LaneKind; profileId: string } {
  const at = lane.indexOf(':');
  return { kind: lane.slice(0, at) as LaneKind, profileId: lane.slice(at + 1) };
}

export function atOnce(profile: Profile, kind: LaneKind): number {
  const { chatsAtOnce, imagesAtOnce, videosAtOnce } = profile.limits;
  return kind === 'chat' ? chatsAtOnce : kind === 'image' ? imagesAtOnce : videosAtOnce;
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
