import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoginItem } from '../../../core/ports.ts';

/** What the system starts Dailies with at login: it works in the tray, without a window. */
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
  /** The user's home folder. */
  home: string;
  /** This program, where it is no AppImage. */
  program: string;
}

/** Undefined for a copy that is not installed: the system would start Electron without a program. */
export function createLoginItem(app: LoginApp, system: LoginSystem): LoginItem | undefined {
  if (!app.isPackaged) return undefined;
  if (system.platform === 'linux') return autostartFile(system);
  if (system.platform !== 'darwin' && system.platform !== 'win32') return undefined;
  return {
    isOn: () => app.getLoginItemSettings({ args: [AT_LOGIN] }).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [AT_LOGIN] }),
  };
}

/** Whether the system has started this run at login. A Mac passes no arguments, and says so itself. */
export const isOpenedAtLogin = (app: LoginApp, argv: readonly string[], platform: NodeJS.Platform): boolean =>
  argv.includes(AT_LOGIN) ||
  (platform === 'darwin' && app.getLoginItemSettings({ args: [AT_LOGIN] }).wasOpenedAtLogin === true);

/** Desktops of Linux start what lies in the folder for it (Desktop Application Autostart Specification 0.5). */
function autostartFile({ env, home, program }: LoginSystem): LoginItem {
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'dailies.desktop');
  const text = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Dailies',
    `Exec=${quoted(env.APPIMAGE || program)} ${AT_LOGIN}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
  return {
    isOn: () => {
      const there = readIfThere(file);
      // The user, or a settings program, may have switched it off in the file itself.
      return there !== undefined && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(there);
    },
    set(open) {
      if (!open) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * A path as an argument of `Exec` (Desktop Entry Specification 1.5, "The Exec key"): its quotes and its percent signs, then the backslashes of
 * the string itself.
 */
const quoted = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
