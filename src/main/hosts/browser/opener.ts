import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Opener } from '../../core/ports.ts';
import { findSystemChromium, QUIET_FLAGS } from '../common/chromium.ts';
import { hasDisplay } from '../common/display.ts';
import { disablePasswordSaving } from './windowProfile.ts';

/** A window that ends sooner than this has failed to open. */
const MIN_WINDOW_LIFETIME_MS = 3_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** Opens addresses in the user's own browser. */
export const systemOpener: Opener = {
  async openExternal(address) {
    const url = new URL(address);
    if (!['http:', 'https:'].includes(url.protocol)) throw new Error('Only http and https addresses are opened.');
    if (!hasDisplay()) throw new Error('There is no display to open a browser on.');
    const [command, ...args] = openCommand(url.href);
    await started(spawn(command, args, { stdio: 'ignore', detached: true }));
  },
  async reveal(file) {
    if (!hasDisplay()) throw new Error('There is no display to show a folder on.');
    const [command, ...args] = revealCommand(file);
    await started(spawn(command, args, { stdio: 'ignore', detached: true }));
  },
};

function revealCommand(file: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', '-R', file];
  if (process.platform === 'win32') return ['explorer', `/select,${file}`];
  return ['xdg-open', path.dirname(file)];
}

function openCommand(url: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

function started(child: ChildProcess): Promise<void> {
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

export interface AppWindow {
  close(): Promise<void>;
}

/**
 * Shows the pages in an app window of Chromium with its own profile, else in the user's browser. `onClosed`: the user closed the app window.
 */
export function openAppWindow(newUrl: () => string, profileDir: string, onClosed: () => void): AppWindow {
  const fallback = () => void systemOpener.openExternal(newUrl()).catch(() => {});
  const chromium = findSystemChromium();
  if (!chromium) {
    fallback();
    return { close: async () => {} };
  }
  disablePasswordSaving(profileDir);
  const openedAt = Date.now();
  const child = spawn(chromium.path, [...QUIET_FLAGS, `--user-data-dir=${profileDir}`, `--app=${newUrl()}`], {
    stdio: 'ignore',
  });
  let closing = false;
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => {
      fallback();
      resolve();
    });
    child.once('exit', () => {
      resolve();
      if (closing) return;
      if (Date.now() - openedAt < MIN_WINDOW_LIFETIME_MS) fallback();
      else onClosed();
    });
  });
  return {
    async close() {
      closing = true;
      child.kill();
      const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
      await gone;
      clearTimeout(kill);
    },
  };
}
