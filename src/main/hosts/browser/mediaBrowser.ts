import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { findChromium, QUIET_FLAGS } from '../common/chromium.ts';
import type { MediaWorker } from '../common/mediaWorkerSupervisor.ts';

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens the media page in a headless Chromium, controlled over a pipe: it ends with this process in any case, and the address with its
 * ticket is on no command line.
 */
export async function startMediaBrowser(url: string, profileDir: string): Promise<MediaWorker | null> {
  const chromium = await findChromium();
  if (!chromium) return null;
  rmSync(profileDir, { recursive: true, force: true });
  const flags = [
    ...QUIET_FLAGS,
    `--user-data-dir=${profileDir}`,
    '--headless=new',
    '--disable-gpu',
    '--mute-audio',
    '--remote-debugging-pipe',
  ];
  const child = spawn(chromium.path, [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...chromium.env },
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const commands = child.stdio[3] as Writable;
  // A browser that died closes the pipe; `gone` reports it.
  commands.on('error', () => {});
  send(commands, 1, 'Target.setDiscoverTargets', { discover: true });
  send(commands, 2, 'Target.createTarget', { url });
  watchForCrash(child);
  return { gone, stop: () => stop(child, commands, gone) };
}

/** Sends a Chrome DevTools Protocol command, terminated by a zero byte. */
function send(commands: Writable, id: number, method: string, params: Record<string, unknown> = {}): void {
  commands.write(`${JSON.stringify({ id, method, params })}\0`);
}

/** A crashed page leaves an idle browser, which is ended so that another can start. */
function watchForCrash(child: ChildProcess): void {
  child.stdio[4]?.on('data', (bytes: Buffer) => {
    if (bytes.includes('"Target.targetCrashed"')) child.kill('SIGKILL');
  });
}

async function stop(child: ChildProcess, commands: Writable, gone: Promise<void>): Promise<void> {
  send(commands, 3, 'Browser.close');
  const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await gone;
  clearTimeout(kill);
}
