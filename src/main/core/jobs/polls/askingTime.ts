/** A host that cannot be reached is tried once a minute; only a pause that the service asked for is longer, and it counts for less. */
const LONGEST_GAP_MS = 120_000;

/**
 * The time in which tasks were asked for, in ms: it counts only while it is read again and again. A machine that was suspended has asked
 * nothing meanwhile, nor has one whose clock was set forward. `time` never goes back.
 */
export function askingTime(time: () => number): () => number {
  let last = time();
  let asked = 0;
  return () => {
    const now = time();
    asked += Math.min(now - last, LONGEST_GAP_MS);
    last = now;
    return asked;
  };
}
