import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { runBrowserHost } from '../browser/start.ts';
import { hasDisplay } from '../common/display.ts';
import { ensureBuilt } from './build.ts';
import { fetchElectron, findElectron } from './electronBinary.ts';
import { runElectron } from './electronRun.ts';
import { type Flags, parseFlags, whyNotInWindow } from './flags.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Starts Dailies: builds what is missing, picks the host and runs it. */
export async function launch(argv: string[]): Promise<void> {
  const parsed = parseFlags(argv);
  if (!parsed.ok) return giveUp(parsed.message, 2);
  try {
    await ensureBuilt(root);
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error), 1);
  }
  const electron = await pickElectron(parsed.flags);
  if (electron === 'missing') return;
  const whyNot = electron && whyNotInWindow(parsed.flags);
  if (whyNot) return giveUp(whyNot, 2);
  if (electron && (await runElectronHost(electron, argv, parsed.flags))) return;
  // The browser host runs in this process: signals and the printed pid are its own.
  const entry = pathToFileURL(join(root, 'out', 'main', 'browser.js')).href;
  const host = (await import(entry)) as { runBrowserHost: typeof runBrowserHost };
  await host.runBrowserHost(parsed.flags);
}

/** Electron's binary if that host is to run; undefined for the browser host; 'missing' if Electron was requested and cannot be had. */
async function pickElectron(flags: Flags): Promise<string | undefined | 'missing'> {
  if (flags.host === 'browser') return undefined;
  let binary = findElectron(root);
  if (!binary) {
    const fetched = await fetchElectron(root);
    binary = findElectron(root);
    if (!binary && flags.host === 'electron') {
      giveUp(`Electron's binary is not here${fetched.ok ? '' : `: ${fetched.reason}`}. Use --host browser.`, 1);
      return 'missing';
    }
    if (!binary) return fallBack(`Electron's binary is not here${fetched.ok ? '' : ` (${fetched.reason})`}`);
  }
  if (flags.host === undefined && !hasDisplay()) return fallBack('There is no display for Electron');
  return binary;
}

function fallBack(why: string): undefined {
  process.stderr.write(`${why}: Dailies runs in the browser host.\n`);
}

/** False if this machine cannot run it, and the browser host takes over. */
async function runElectronHost(binary: string, argv: string[], flags: Flags): Promise<boolean> {
  // Chromium's own sandbox refuses to run as root.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const note = asRoot ? "Started as root: Electron runs without Chromium's sandbox.\n" : '';
  const end = await runElectron(binary, [...(asRoot ? ['--no-sandbox'] : []), root, ...argv], note);
  if ('ended' in end) process.exit(end.ended);
  const why = `Electron cannot run here (${end.reason})`;
  if (flags.host === 'electron') giveUp(`${why}. Use --host browser.`, 1);
  else fallBack(why);
  return flags.host === 'electron';
}

function giveUp(message: string, code: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
