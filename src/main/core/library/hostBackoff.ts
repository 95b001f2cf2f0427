/**
 * The hosts that do not answer at present. One attempt at a time finds out whether a host is back; until then its other downloads wait,
 * so that a dead host neither takes the slots of working ones nor is flooded when it returns.
 */
export interface HostBackoff {
  /** Origins with a trailing slash (`https://host/`) that must not be asked now. */
  heldOrigins(now: number): string[];
  /** An attempt at this address begins. */
  attemptStarted(uri: string): void;
  attemptFailed(uri: string, now: number, waitMs?: number): void;
  /** When the next host may be tried. */
  nextAttemptAt(now: number): number | undefined;
  /** The host answered, whatever it said, or the user wants it tried at once. */
  clear(uri: string): void;
}

const FIRST_BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;

/** With a trailing slash. */
export const originOf = (uri: string): string => `${URL.parse(uri)?.origin ?? ''}/`;

export function createHostBackoff(): HostBackoff {
  const hosts = new Map<string, { failures: number; until: number; trying: boolean }>();
  return {
    heldOrigins: (now) => [...hosts].filter(([, { until, trying }]) => trying || until > now).map(([origin]) => origin),
    attemptStarted(uri) {
      const host = hosts.get(originOf(uri));
      if (host) host.trying = true;
    },
    attemptFailed(uri, now, waitMs = 0) {
      const failures = (hosts.get(originOf(uri))?.failures ?? 0) + 1;
      const pause = Math.max(waitMs, Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)));
      hosts.set(originOf(uri), { failures, until: now + pause, trying: false });
    },
    nextAttemptAt(now) {
      const times = [...hosts.values()].filter(({ until }) => until > now).map(({ until }) => until);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    clear: (uri) => void hosts.delete(originOf(uri)),
  };
}
