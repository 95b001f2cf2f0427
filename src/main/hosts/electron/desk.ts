import { app, dialog, Menu, powerMonitor } from 'electron';
import type { Logger, Notifier } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import type { HostSettings } from '../common/settings.ts';
import { inShort, Leaving, readWork } from './leaving.ts';
import { appMenu } from './menu.ts';
import { createTray } from './tray.ts';
import { keepMainWindow, type MainWindow } from './windows.ts';

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
  /** No window is opened any more. */
  end(): void;
}

export function openDesk({ settings, log, notifier, studio }: DeskParts): Desk {
  let opened: Studio | undefined;
  const tellTray = async () => {
    const work = opened && tray.isShown() ? await readWork(opened).catch(() => null) : null;
    if (work && tray.isShown()) tray.show(inShort(work));
  };
  void studio().then(
    (ready) => {
      opened = ready;
      ready.subscribe(({ type }) => {
        if (type === 'queue.changed' || type === 'night.changed') void tellTray();
      });
    },
    () => {},
  );
  let hasSaid = false;
  const leaving = new Leaving({
    readWork: async () => (opened ? readWork(opened) : null),
    ask: async (question) => {
      const current = window.current();
      const asked = current ? dialog.showMessageBox(current, question) : dialog.showMessageBox(question);
      return (await asked).response;
    },
    closeWindow: () => window.close(),
    goOn(work) {
      const body = `${inShort(work)}. Open it again from the tray, or by starting it once more.`;
      if (!hasSaid) notifier.notify({ title: 'Dailies goes on without its window', body });
      hasSaid = true;
      // On macOS the Dock is the way back.
      if (process.platform !== 'darwin') tray.show(inShort(work));
    },
    quit: () => app.quit(),
    staysWithoutWindow: process.platform === 'darwin',
  });
  const quit = () => void leaving.quitAsked();
  const tray = createTray(() => window.show(), quit);
  Menu.setApplicationMenu(appMenu(quit));
  // While the studio still opens there is nothing to put in order.
  let end = (code: number) => app.exit(code);
  endWithApp((code) => end(code));
  const window = keepMainWindow(settings.own, log, {
    closing: () => void leaving.windowCloses(),
    opened: () => tray.hide(),
    sessionEnds: () => end(0),
    crashesOn: (load) => void askAfterCrashes(load, quit),
  });
  // Who closes the last window decides; a hidden media window is none that keeps a program.
  app.on('window-all-closed', () => {});
  return {
    window,
    endWith(begin) {
      end = begin;
    },
    end: () => window.end(),
  };
}

/** The page crashed again and again. The studio has nothing to do with that. */
async function askAfterCrashes(load: () => void, quit: () => void): Promise<void> {
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

/**
 * Every way to the end of an Electron program: its own quit, which a signal becomes on POSIX, and the shutdown of the system. None of
 * them asks any more; what can end at once ends, then the program.
 */
function endWithApp(begin: (code: number) => void): void {
  let begun = false;
  const end = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (!begun) begin(0);
    begun = true;
  };
  app.on('before-quit', end);
  powerMonitor.on('shutdown', ((event?: { preventDefault(): void }) => {
    if (event) end(event);
    else begin(0);
  }) as () => void);
}
