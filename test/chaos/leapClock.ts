import type { Clock } from '../../src/main/core/ports.ts';

/** A clock that leaps from timer to timer, so that an hour of waiting takes no time. */
export class LeapClock implements Clock {
  private time: number = Date.UTC(2026, 10, 21, 9);
  private readonly timers = new Set<{ at: number; run: () => void }>();

  now = (): number => this.time;

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + Math.max(0, ms), run };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  /** Fires the next timer at its time. */
  leap(): void {
    const [first, ...rest] = this.timers;
    if (!first) return;
    const next = rest.reduce((earliest, timer) => (timer.at < earliest.at ? timer : earliest), first);
    this.timers.delete(next);
    this.time = Math.max(this.time, next.at);
    next.run();
  }
}
