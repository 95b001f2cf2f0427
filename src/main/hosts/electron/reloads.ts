const MOST = 3;
const WITHIN_MS = 60_000;

/** A page that crashes is loaded again, at most three times in a minute: one that crashes at once each time would do so for ever. */
export function createReloadLimit(now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    const from = now() - WITHIN_MS;
    times = times.filter((time) => time > from);
    if (times.length >= MOST) return false;
    times.push(now());
    return true;
  };
}
