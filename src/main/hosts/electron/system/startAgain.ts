import { type Opened, wordsOpening } from './opened.ts';

interface StartAgain {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Whether this run installs an update at its end, which must find the program closed. */
  installs: () => Promise<boolean>;
  /** Electron's `app.relaunch`: starts the program once this process is gone. */
  relaunch(options: { args: string[]; execPath?: string }): void;
}

/**
 * Restarts the program if somebody started it while this run was ending: that start found the data folder busy and left. Several clicks
 * restart it once.
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
    // An AppImage is unpacked for this run only.
    const program = env.APPIMAGE ? { execPath: env.APPIMAGE } : {};
    relaunch({ args: wordsOpening(opened, argv), ...program });
  };
}
