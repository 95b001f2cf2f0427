import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { findChromium, QUIET_FLAGS } from '../common/chromium.ts';
import type { MediaWorker } from '../common/mediaWorkerSupervisor.ts';
import { type DevtoolsPipe, devtoolsPipe, PIPE_FLAG, PIPES } from './devtoolsPipe.ts';

/** The browser is killed after this time. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Opens the media page in a headless Chromium. It is controlled over a pipe, so the address with its ticket appears on no command line. */
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
    PIPE_FLAG,
  ];
  const child = spawn(chromium.path, [...flags, 'about:blank'], {
    stdio: [...PIPES],
    env: { ...process.env, ...chromium.env },
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const pipe = devtoolsPipe(child);
  pipe.send(1, 'Target.setDiscoverTargets', { discover: true });
  pipe.send(2, 'Target.createTarget', { url });
  watchForCrash(child);
  return { gone, stop: () => stop(child, pipe, gone) };
}

/** A crashed page leaves an idle browser: it is ended, so that another can be started. */
function watchForCrash(child: ChildProcess): void {
  child.stdio[4]?.on('data', (bytes: Buffer) => {
    if (bytes.includes('"Target.targetCrashed"')) child.kill('SIGKILL');
  });
}

async function stop(child: ChildProcess, pipe: DevtoolsPipe, gone: Promise<void>): Promise<void> {
  pipe.send(3, 'Browser.close');
  const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await gone;
  clearTimeout(kill);
}
