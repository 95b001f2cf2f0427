import type { Clock } from './ports.ts';

/** The time for waits that stand in memory: where the clock is set back it goes on from where it was, and none of them becomes longer. */
export function steadyTime({ now }: Pick<Clock, 'now'>): () => number {
  let last = now();
  let ahead = 0;
  return () => {
    ahead = Math.max(ahead, last - now());
    last = now() + ahead;
    return last;
  };
}
