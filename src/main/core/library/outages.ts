/**
 * Which places of results do not answer just now. One try at a time finds out whether a place is back; until then nothing else of
 * it is tried, so that a dead host neither takes the slots of the living nor is met by a crowd when it comes back.
 */
export interface Outages {
  /** Prefixes of addresses (`https://host/`) that are not to be asked now. */
  held(now: number): string[];
  /** A try of this address begins. */
  began(uri: string): void;
  failed(uri: string, now: number, waitMs?: number): void;
  /** When the next place may be tried. */
  nextAt(now: number): number | undefined;
  /** It answered, whatever it said; or the user wants it tried at once. */
  forget(uri: string): void;
}

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

export function createOutages(): Outages {
  const places = new Map<string, { fails: number; until: number; trying: boolean }>();
  const placeOf = (uri: string): string => `${URL.parse(uri)?.origin ?? ''}/`;
  return {
    held: (now) => [...places].filter(([, { until, trying }]) => trying || until > now).map(([place]) => place),
    began(uri) {
      const place = places.get(placeOf(uri));
      if (place) place.trying = true;
    },
    failed(uri, now, waitMs = 0) {
      const fails = (places.get(placeOf(uri))?.fails ?? 0) + 1;
      const pause = Math.max(waitMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** (fails - 1)));
      places.set(placeOf(uri), { fails, until: now + pause, trying: false });
    },
    nextAt(now) {
      const times = [...places.values()].filter(({ until }) => until > now).map(({ until }) => until);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    forget: (uri) => void places.delete(placeOf(uri)),
  };
}
