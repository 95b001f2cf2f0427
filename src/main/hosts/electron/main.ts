import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, session } from 'electron';
import ElectronStore from 'electron-store';
import type { UpdateState } from '../../../shared/contract/appCalls.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { startProcessesBy } from '../../core/workers/index.ts';
import { systemClock } from '../common/clock.ts';
import { type DataFolder, takeDataFolder } from '../common/dataDir.ts';
import { restrictExistingFiles, restrictNewFiles } from '../common/filePermissions.ts';
import { createLogger } from '../common/logger.ts';
import { createMigrationPage, type MigrationPage } from '../common/migrationPage.ts';
import { openPages } from '../common/pages.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../common/settings.ts';
import { createShutdown, endedAll, SHUTDOWN_SIGNALS } from '../common/shutdown.ts';
import { refusalCode } from '../launch/electronRun.ts';
import { type Flags, knownFlags, parseFlags, whyNotInWindow } from '../launch/flags.ts';
import { type AppShell, openAppShell } from './appShell.ts';
import { refuseDownloads, saveDownloads } from './downloads.ts';
import { endWithError, sentenceOf } from './fatal.ts';
import { refuseForeignPages, refusePermissions } from './harden.ts';
import { type CallObserver, sendEvents, serveCalls } from './ipc.ts';
import { createElectronMedia } from './media.ts';
import { systemNetwork } from './network/systemNetwork.ts';
import { createNotifier, type NotifiedAbout } from './notifications.ts';
import { openStudio } from './openStudio.ts';
import { MEDIA_SCHEME } from './origin.ts';
import { serveOutside } from './outside.ts';
import { recheckOnResume } from './power.ts';
import { registerSchemes, serveSchemes } from './protocols.ts';
import { refusalOf, windowFolderOf } from './soleInstance.ts';
import { DraggedFiles } from './system/draggedFiles.ts';
import { dragCalls } from './system/dragOut.ts';
import { isOpenedAtLogin } from './system/loginItem.ts';
import { collectOpened } from './system/openThings.ts';
import { startAgainBy } from './system/startAgain.ts';
import { type Survival, surviveCrashes } from './system/survive.ts';
import { openUpdater } from './updates/updater.ts';
import { startInUtility } from './utilityProcesses.ts';
import { mediaSession } from './windows.ts';

/** The keychain entry has the app's name, so it is set before anything is encrypted. */
const APP_NAME = 'Dailies';
/** Windows groups windows and notifications by it. */
const APP_ID = 'studio.dailies.app';
/** The class that Windows starts when a notification is clicked. Without a fixed one, old notifications do nothing. */
const TOAST_ACTIVATOR = '{4E1B7C52-6D0A-4B3F-9A2E-7C51D08E94B6}';

/**
 * The Electron host: windows around the studio. Errors of the start are reported before a window opens. Everything up to `ready` happens in
 * this turn: Electron becomes ready only after this module's import has settled.
 */
function main(): void {
  app.setName(APP_NAME);
  // Both exist on Windows only.
  app.setAppUserModelId?.(APP_ID);
  app.setToastActivatorCLSID?.(TOAST_ACTIVATOR);
  const parsed = parseFlags(knownFlags(process.argv));
  const refusal = parsed.ok ? whyNotInWindow(parsed.flags) : parsed.message;
  if (!parsed.ok || refusal !== undefined) return void endWithError(refusal ?? '', 2);
  restrictNewFiles();
  const taken = takeDataFolder(parsed.flags.dataDir);
  if (taken.ok) mkdirSync(windowFolderOf(taken.folder.path), { recursive: true, mode: 0o700 });
  const refused = refusalOf(taken, isOnlyInstance);
  if (refused?.isShownByOther) return yieldToOther(refused.message);
  if (!taken.ok || refused) {
    // Releases the folder, which another start may take while the dialog is open.
    if (taken.ok) taken.folder.release();
    return void endWithError(refused?.message ?? '', 1);
  }
  // It would undo `--no-sandbox`, without which nothing starts as root.
  if (!process.argv.includes('--no-sandbox')) app.enableSandbox();
  registerSchemes();
  refuseForeignPages();
  const given: RunParts = {
    folder: taken.folder,
    flags: parsed.flags,
    survival: surviveCrashes(taken.folder.path, windowFolderOf(taken.folder.path), systemClock.now),
    opened: collectOpened(process.argv, process.cwd()),
  };
  process.on('uncaughtException', exitOnError);
  app
    .whenReady()
    .then(() => run(given))
    .catch((error: unknown) => endWithError(sentenceOf(error), 1));
}

/** Used until the studio is open and has its own shutdown. */
const exitOnError = (error: Error): void => void endWithError(sentenceOf(error), 1);

function isOnlyInstance(windowFolder: string): boolean {
  if (!existsSync(windowFolder)) return true;
  app.setPath('userData', windowFolder);
  return app.requestSingleInstanceLock();
}

