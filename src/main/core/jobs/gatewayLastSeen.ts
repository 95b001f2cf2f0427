import type { AtGateway } from '../../../shared/gateway/profile.ts';
import type { PollOutcome } from '../gateway/index.ts';
import { firstLinkEnds } from '../library/index.ts';
import type { Clock } from '../ports.ts';
import { flagsWithPrefix, type ReadDb, type Store, writeFlag } from '../store/index.ts';

/** The last answer of each gateway about a job, kept across restarts. Running jobs show it while there is no key for polling. */

const SEEN = 'seen:';
/** Often enough for "12 min ago"; most polls write nothing. */
const KEPT_EVERY_MS = 60_000;

export class GatewayLastSeen {
  private readonly deps: { store: Pick<Store, 'grouped'>; clock: Pick<Clock, 'now'> };
  private readonly keptAt = new Map<string, number>();

  constructor(deps: GatewayLastSeen['deps']) {
    this.deps = deps;
  }

  /** Records an answer of a gateway. */
  async noteAnswer(profileId: string, outcome: Pick<PollOutcome, 'type'>): Promise<void> {
    if (outcome.type === 'unreachable') return;
    const now = this.deps.clock.now();
    const last = this.keptAt.get(profileId);
    if (last !== undefined && Math.abs(now - last) < KEPT_EVERY_MS) return;
    this.keptAt.set(profileId, now);
    // If the disk is full or the store closes, only this time is lost.
    await this.deps.store.grouped((db) => writeFlag(db, SEEN + profileId, String(now))).catch(() => undefined);
  }
}

/** By profile: the last answer of its gateway, and the first expiry of a link to a result that is not stored here yet. */
export function atGateways(db: ReadDb): Record<string, AtGateway> {
  const all: Record<string, AtGateway> = {};
  for (const { name, value } of flagsWithPrefix(db, SEEN)) all[name.slice(SEEN.length)] = { seenAt: Number(value) };
  for (const { profileId, at } of firstLinkEnds(db)) all[profileId] = { ...all[profileId], linksEndAt: at };
  return all;
}
