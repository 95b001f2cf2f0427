import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { tempDir } from '../helpers/testPorts.ts';
import { CrashScenario, summaryLines } from './crashScenario.ts';
import type { TortureOptions } from './options.ts';

/**
 * The disk becomes full at 200 points of a mixed load, as SQLite sees it (`max_page_count`). Acknowledged data stays, the error states the
 * reason, nothing is sent without its claim, and work continues once there is room.
 */
const POINTS = 200;
const SHORT_POINTS = 4;
/** How many of the points end in a kill while the disk is full. */
const KILL_EVERY = 20;
const FULL_MS = 120;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const points = options.short ? SHORT_POINTS : (options.kills ?? POINTS);
  const scenario = await CrashScenario.start(options.seed ?? 1, options.short ? ['--video', 'immediate'] : []);
  const { expected, load } = scenario;
  const socketPath = join(tempDir('torture-probe'), 'socket');
  const probe = pathToFileURL(join(import.meta.dirname, 'programs', 'diskProbe.ts')).href;
  const env = { NODE_OPTIONS: `--import ${probe}`, DISK_PROBE: socketPath };
  const open = async () => {
    rmSync(socketPath, { force: true });
    return scenario.open({ env, quiet: true });
  };
  let kills = 0;
  try {
    let host = await open();
    for (let point = 0; point < points; point += 1) {
      load.startRound(point);
      if (scenario.random() < 0.2) await scenario.randomizeFaults();
      await load.act(host, 2);
      await tellProbe(socketPath, String(Math.floor(scenario.random() * 4)));
      expected.log('--- the disk is full');
      await load.act(host, 3);
      await wait(scenario.random() * FULL_MS);
      if (point % KILL_EVERY === KILL_EVERY - 1) {
        kills += 1;
        await host.kill('SIGKILL');
        await tellProbe(socketPath, 'room').catch(() => undefined);
        host = await open();
      } else await tellProbe(socketPath, 'room');
      expected.log('--- there is room');
      await load.serveMedia(host, 2);
    }
    const refusals = expected.refusals.get('disk_full') ?? 0;
    if (refusals === 0) throw new Error('The disk was never full for anybody.');
    await scenario.settle(host);
    const first = `full at ${points} points, ${refusals} calls refused with its sentence, ${kills} kills while full; it went on by itself`;
    return [first, ...summaryLines(await scenario.audit())];
  } finally {
    await scenario.stop();
  }
}

async function tellProbe(path: string, line: string): Promise<void> {
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  socket.write(`${line}\n`);
  await once(socket, 'data');
  socket.destroy();
}
