import type { Clock } from '../../core/ports.ts';

/**
 * Runs `work` at the first call at once, and for all calls of the next `everyMs` together one more time. It never runs twice at the same
 * time, and its last run begins after the last call.
 */
export function bundled(clock: Pick<Clock, 'after'>, everyMs: number, work: () => Promise<void>): () => void {
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
