import { app, dialog, Menu, powerMonitor } from 'electron';
import type { Logger, Notifier } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import type { HostSettings } from '../common/settings.ts';
import { bundled } from './bundled.ts';
import { inShort, Leaving, readWork } from './leaving.ts';
import { appMenu } from './menu.ts';
import { createTray } from './tray.ts';
import { keepMainWindow, type MainWindow } from './windows.ts';

/** To count what goes on reads the whole queue, which in a night changes many times a second. */
const TRAY_EVERY_MS = 5_000;

interface DeskParts {
  settings: HostSettings;
  log: Logger;
  notifier: Notifier;
  studio(): Promise<Studio>;
}

/** The window, the menu, the tray, and the ways to leave them. */
export interface Desk {
  window: MainWindow;
  /** From now on an end that the user or the system asks for goes this way. */
  endWith(begin: (code: number) => void): void;
  /** The window closes, and none is opened any more. */
  end(): Promise<void>;
}

export function openDesk({ settings, log, notifier, studio }: DeskParts): Desk {
  let opened: Studio | undefined;
  const tellTray = bundled(systemClock, TRAY_EVERY_MS, async () => {
    const work = opened && tray.isShown() ? await readWork(opened) : null;
    if (work && tray.isShown()) tray.show(inShort(work));
  });
  void studio().then(
    (ready) => {
      opened = ready;
      ready.subscribe(({ type }) => {
        if (tray.isShown() && (type === 'queue.changed' || type === 'night.changed')) tellTray();
      });
    },
    () => {},
  );
  let hasSaid = false;
  const leaving = new Leaving({
    readWork: async () => (opened ? readWork(opened) : null),
    ask: async (question) => {
      const current = window.current();
      // On macOS the question hangs on the window.
      if (current?.isMinimized()) current.restore();
      const asked = current ? dialog.showMessageBox(current, question) : dialog.showMessageBox(question);
      return (await asked).response;
    },
    closeWindow: () => void window.close(),
    goOn(work) {
      const onMac = process.platform === 'darwin';
      if (!onMac) tray.show(inShort(work));
      const way = onMac ? 'from the Dock' : `${tray.isShown() ? 'from the tray, or ' : ''}by starting it once more`;
      const body = `${inShort(work)}. Open it again ${way}.`;
      if (!hasSaid) notifier.notify({ title: 'Dailies goes on without its window', body });
      hasSaid = true;
    },
    quit: () => exits.begin(0),
    staysWithoutWindow: process.platform === 'darwin',
  });
  const quit = () => leaving.quitAsked();
  const tray = createTray(() => window.show(), quit, log);
  Menu.setApplicationMenu(appMenu(quit));
  const exits = watchExits(quit);
  const window = keepMainWindow(settings.own, log, {
    closing: () => void leaving.windowCloses(),
    opened: () => tray.hide(),
    sessionEnds: () => exits.begin(0),
    crashesOn: (load) => void askAfterCrashes(load, quit),
  });
  // Who closes the last window decides; a hidden media window is none that keeps a program.
  app.on('window-all-closed', () => {});
  return {
    window,
    endWith: exits.endWith,
    end: () => window.end(),
  };
}

/** The page crashed again and again. The studio has nothing to do with that. */
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

/** Within ten seconds of a signal it has ended, and the end itself may take some of them. */
const UNANSWERED_MS = 4_000;

/**
 * The ways to the end of an Electron program that do not begin here: its own quit, from the Dock or another program, and the shutdown of
 * the system. A quit asks as the menu does. A shutdown asks nobody: what can end at once ends, then the program. On Linux a quit may be
 * a signal that Electron has taken, with nobody there to answer: unanswered it ends in order.
 */
function watchExits(quitAsked: () => Promise<void>) {
  // While the studio still opens there is nothing to put in order.
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
    void quitAsked().finally(cancel);
  });
  powerMonitor.on('shutdown', ((event?: { preventDefault(): void }) => {
    isShuttingDown = true;
    event?.preventDefault();
    begin(0);
  }) as () => void);
  return {
    begin,
    endWith(next: (code: number) => void) {
      end = next;
    },
  };
}
