import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Host } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import type { TortureOptions } from './options.ts';
import { Ordeal, tell } from './ordeal.ts';

/**
 * The disk is full at 200 points of a mixed load, as SQLite meets it (`max_page_count`), and at 40 more for everything that writes (a file
 * system of its own, filled to the last byte). What was acknowledged stays, a refusal says why, nothing is sent without its intent, and
 * with room it goes on by itself, without a restart.
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
  const ordeal = await Ordeal.start(options.seed ?? 1, options.short ? ['--video', 'immediate'] : []);
  const socketPath = join(tempDir('torture-probe'), 'socket');
  const probe = pathToFileURL(join(import.meta.dirname, 'programs', 'diskProbe.ts')).href;
  const env = { NODE_OPTIONS: `--import ${probe}`, DISK_PROBE: socketPath };
  const say = (line: string) => tellProbe(socketPath, line);
  const disk: Disk = {
    fill: () => say(String(Math.floor(ordeal.random() * 4))),
    makeRoom: () => say('room'),
  };
  const open = async () => {
    rmSync(socketPath, { force: true });
    return ordeal.open({ env, quiet: true });
  };
  return torture('max_page_count', ordeal, disk, points, open);
}

async function tellProbe(path: string, line: string): Promise<void> {
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  socket.write(`${line}\n`);
  await once(socket, 'data');
  socket.destroy();
}

/** Downloads leave the last 32 MB to the database; there is to be room for them when there is room. */
const VOLUME_BYTES = 256 * 1024 * 1024;

/** Where this user may mount one: a file system in memory, and a file that takes what is left of it. */
export async function runVolume(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const points = options.short ? SHORT_POINTS : (options.kills ?? VOLUME_POINTS);
  const volume = tempDir('torture-volume');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${VOLUME_BYTES}`, 'tmpfs', volume]).status === 0;
  if (!mounted) return ['not tried: a file system of its own cannot be mounted here'];
  try {
    const ordeal = await Ordeal.start(options.seed ?? 1, [], join(volume, 'studio'));
    const ballast = join(volume, 'ballast');
    const disk: Disk = {
      fill: async () => {
        const { bavail, bsize } = statfsSync(volume);
        takeBytes(ballast, (bavail - Math.floor(ordeal.random() * 4)) * bsize);
      },
      makeRoom: async () => rmSync(ballast, { force: true }),
    };
    return await torture('a full file system', ordeal, disk, points, () => ordeal.open({ quiet: true }));
  } finally {
    spawnSync('umount', ['-l', volume]);
  }
}

/** Up to so many; the studio writes meanwhile, and may have been faster. */
function takeBytes(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bytes)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}

async function torture(
  name: string,
  ordeal: Ordeal,
  disk: Disk,
  points: number,
  open: () => Promise<Host>,
): Promise<string[]> {
  const { diary, load } = ordeal;
  let kills = 0;
  try {
    let host = await open();
    for (let point = 0; point < points; point += 1) {
      load.begin(point);
      if (ordeal.random() < 0.2) await ordeal.someFaults();
      await load.act(host, 2);
      await disk.fill(host);
      diary.write(`--- the disk is full, ${name}`);
      await load.act(host, 3);
      await wait(ordeal.random() * FULL_MS);
      if (point % KILL_EVERY === KILL_EVERY - 1) {
        kills += 1;
        await host.kill('SIGKILL');
        await disk.makeRoom(host).catch(() => undefined);
        host = await open();
      } else await disk.makeRoom(host);
      diary.write('--- there is room');
      await load.serveMedia(host, 2);
    }
    const refusals = diary.refusals.get('disk_full') ?? 0;
    await ordeal.settle(host);
    const first = `${name}: full at ${points} points, ${refusals} calls refused with its sentence, ${kills} kills while full; it went on by itself`;
    return [first, ...tell(await ordeal.audit())];
  } finally {
    await ordeal.stop();
  }
}
