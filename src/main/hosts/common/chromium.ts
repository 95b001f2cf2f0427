import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Chromium {
  path: string;
  /** Additional environment variables of its process. */
  env: Record<string, string>;
  /** False for the npm package's browser, which opens no windows. */
  windows: boolean;
}

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge-stable'];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_APPS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
/** Chromium as an npm package, for machines that have none (linux-x64). */
const PACKAGE = '@sparticuz/chromium';

/** `CHROME_PATH`, then a system browser, then the npm package's; null if there is none. */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<Chromium | null> {
  return findSystemChromium(env) ?? (await unpackChromium());
}

/** A browser that can open a window. `DAILIES_SYSTEM_BROWSER=off` leaves only `CHROME_PATH`. */
export function findSystemChromium(env: NodeJS.ProcessEnv = process.env): Chromium | null {
  const usual = env.DAILIES_SYSTEM_BROWSER === 'off' ? [] : usualPlaces(env);
  const path = [env.CHROME_PATH, ...usual].find((place) => place && isExecutable(place));
  return path ? { path, env: {}, windows: true } : null;
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') return MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  if (process.platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return roots.flatMap((root) => WINDOWS_APPS.map((app) => join(root, app)));
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the package's browser once for this checkout. */
async function unpackChromium(): Promise<Chromium | null> {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(PACKAGE);
  } catch {
    return null;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const home = dirname(dirname(entry));
  const { version } = require(join(home, 'package.json')) as { version: string };
  const folder = join(home, '..', '..', '.cache', 'dailies', `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, home, entry);
  const hasFonts = existsSync('/etc/fonts');
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      ...(hasFonts ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') }),
    },
    windows: false,
  };
}

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];

/** Unpacked elsewhere and renamed, so that a concurrent start never sees an incomplete browser. */
async function unpackInto(folder: string, home: string, entry: string): Promise<void> {
  const next = `${folder}.next-${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  const { inflate } = (await import(pathToFileURL(entry).href)) as { inflate(path: string): Promise<string> };
  // The package unpacks into the temporary folder, which it looks up at each call.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = next;
  const unpacking = ARCHIVES.map((archive) => inflate(join(home, 'bin', archive)));
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await Promise.all(unpacking);
  writeFileSync(join(next, 'fonts.conf'), fontsConf(join(folder, 'fonts', 'fonts')));
  try {
    renameSync(next, folder);
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

const fontsConf = (folder: string) =>
  `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${folder}</dir></fontconfig>\n`;

/** Flags for every start: no network requests except the page's own, and no first-run pages. */
export const QUIET_FLAGS: readonly string[] = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--no-pings',
  // Chromium's own sandbox refuses to run as root.
  ...(process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
