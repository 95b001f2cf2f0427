import type { Clock } from '../../core/ports.ts';

/** The longest wait one timer can hold; Node fires at once for anything above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real time. A wait of any length is kept (jobs may be set for next month). */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      const step = Math.min(Math.max(0, left), LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? arm(left - step) : run()), step);
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};
