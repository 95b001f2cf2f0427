import type { Clock } from '../../core/ports.ts';

/**
 * Runs `work` at the first call, and once more for all calls within the next `everyMs`. Runs never overlap, and the last one begins after
 * the last call.
 */
export function throttled(clock: Pick<Clock, 'after'>, everyMs: number, work: () => Promise<void>): () => void {
  let isResting = false;
  let isWanted = false;
  const run = () => {
    isResting = true;
    isWanted = false;
    const rest = () => {
      clock.after(everyMs, () => {
        isResting = false;
        if (isWanted) run();
      });
    };
    void work().then(rest, rest);
  };
  return () => {
    isWanted = true;
    if (!isResting) run();
  };
}
