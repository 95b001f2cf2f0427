import { performance } from 'node:perf_hooks';

export interface Measured<T> {
  value: T;
  ms: number;
  /** Milliseconds between the turns of the event loop. */
  turns: number[];
  /** The same in processor time of this thread, independent of other load. */
  busy: number[];
}

/** Also measures what follows a call asynchronously, such as events. */
const AFTER_MS = 150;

/** Runs `work`, and measures the turns of the event loop until shortly afterwards. */
export async function measured<T>(work: () => Promise<T>, afterMs = AFTER_MS): Promise<Measured<T>> {
  const turns: number[] = [];
  const busy: number[] = [];
  let isOn = true;
  let last = performance.now();
  let lastBusy = busyMs();
  const turn = (): void => {
    const [now, nowBusy] = [performance.now(), busyMs()];
    turns.push(now - last);
    busy.push(nowBusy - lastBusy);
    [last, lastBusy] = [now, nowBusy];
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  const start = performance.now();
  const value = await work();
  const ms = performance.now() - start;
  await new Promise((done) => setTimeout(done, afterMs));
  isOn = false;
  return { value, ms, turns, busy };
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export const longest = (turns: readonly number[]): number => turns.reduce((most, turn) => Math.max(most, turn), 0);
