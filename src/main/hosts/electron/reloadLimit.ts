const MAX_RELOADS = 3;
const WITHIN_MS = 60_000;

/** Allows a crashed page to reload at most three times a minute: one that crashes at once would reload for ever. */
export function createReloadLimit(now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    const from = now() - WITHIN_MS;
    times = times.filter((time) => time > from);
    if (times.length >= MAX_RELOADS) return false;
    times.push(now());
    return true;
  };
}
