import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Host } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { CrashScenario, summaryLines } from './crashScenario.ts';
import type { TortureOptions } from './options.ts';

/**
 * The disk is full at 200 points of a mixed load, as SQLite sees it (`max_page_count`), and at 40 more for everything that writes (a
 * separate file system, filled to the last byte). Acknowledged data stays, an error gives the reason, nothing is sent without its intent,
 * and with free space everything continues by itself, without a restart.
 */
const POINTS = 200;
const VOLUME_POINTS = 40;
const SHORT_POINTS = 4;
/** How many of the points end in a kill while the disk is full. */
const KILL_EVERY = 20;
const FULL_MS = 120;

/** A way to fill the disk under a running studio. */
interface Disk {
  fill(host: Host): Promise<void>;
  makeRoom(host: Host): Promise<void>;
}

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const points = options.short ? SHORT_POINTS : (options.kills ?? POINTS);
  const scenario = await CrashScenario.start(options.seed ?? 1, options.short ? ['--video', 'immediate'] : []);
  const socketPath = join(tempDir('torture-probe'), 'socket');
  const probe = pathToFileURL(join(import.meta.dirname, 'programs', 'diskProbe.ts')).href;
  const env = { NODE_OPTIONS: `--import ${probe}`, DISK_PROBE: socketPath };
  const say = (line: string) => tellProbe(socketPath, line);
  const disk: Disk = {
    fill: () => say(String(Math.floor(scenario.random() * 4))),
    makeRoom: () => say('room'),
  };
  const open = async () => {
    rmSync(socketPath, { force: true });
    return scenario.open({ env, quiet: true });
  };
  return torture('max_page_count', scenario, disk, points, open);
}

async function tellProbe(path: string, line: string): Promise<void> {
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  socket.write(`${line}\n`);
  await once(socket, 'data');
  socket.destroy();
}

/** Downloads leave the last 32 MB to the database, so the volume must be larger than that. */
const VOLUME_BYTES = 256 * 1024 * 1024;

/** Runs on a file system in memory, filled by a ballast file, if this user may mount one. */
export async function runVolume(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const points = options.short ? SHORT_POINTS : (options.kills ?? VOLUME_POINTS);
  const volume = tempDir('torture-volume');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${VOLUME_BYTES}`, 'tmpfs', volume]).status === 0;
  if (!mounted) return ['not tried: a file system of its own cannot be mounted here'];
  try {
    const scenario = await CrashScenario.start(options.seed ?? 1, [], join(volume, 'studio'));
    const ballast = join(volume, 'ballast');
    const disk: Disk = {
      fill: async () => {
        const { bavail, bsize } = statfsSync(volume);
        takeBytes(ballast, (bavail - Math.floor(scenario.random() * 4)) * bsize);
      },
      makeRoom: async () => rmSync(ballast, { force: true }),
    };
    return await torture('a full file system', scenario, disk, points, () => scenario.open({ quiet: true }));
  } finally {
    spawnSync('umount', ['-l', volume]);
  }
}

/** Takes at most that many bytes; the studio writes at the same time and may be faster. */
function takeBytes(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bytes)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}

async function torture(
  name: string,
  scenario: CrashScenario,
  disk: Disk,
  points: number,
  open: () => Promise<Host>,
): Promise<string[]> {
  const { expected, load } = scenario;
  let kills = 0;
  try {
    let host = await open();
    for (let point = 0; point < points; point += 1) {
      load.startRound(point);
      if (scenario.random() < 0.2) await scenario.randomizeFaults();
      await load.act(host, 2);
      await disk.fill(host);
      expected.log(`--- the disk is full, ${name}`);
      await load.act(host, 3);
      await wait(scenario.random() * FULL_MS);
      if (point % KILL_EVERY === KILL_EVERY - 1) {
        kills += 1;
        await host.kill('SIGKILL');
        await disk.makeRoom(host).catch(() => undefined);
        host = await open();
      } else await disk.makeRoom(host);
      expected.log('--- there is room');
      await load.serveMedia(host, 2);
    }
    const refusals = expected.refusals.get('disk_full') ?? 0;
    if (refusals === 0) throw new Error('The disk was never full for anybody.');
    await scenario.settle(host);
    const first = `${name}: full at ${points} points, ${refusals} calls refused with its sentence, ${kills} kills while full; it went on by itself`;
    return [first, ...summaryLines(await scenario.audit())];
  } finally {
    await scenario.stop();
  }
}
