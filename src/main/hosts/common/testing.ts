import { settle } from '../../../../test/helpers/testPorts.ts';
import type { Clock, Logger } from '../../core/ports.ts';

/** For tests of hosts: a log that keeps what it is told. */
export function silentLog(): Logger & { lines: string[]; hidden: Set<string> } {
  const lines: string[] = [];
  const hidden = new Set<string>();
  const take = (_: Record<string, unknown>, message: string) => void lines.push(message);
  return { lines, hidden, info: take, warn: take, error: take, hide: (secret) => void hidden.add(secret) };
}

/** For tests of hosts: time that passes when it is told to. */
export function handClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  const timers = new Set<{ at: number; run(): void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async pass(ms) {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.run();
      }
      // What the timers began gets its turn.
      await settle();
    },
  };
}
