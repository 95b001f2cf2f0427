import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoginItem } from '../../../core/ports.ts';

/** The argument of a start at login: Dailies opens in the tray. */
export const AT_LOGIN = '--at-login';

/** The parts of Electron's `app` that this needs; both exist on macOS and Windows. */
export interface LoginApp {
  isPackaged: boolean;
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean; wasOpenedAtLogin?: boolean };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}

export interface LoginSystem {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** This program, unless it is an AppImage. */
  program: string;
  /** The absolute path given by `--data-dir`; absent for the default folder. */
  dataDir?: string | undefined;
}

/**
 * Undefined for a copy that is not installed, where the system would start Electron without a program, and on a Mac with another data
 * folder, which no argument could pass on.
 */
export function createLoginItem(app: LoginApp, system: LoginSystem): LoginItem | undefined {
  const { platform, dataDir } = system;
  if (!app.isPackaged) return undefined;
  if (platform === 'linux') return autostartFile(system);
  if (platform !== 'win32' && (platform !== 'darwin' || dataDir !== undefined)) return undefined;
  const args = dataDir === undefined ? [AT_LOGIN] : [AT_LOGIN, quotedForWindows(dataDir)];
  return {
    isOn: () => app.getLoginItemSettings({ args }).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
  };
}

const DATA_DIR = '--data-dir=';

/** Electron joins the arguments with spaces. A backslash before the last quote would escape it. */
const quotedForWindows = (dataDir: string): string => `${DATA_DIR}"${dataDir}${dataDir.endsWith('\\') ? '\\' : ''}"`;

/** Whether the system started this run at login. A Mac passes no argument, but tells. */
export const isOpenedAtLogin = (app: LoginApp, argv: readonly string[], platform: NodeJS.Platform): boolean =>
  argv.includes(AT_LOGIN) ||
  (platform === 'darwin' && app.getLoginItemSettings({ args: [AT_LOGIN] }).wasOpenedAtLogin === true);

/** Linux desktops start the files in the autostart folder (Desktop Application Autostart Specification 0.5). */
function autostartFile({ env, home, program, dataDir }: LoginSystem): LoginItem {
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'dailies.desktop');
  const ownFolder = dataDir === undefined ? '' : ` ${quoted(`${DATA_DIR}${dataDir}`)}`;
  const text = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Dailies',
    `Exec=${quoted(env.APPIMAGE || program)} ${AT_LOGIN}${ownFolder}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
  return {
    isOn: () => {
      const there = readIfThere(file);
      // The user, or a settings program, may have switched it off in the file.
      return isFor(there, ownFolder) && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(there);
    },
    set(open) {
      if (!open) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
  };
}

/** Whether it opens this data folder and not another one. */
const isFor = (there: string | undefined, ownFolder: string): there is string =>
  there !== undefined && (ownFolder === '' ? !there.includes(DATA_DIR) : there.includes(ownFolder));

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * A path as an argument of `Exec` (Desktop Entry Specification 1.5, "The Exec key"): escapes quotes and percent signs, then the backslashes
 * of the string.
 */
const quoted = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
