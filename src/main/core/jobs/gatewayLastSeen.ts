import type { AtGateway } from '../../../shared/gateway/profile.ts';
import type { PollOutcome } from '../gateway/index.ts';
import { firstLinkEnds } from '../library/index.ts';
import type { Clock } from '../ports.ts';
import { flagsWithPrefix, type ReadDb, type Store, writeFlag } from '../store/index.ts';

/** When each gateway was last heard of about a job, over restarts: what is said of running jobs while there is no key to ask with. */

const SEEN = 'seen:';
/** Often enough for "12 min ago"; most polls write nothing. */
const KEPT_EVERY_MS = 60_000;

export class GatewayLastSeen {
  private readonly deps: { store: Pick<Store, 'grouped'>; clock: Pick<Clock, 'now'> };
  private readonly keptAt = new Map<string, number>();

  constructor(deps: GatewayLastSeen['deps']) {
    this.deps = deps;
  }

  /** A gateway was asked. */
  async noteAnswer(profileId: string, outcome: Pick<PollOutcome, 'type'>): Promise<void> {
    if (outcome.type === 'unreachable') return;
    const now = this.deps.clock.now();
    const last = this.keptAt.get(profileId);
    if (last !== undefined && Math.abs(now - last) < KEPT_EVERY_MS) return;
    this.keptAt.set(profileId, now);
    // A disk that is full, or a store that closes, loses a time and nothing else.
    await this.deps.store.grouped((db) => writeFlag(db, SEEN + profileId, String(now))).catch(() => undefined);
  }
}

/** By profile: when its gateway was last heard of, and when the first link to a result that is only there ends. */
export function atGateways(db: ReadDb): Record<string, AtGateway> {
  const all: Record<string, AtGateway> = {};
  for (const { name, value } of flagsWithPrefix(db, SEEN)) all[name.slice(SEEN.length)] = { seenAt: Number(value) };
  for (const { profileId, at } of firstLinkEnds(db)) all[profileId] = { ...all[profileId], linksEndAt: at };
  return all;
}
