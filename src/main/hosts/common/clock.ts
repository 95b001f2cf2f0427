import type { Clock } from '../../core/ports.ts';

/** The longest delay of a timer; Node fires longer ones at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Interval of the checks for a sleep. */
const LOOK_MS = 5_000;
/** A wall clock this far ahead of the timers has jumped: the machine slept, or the clock was set. */
const JUMP_MS = 2_000;

/** Timeouts that expired during a sleep fire this long after it, so that an answer that has arrived is read first. */
const WAKE_MS = 1_000;

export interface WallClock extends Clock {
  /** After a wake-up: overdue waits end after WAKE_MS. */
  recheck(): void;
}

interface Wait {
  /** By the wall clock. */
  due: number;
  run(): void;
  timer: NodeJS.Timeout;
}

/**
 * Real time. Waits may be of any length. Timers stop while the machine sleeps, so a wait also ends when its time has passed by the wall
 * clock; setting the clock back lengthens no wait.
 */
export function createWallClock(): WallClock {
  const waits = new Set<Wait>();
  let last = { wall: Date.now(), counted: performance.now() };
  let looking: NodeJS.Timeout | undefined;

  const stopLooking = () => {
    clearInterval(looking);
    looking = undefined;
  };
  const arm = (wait: Wait, left: number) => {
    const step = Math.min(Math.max(0, left), MAX_TIMER_MS);
    wait.timer = setTimeout(() => {
      if (left > step) return arm(wait, left - step);
      waits.delete(wait);
      if (waits.size === 0) stopLooking();
      wait.run();
    }, step);
  };
  const look = (hasWoken: boolean) => {
    const now = { wall: Date.now(), counted: performance.now() };
    const ahead = now.wall - last.wall - (now.counted - last.counted);
    last = now;
    // If the clock was set back, pending waits move with it.
    if (ahead < -JUMP_MS) for (const wait of waits) wait.due += ahead;
    if (!hasWoken && ahead <= JUMP_MS) return;
    for (const wait of waits) {
      clearTimeout(wait.timer);
      arm(wait, Math.max(WAKE_MS, wait.due - now.wall));
    }
  };
  return {
    now: () => Date.now(),
    after(ms, run) {
      // Accounts for earlier jumps of the clock first, which do not concern this wait.
      look(false);
      looking ??= setInterval(() => look(false), LOOK_MS).unref();
      const wait: Wait = { due: Date.now() + ms, run, timer: setTimeout(() => {}, 0) };
      clearTimeout(wait.timer);
      waits.add(wait);
      arm(wait, ms);
      return () => {
        clearTimeout(wait.timer);
        waits.delete(wait);
        if (waits.size === 0) stopLooking();
      };
    },
    recheck: () => look(true),
  };
}

/** The one clock of this process. */
export const systemClock: WallClock = createWallClock();
