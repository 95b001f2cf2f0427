import { app, type BrowserWindow, dialog, Menu, powerMonitor, shell, type WebContents } from 'electron';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import type { HostEvent, HostPlace } from '../../../shared/contract/hostEvents.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Logger, Notifier } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import type { HostSettings } from '../common/settings.ts';
import { menuTemplate, type RecentProject, recentItems } from './menu.ts';
import { askAfterCrashes, askWhileHanging } from './pageFaults.ts';
import { type ActiveWork, type QuitDialog, QuitFlow, readActiveWork, summaryOf } from './quitFlow.ts';
import { attachContextMenu } from './system/attachContextMenu.ts';
import { PageInbox } from './system/pageInbox.ts';
import { followRecentProjects } from './system/recentProjects.ts';
import { showSigns } from './system/showSigns.ts';
import { checksSpelling } from './system/spelling.ts';
import { throttled } from './throttled.ts';
import { createTray, type TrayIcon, type TrayWork } from './tray.ts';
import { type MainWindow, manageMainWindow, type WindowOptions } from './windows.ts';

/** Counting active work reads the whole queue, which changes many times a second. */
const TRAY_EVERY_MS = 5_000;

interface AppShellDeps {
  dataDir: string;
  settings: HostSettings;
  log: Logger;
  notifier: Notifier;
  /** The system opened it at login: it stays in the tray until the user opens its window. */
  startsHidden: boolean;
  studio(): Promise<Studio>;
}

/** The window, the menus, the tray, and the ways to quit. */
export interface AppShell {
  window: MainWindow;
  /** Brings the window to the front and sends the event to its page once that listens. */
  ask(event: HostEvent): void;
  /** This page has painted, and listens. */
  painted(contents: WebContents): void;
  /** Shuts down in order, without asking. */
  quitNow(): void;
  /** From now on, quits by the user or the system run this shutdown. */
  setShutdown(begin: (code: number) => void): void;
  /** Closes the window and opens no more. */
  end(): Promise<void>;
}

const trayWork = (work: ActiveWork): TrayWork => ({ summary: summaryOf(work), hasNight: work.night !== null });

export function openAppShell({ dataDir, settings, log, notifier, startsHidden, studio }: AppShellDeps): AppShell {
  let opened: Studio | undefined;
  const inbox = new PageInbox((event) => window.current()?.webContents.send('studio:event', event));
  const ask = (event: HostEvent) => {
    window.show();
    inbox.post(event);
  };
  const go = (place: HostPlace) => ask({ type: 'host.go', place });
  const quitFlow = new QuitFlow({
    readActiveWork: async () => (opened ? readActiveWork(opened) : null),
    ask: (question) => askAbove(window.current(), question),
    closeWindow: () => void window.close(),
    continueInBackground: (work) => inBackground(work),
    quit: () => exits.begin(0),
    staysWithoutWindow: process.platform === 'darwin',
  });
  const quit = () => quitFlow.quitRequested();
  const tray = createTray({ open: () => window.show(), go, quit }, log);
  const inBackground = backgroundNote(tray, notifier);
  const showMenus = (recent: RecentProject[]) => {
    const openProject = (id: string) => ask({ type: 'host.show', thing: 'project', id });
    const showDataFolder = () => void shell.openPath(dataDir);
    const parts = { platform: process.platform, recent, go, openProject, showDataFolder, quit };
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(parts)));
    app.dock?.setMenu(Menu.buildFromTemplate(recentItems(parts)));
  };
  showMenus([]);
  const exits = watchExits(quit);
  let signs: ReturnType<typeof showSigns> | undefined;
  const window = manageMainWindow(windowOptions(settings, startsHidden), log, {
    closing: () => void quitFlow.windowClosed(),
    opened(shown) {
      tray.hide();
      attachContextMenu(shown, () => opened);
      shown.once('ready-to-show', () => signs?.refresh());
    },
    pageLeft: () => inbox.left(),
    sessionEnds: () => exits.begin(0),
    crashesOn: (load) => void askAfterCrashes(window.current(), load, quit),
    hangs: (load, over) => void askWhileHanging(window.current(), load, over),
  });
  // The quit flow decides when the last window closes; a hidden media window keeps no program running.
  app.on('window-all-closed', () => {});
  const whenOpen = (ready: Studio) => {
    opened = ready;
    if (startsHidden && !window.current()) void showInTray(ready, tray);
    updateTray(ready, tray);
    followRecentProjects(ready, settings.convenient, showMenus);
    signs = showSigns(ready, () => window.current());
  };
  void studio().then(whenOpen, () => {});
  return {
    window,
    ask,
    painted: (contents) => {
      if (contents === window.current()?.webContents) inbox.painted();
    },
    quitNow: () => exits.begin(0),
    setShutdown: exits.setShutdown,
    end: () => window.end(),
  };
}

/** On macOS the question is attached to the window. */
async function askAbove(window: BrowserWindow | undefined, question: QuitDialog): Promise<number> {
  if (window?.isMinimized()) window.restore();
  const asked = window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question);
  return (await asked).response;
}

const windowOptions = ({ convenient: file }: HostSettings, startsHidden: boolean): WindowOptions => ({
  file,
  startsHidden,
  checksSpelling: () => checksSpelling(file.get('settings'), process.platform),
});

/** A Mac has the Dock instead. */
async function showInTray(studio: Studio, tray: TrayIcon): Promise<void> {
  const work = process.platform === 'darwin' ? null : await readActiveWork(studio);
  if (work) tray.show(trayWork(work));
}

/** Keeps the tooltip up to date. */
function updateTray(studio: Studio, tray: TrayIcon): void {
  const update = throttled(systemClock, TRAY_EVERY_MS, async () => {
    const work = tray.isShown() ? await readActiveWork(studio) : null;
    if (work && tray.isShown()) tray.show(trayWork(work));
  });
  studio.subscribe((event) => {
    if (tray.isShown() && changesWork(event)) update();
  });
}

/** An export reports each percent; the text changes only at its start and end. */
function changesWork(event: StudioEvent): boolean {
  if (event.type === 'export.changed') return event.export.state !== 'running' || event.export.progress === 0;
  return event.type === 'queue.changed' || event.type === 'night.changed';
}

/** Tells the user once that Dailies goes on in the background, and how to get back. */
function backgroundNote(tray: TrayIcon, notifier: Notifier): (work: ActiveWork) => void {
  let hasNotified = false;
  return (work) => {
    if (process.platform !== 'darwin') tray.show(trayWork(work));
    const body = t`Still running: ${summaryOf(work)}. Start Dailies again to open it.`;
    if (!hasNotified) notifier.notify({ title: t`Dailies keeps running without its window`, body });
    hasNotified = true;
  };
}

/** The process must end within ten seconds of a signal, shutdown included. */
const UNANSWERED_MS = 4_000;

/**
 * Exits from outside: a quit by the Dock or another program, and a system shutdown. A quit asks like the menu's. A system shutdown asks
 * nobody. On Linux a quit may be a signal that Electron intercepted, with nobody there to answer: without an answer it shuts down in order.
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
