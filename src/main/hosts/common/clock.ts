import type { Clock } from '../../core/ports.ts';

/** The longest wait one timer can hold; Node fires at once for anything above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** So often it is looked whether the machine has slept. */
const LOOK_MS = 5_000;
/** A wall clock that is this far ahead of the time that timers count has jumped: a sleep, or somebody set it. */
const JUMP_MS = 2_000;

/** What came due in a sleep waits this long after it: an answer that came in meanwhile is read before the wait for it is given up. */
const WAKE_MS = 1_000;

export interface WallClock extends Clock {
  /** The machine has just woken: what came due while it slept is due now, save a moment for what arrived with it. */
  recheck(): void;
}

interface Wait {
  /** By the wall clock. */
  due: number;
  run(): void;
  timer: NodeJS.Timeout;
}

/**
 * Real time. A wait of any length is kept (jobs may be set for next month). Timers stand still while the machine sleeps, so a wait ends
 * when its time has passed by the wall clock, too; a wall clock that is set back makes no wait longer.
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
    const step = Math.min(Math.max(0, left), LONGEST_TIMER_MS);
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
    // A clock that was set back moves what is waited for with it.
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
      // A jump so far is none of this wait's.
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
