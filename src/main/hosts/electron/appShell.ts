import { app, dialog, Menu, powerMonitor } from 'electron';
import type { Logger, Notifier } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import type { HostSettings } from '../common/settings.ts';
import { appMenu } from './menu.ts';
import { QuitFlow, readActiveWork, summaryOf } from './quitFlow.ts';
import { throttled } from './throttled.ts';
import { createTray } from './tray.ts';
import { type MainWindow, manageMainWindow } from './windows.ts';

/** Counting active work reads the whole queue, which changes many times a second during a night. */
const TRAY_EVERY_MS = 5_000;

interface AppShellDeps {
  settings: HostSettings;
  log: Logger;
  notifier: Notifier;
  studio(): Promise<Studio>;
}

/** The window, the menu, the tray, and the ways to quit. */
export interface AppShell {
  window: MainWindow;
  /** From now on, quits by the user or the system run this shutdown. */
  setShutdown(begin: (code: number) => void): void;
  /** Closes the window and opens no more. */
  end(): Promise<void>;
}

export function openAppShell({ settings, log, notifier, studio }: AppShellDeps): AppShell {
  let opened: Studio | undefined;
  const updateTray = throttled(systemClock, TRAY_EVERY_MS, async () => {
    const work = opened && tray.isShown() ? await readActiveWork(opened) : null;
    if (work && tray.isShown()) tray.show(summaryOf(work));
  });
  void studio().then(
    (ready) => {
      opened = ready;
      ready.subscribe(({ type }) => {
        if (tray.isShown() && (type === 'queue.changed' || type === 'night.changed')) updateTray();
      });
    },
    () => {},
  );
  let hasNotified = false;
  const quitFlow = new QuitFlow({
    readActiveWork: async () => (opened ? readActiveWork(opened) : null),
    ask: async (question) => {
      const current = window.current();
      // On macOS the question is attached to the window.
      if (current?.isMinimized()) current.restore();
      const asked = current ? dialog.showMessageBox(current, question) : dialog.showMessageBox(question);
      return (await asked).response;
    },
    closeWindow: () => void window.close(),
    continueInBackground(work) {
      const onMac = process.platform === 'darwin';
      if (!onMac) tray.show(summaryOf(work));
      const way = onMac ? 'from the Dock' : `${tray.isShown() ? 'from the tray, or ' : ''}by starting it once more`;
      const body = `${summaryOf(work)}. Open it again ${way}.`;
      if (!hasNotified) notifier.notify({ title: 'Dailies goes on without its window', body });
      hasNotified = true;
    },
    quit: () => exits.begin(0),
    staysWithoutWindow: process.platform === 'darwin',
  });
  const quit = () => quitFlow.quitRequested();
  const tray = createTray(() => window.show(), quit, log);
  Menu.setApplicationMenu(appMenu(quit));
  const exits = watchExits(quit);
  const window = manageMainWindow(settings.own, log, {
    closing: () => void quitFlow.windowClosed(),
    opened: () => tray.hide(),
    sessionEnds: () => exits.begin(0),
    crashesOn: (load) => void askAfterCrashes(load, quit),
  });
  // The quit flow decides when the last window closes; a hidden media window keeps no program running.
  app.on('window-all-closed', () => {});
  return {
    window,
    setShutdown: exits.setShutdown,
    end: () => window.end(),
  };
}

/** Asks what to do when the page crashes repeatedly; the studio is not affected. */
async function askAfterCrashes(load: () => void, quit: () => unknown): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The page of Dailies crashed several times within a minute.',
    detail: 'What runs goes on without it.',
    buttons: ['Load it again', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 0) load();
  else quit();
}

/** The process must end within ten seconds of a signal, shutdown included. */
const UNANSWERED_MS = 4_000;

/**
 * Ways in which an Electron program ends from outside: a quit from the Dock or another program, and a system shutdown. A quit asks like
 * the menu's. A system shutdown asks nobody: what can end at once ends, then the program. On Linux a quit may be a signal that Electron
 * intercepted, with nobody there to answer: without an answer it shuts down in order.
 */
function watchExits(quitRequested: () => Promise<void>) {
  // While the studio is still opening there is nothing to shut down.
  let end = (code: number) => app.exit(code);
  let hasBegun = false;
  let isShuttingDown = false;
  const begin = (code: number) => {
    if (!hasBegun) end(code);
    hasBegun = true;
  };
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (hasBegun || isShuttingDown) return begin(0);
    const cancel = process.platform === 'linux' ? systemClock.after(UNANSWERED_MS, () => begin(0)) : () => {};
    void quitRequested().finally(cancel);
  });
  powerMonitor.on('shutdown', ((event?: { preventDefault(): void }) => {
    isShuttingDown = true;
    event?.preventDefault();
    begin(0);
  }) as () => void);
  return {
    begin,
    setShutdown(next: (code: number) => void) {
      end = next;
    },
  };
}
