import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { costliest, type LongTurn, namedTurns, type Profile } from './turnNames.ts';

/**
 * Preloaded into a host (`--import`): measures the turns of its event loop. A line `begin` on its socket starts a measurement; `end`
 * returns the result as a line of JSON.
 */

export interface Watched {
  /** Milliseconds between two ticks of a timer of 1 ms, as `monitorEventLoopDelay` counts them. */
  delay: { p50: number; p99: number; max: number };
  /** Processor time of the turns in milliseconds, without other programs. */
  busy: { p99: number; max: number; over20: number; over50: number; total: number };
  /** The longest turns. */
  longest: LongTurn[];
  /** Our functions that took the most time, in milliseconds. */
  costliest: { name: string; ms: number }[];
}

/** Only longer turns are named. */
const NAMED_MS = 8;
const MOST_NAMED = 16;
const TICK_MS = 1;
const SAMPLE_US = 500;

const { DAILIES_TURN_SOCKET: socket } = process.env;
// Child processes and threads have loops of their own.
delete process.env.NODE_OPTIONS;
delete process.env.DAILIES_TURN_SOCKET;
if (isMainThread && socket) serve(socket);

function serve(path: string): void {
  let end: (() => Promise<Watched>) | undefined;
  createServer((connection) => {
    connection.on('data', async (line) => {
      if (String(line).trim() === 'begin') {
        end = await begin();
        connection.write('{}\n');
      } else connection.write(`${JSON.stringify(await end?.())}\n`);
    });
  })
    .listen(path)
    .unref();
}

async function begin(): Promise<() => Promise<Watched>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  delay.enable();
  const turns: { from: number; to: number; busy: number }[] = [];
  let [from, busy] = [nowUs(), busyMs()];
  // A timer, since an immediate would keep the loop spinning. A turn of 1 ms or more lies between two ticks either way.
  const timer = setInterval(() => {
    const [to, nowBusy] = [nowUs(), busyMs()];
    turns.push({ from, to, busy: nowBusy - busy });
    [from, busy] = [to, nowBusy];
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    delay.disable();
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    const sorted = turns.map((turn) => turn.busy).sort((a, b) => a - b);
    const long = [...turns].sort((a, b) => b.busy - a.busy).filter((turn) => turn.busy >= NAMED_MS);
    const ms = (nano: number) => nano / 1e6;
    return {
      delay: { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      busy: {
        p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        max: sorted.at(-1) ?? 0,
        over20: sorted.filter((each) => each > 20).length,
        over50: sorted.filter((each) => each > 50).length,
        total: sorted.reduce((sum, each) => sum + each, 0),
      },
      longest: namedTurns(profile as Profile, long.slice(0, MOST_NAMED)),
      costliest: costliest(profile as Profile),
    };
  };
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1_000n);

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
