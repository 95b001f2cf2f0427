import { t } from '../../../../shared/text/texts.ts';
import type { Clock } from '../../ports.ts';
import type { ReadDb } from '../../store/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import { dueDownloads } from '../assetTable.ts';

/** A download that has had its slot for this long no longer makes other due downloads wait, however many there are. */
export const LONG_MS = 120_000;

export interface RunningDownload {
  asset: AssetRow;
  /**
   * Whether the download has had its slot for {@link LONG_MS}. Set by the timer that wakes the queue then, because two clock readings may
   * differ by a millisecond.
   */
  isLong: boolean;
  work: Promise<void>;
}

interface Slots {
  running: ReadonlyMap<string, RunningDownload>;
  atOnce: number;
  waitingOrigins: readonly string[];
  now: number;
}

/**
 * The next download to start. If all slots have been taken for long, a profile without a download gets an extra one, and so does an origin
 * without one: a host that sends slowly, for hours or on purpose, would otherwise keep its slots until other links expire. A gateway may
 * name any number of origins, so there are never more extra slots than downloading profiles, plus one.
 */
export function nextDownload(db: ReadDb, { running, atOnce, waitingOrigins, now }: Slots): AssetRow | undefined {
  const next = (more: { alsoWaiting?: readonly string[]; waitingProfiles?: readonly string[] } = {}) =>
    firstDue(db, { now, running: [...running.keys()], ...more }, [...waitingOrigins, ...(more.alsoWaiting ?? [])]);
  if (running.size < atOnce) return next();
  const all = [...running.values()];
  if (all.filter(({ isLong }) => isLong).length < atOnce) return undefined;
  const waitingProfiles = [...new Set(all.map(({ asset }) => asset.profile_id ?? ''))];
  const ofOthers = next({ waitingProfiles });
  if (ofOthers || running.size > atOnce + waitingProfiles.length) return ofOthers;
  return next({ alsoWaiting: all.map(({ asset }) => originOf(asset.remote_uri ?? '')) });
}

/** The statement needs origins in the form of {@link originOf}, while a link may have a port, a user or capitals before its path. */
function firstDue(
  db: ReadDb,
  held: { now: number; running: readonly string[]; waitingProfiles?: readonly string[] },
  waitingOrigins: readonly string[],
): AssetRow | undefined {
  for (let limit = 1; ; limit *= 16) {
    const due = dueDownloads(db, { ...held, waitingOrigins, limit });
    const first = due.find(({ remote_uri: uri }) => !waitingOrigins.includes(originOf(uri ?? '')));
    if (first || due.length < limit) return first;
  }
}

const FIRST_BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;

/** With a trailing slash. */
const originOf = (uri: string): string => `${URL.parse(uri)?.origin ?? ''}/`;

/**
 * The hosts that do not answer at present. One attempt at a time finds out whether a host is back; until then its other downloads wait,
 * so that a dead host neither takes the slots of working ones nor is flooded when it returns.
 */
export class HostBackoff {
  private readonly hosts = new Map<string, { failures: number; until: number; trying: boolean }>();

  /** Origins with a trailing slash (`https://host/`) that must not be asked now. */
  waitingOrigins(now: number): string[] {
    return [...this.hosts].filter(([, { until, trying }]) => trying || until > now).map(([origin]) => origin);
  }

  /** An attempt at this address begins. */
  attemptStarted(uri: string): void {
    const host = this.hosts.get(originOf(uri));
    if (host) host.trying = true;
  }

  attemptFailed(uri: string, now: number, waitMs = 0): void {
    const failures = (this.hosts.get(originOf(uri))?.failures ?? 0) + 1;
    const pause = Math.max(waitMs, Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)));
    this.hosts.set(originOf(uri), { failures, until: now + pause, trying: false });
  }

  /** When the next host may be tried. */
  nextAttemptAt(now: number): number | undefined {
    const times = [...this.hosts.values()].filter(({ until }) => until > now).map(({ until }) => until);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The host answered, whatever it said, or the user wants it tried at once. */
  clear(uri: string): void {
    this.hosts.delete(originOf(uri));
  }
}

/** Tells the user once when the disk is full, and once when there is space again. */
export function createDiskFullNotices({ notify }: { notify(level: 'info' | 'error', text: string): void }) {
  let isAnnounced = false;
  return {
    diskIsFull(): void {
      if (!isAnnounced) {
        notify('error', t`The disk is full. Results wait at the gateway: free some space before their links expire.`);
      }
      isAnnounced = true;
    },
    diskHasSpace(): void {
      if (isAnnounced) notify('info', t`The disk has space again. Results are being downloaded.`);
      isAnnounced = false;
    },
  };
}

/** A download that receives fewer than `MIN_BYTES_PER_CHECK` bytes in this time is interrupted, so that others get its slot. */
const STALL_CHECK_MS = 120_000;
const MIN_BYTES_PER_CHECK = 64 * 1024;

/** Interrupts a download that has stalled: a link that waits behind it may expire sooner. */
export function createStallGuard(clock: Clock, onFirstBytes: () => void) {
  const stalled = new AbortController();
  let bytes = 0;
  let lastChecked = 0;
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = clock.after(STALL_CHECK_MS, () => {
      if (bytes - lastChecked < MIN_BYTES_PER_CHECK) return stalled.abort();
      lastChecked = bytes;
      watch();
    });
  };
  return {
    signal: stalled.signal,
    onBytes(length: number): void {
      const first = bytes === 0;
      bytes = length;
      if (!first) return;
      watch();
      onFirstBytes();
    },
    stop: () => cancel(),
  };
}