const startAgain = (installs: () => Promise<boolean>) =>
  startAgainBy({
    argv: process.argv,
    env: process.env,
    installs,
    relaunch: (options) => app.relaunch(options),
  });

function yieldToOther(message: string): void {
  process.stderr.write(`${message}\n`);
  app.exit(refusalCode(1));
}

interface RunParts {
  folder: DataFolder;
  flags: Flags;
  survival: Survival;
  opened: ReturnType<typeof collectOpened>;
}

async function run({ folder, flags, survival, opened }: RunParts): Promise<void> {
  restrictExistingFiles(folder.path);
  const log = createLogger(folder.path);
  const settings = openSettings(folder.path, () => openStore(folder.path), systemClock.now, log);
  survival.watch(log);
  const notifier = createNotifier((about) => showNotified(desk, about));
  startProcessesBy(startInUtility);
  const network = systemNetwork(session.defaultSession, systemClock, log);
  const updater = openUpdater({ settings, network, log, quit: () => desk.quitNow() });
  // The pages render while the studio opens: their first calls wait for it.
  const migration = createMigrationPage(folder.path);
  const opening = openStudio({
    dataDir: folder.path,
    flags,
    settings,
    log,
    notifier,
    onMigration: migration.onStep,
    hostFacts: () => survival.facts(),
    network,
    updater,
  });
  void opening.then(migration.end, migration.end);
  recheckOnResume(systemClock);
  const media = createElectronMedia();
  serveSessions(() => opening, migration, log);
  const observer: CallObserver = {
    isWorker: media.isWorker,
    called(sender, name, result) {
      media.called(sender, name, result);
      if (name === 'app.painted') desk.painted(sender);
    },
  };
  const dragged = new DraggedFiles(join(folder.path, 'dragged'), () => opening, { clock: systemClock, log });
  serveCalls(() => opening, { observer, own: dragCalls(dragged), log });
  const startsHidden = isOpenedAtLogin(app, process.argv, process.platform);
  const desk = openAppShell({ dataDir: folder.path, settings, log, notifier, startsHidden, studio: () => opening });
  const studio = await opening;
  opened.handOver({ studio, show: () => desk.window.show(), post: desk.ask, log });
  sendEvents(studio, () => BrowserWindow.getAllWindows().map((window) => window.webContents), media);
  const supervisor = media.superviseFor(studio, log);
  const outside = serveOutside(studio, folder.path, log);
  const end = async () => {
    // An overnight run may come near while the windows close: an update that was to be installed still is.
    let installing = isInstalling(studio);
    opened.end(startAgain(() => installing));
    await endedAll([desk.end(), outside.close(), installing], log);
    await endedAll([supervisor.close()], log);
    dragged.removePressed();
    const installs = (await installing) || (await isInstalling(studio));
    installing = Promise.resolve(installs);
    await studio.close();
    folder.release();
    if (installs) await updater?.install();
  };
  process.off('uncaughtException', exitOnError);
  replaceSignalHandlers();
  const shutdown = createShutdown(studio, end, log, (message) => dialog.showErrorBox('Dailies', message));
  desk.setShutdown(shutdown.start);
  process.stdout.write(`${JSON.stringify({ ready: true, host: 'electron', pid: process.pid })}\n`);
}

/** Whether an update is installed once the program has ended. */
async function isInstalling(studio: Studio): Promise<boolean> {
  const update = await studio.call('updates.get', {});
  return update.ok && (update.data as UpdateState).installsAtQuit === true;
}

/** The user's window and the media window each have a session of their own. */
function serveSessions(studio: () => Promise<Studio>, migration: MigrationPage, log: Logger): void {
  const pages = openPages(join(import.meta.dirname, '..', 'renderer'), { media: `${MEDIA_SCHEME}:` });
  serveSchemes(session.defaultSession, migration.over(pages), studio, 'page');
  serveSchemes(mediaSession(), pages, studio, 'mediaWorker');
  refusePermissions(session.defaultSession);
  refusePermissions(mediaSession());
  saveDownloads(session.defaultSession, log);
  refuseDownloads(mediaSession());
}

function showNotified(desk: AppShell, { jobId, place }: NotifiedAbout): void {
  if (jobId !== undefined) desk.ask({ type: 'host.show', thing: 'job', id: jobId });
  else if (place !== undefined) desk.ask({ type: 'host.go', place });
  else desk.window.show();
}

/**
 * Removes Electron's signal handlers, which turn a signal into a quit. They were installed after our libraries' handlers, and Node installs
 * its own only with a signal's first listener. The shutdown's handler, added next, then takes the signal without asking.
 */
function replaceSignalHandlers(): void {
  for (const signal of SHUTDOWN_SIGNALS) process.removeAllListeners(signal);
}

function openStore(dataDir: string): ElectronStore {
  const store = new ElectronStore({ ...storeOptions(dataDir), name: SETTINGS_NAME });
  // electron-store offers its folder to any page that asks; our pages have exactly two channels.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}

try {
  main();
} catch (error) {
  void endWithError(sentenceOf(error), 1);
}
