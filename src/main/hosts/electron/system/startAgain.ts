import { type Opened, wordsOpening } from './opened.ts';

interface StartAgain {
  /** Of this run. */
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Whether this run installs an update at its end, which must find the program closed. */
  installs: () => Promise<boolean>;
  /** Electron's `app.relaunch`: starts the program once this process is gone. */
  relaunch(options: { args: string[]; execPath?: string }): void;
}

/**
 * Makes up for a start that comes while this run ends: it finds the data folder busy and leaves, and no window is shown any more. Clicked
 * several times, the icon starts it once.
 */
export function startAgainBy({
  argv,
  env,
  installs,
  relaunch,
}: StartAgain): (opened: Opened | undefined) => Promise<void> {
  let isStarted = false;
  return async (opened) => {
    if ((await installs()) || (isStarted && !opened)) return;
    isStarted = true;
    // An AppImage is unpacked for this run alone.
    const program = env.APPIMAGE ? { execPath: env.APPIMAGE } : {};
    relaunch({ args: wordsOpening(opened, argv), ...program });
  };
}
