import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, session } from 'electron';
import ElectronStore from 'electron-store';
import { systemClock } from '../common/clock.ts';
import { type DataFolder, takeDataFolder } from '../common/dataDir.ts';
import { createEnding, ENDING_SIGNALS } from '../common/ending.ts';
import { createLogger } from '../common/logger.ts';
import { closeToOthers, makeForOwnerOnly } from '../common/ownerOnly.ts';
import { openPages } from '../common/pages.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../common/settings.ts';
import { refusalCode } from '../launch/electronRun.ts';
import { type Flags, knownFlags, parseFlags } from '../launch/flags.ts';
import { openDesk } from './desk.ts';
import { refuseDownloads, saveDownloads } from './downloads.ts';
import { endWithError, sentenceOf } from './fatal.ts';
import { refuseForeignPages, refusePermissions } from './harden.ts';
import { sendEvents, serveCalls } from './ipc.ts';
import { createElectronMedia } from './media.ts';
import { createNotifier } from './notifications.ts';
import { MEDIA_SCHEME } from './origin.ts';
import { wakeWithMachine } from './power.ts';
import { registerSchemes, serveSchemes } from './protocols.ts';
import { openStudio } from './studioOpening.ts';
import { mediaSession } from './windows.ts';

/** The keychain's entry bears the name of the app, so it stands before anything is sealed. */
const APP_NAME = 'Dailies';
/** What Windows groups windows and notifications by. */
const APP_ID = 'studio.dailies.app';
/** What Windows starts when a notification is clicked: left out it is another one in every run, and an old notification does nothing. */
const TOAST_ACTIVATOR = '{4E1B7C52-6D0A-4B3F-9A2E-7C51D08E94B6}';

/**
 * The Electron host: windows around the same studio. What can be refused is refused before a window opens.
 * Everything up to `ready` happens in this turn: Electron gets ready only after this module's import has settled.
 */
function main(): void {
  app.setName(APP_NAME);
  // Both exist on Windows only.
  app.setAppUserModelId?.(APP_ID);
  app.setToastActivatorCLSID?.(TOAST_ACTIVATOR);
  const parsed = parseFlags(knownFlags(process.argv));
  if (!parsed.ok) return void endWithError(parsed.message, 2);
  makeForOwnerOnly();
  const taken = takeDataFolder(parsed.flags.dataDir);
  if (!taken.ok) {
    // The other one has come to the front. Windows tells the two apart by the path, so it is the one without links.
    if (taken.path !== undefined && !isFirst(join(taken.path, 'window'))) return leaveToTheOther(taken.message);
    return void endWithError(taken.message, 1);
  }
  const windowFolder = join(taken.folder.path, 'window');
  mkdirSync(windowFolder, { recursive: true, mode: 0o700 });
  if (!isFirst(windowFolder))
    return leaveToTheOther(`The data folder ${taken.folder.path} is in use by another Dailies.`);
  // It would take back `--no-sandbox`, without which nothing starts as root.
  if (!process.argv.includes('--no-sandbox')) app.enableSandbox();
  registerSchemes();
  refuseForeignPages();
  process.on('uncaughtException', endOnFault);
  app
    .whenReady()
    .then(() => run(taken.folder, parsed.flags))
    .catch((error: unknown) => endWithError(sentenceOf(error), 1));
}

/** Until the studio is open and has an end of its own. */
const endOnFault = (error: Error): void => void endWithError(sentenceOf(error), 1);

/** Chromium's own files lie in the data folder too, so that its instance lock is one for each data folder. */
function isFirst(windowFolder: string): boolean {
  if (!existsSync(windowFolder)) return true;
  app.setPath('userData', windowFolder);
  return app.requestSingleInstanceLock();
}

function leaveToTheOther(message: string): void {
  process.stderr.write(`${message}\n`);
  app.exit(refusalCode(1));
}

async function run(folder: DataFolder, flags: Flags): Promise<void> {
  closeToOthers(folder.path);
  const log = createLogger(folder.path);
  const settings = openSettings(folder.path, () => openStore(folder.path), systemClock.now, log);
  const notifier = createNotifier(() => desk.window.show());
  // The pages paint while the studio opens: their first calls wait for it.
  const opening = openStudio({ dataDir: folder.path, flags, settings, log, notifier });
  wakeWithMachine(systemClock);
  const media = createElectronMedia();
  const pages = openPages(join(import.meta.dirname, '..', 'renderer'), { media: `${MEDIA_SCHEME}:` });
  serveSchemes(session.defaultSession, pages, () => opening, 'page');
  serveSchemes(mediaSession(), pages, () => opening, 'mediaWorker');
  refusePermissions(session.defaultSession);
  refusePermissions(mediaSession());
  saveDownloads(session.defaultSession, log);
  refuseDownloads(mediaSession());
  serveCalls(() => opening, media, log);
  const desk = openDesk({ settings, log, notifier, studio: () => opening });
  const studio = await opening;
  sendEvents(studio, () => BrowserWindow.getAllWindows().map((window) => window.webContents), media);
  const keeper = media.keepFor(studio, log);
  const end = async () => {
    await desk.end();
    await keeper.close();
    await studio.close();
    folder.release();
  };
  process.off('uncaughtException', endOnFault);
  takeSignals();
  const ending = createEnding(end, log, (message) => dialog.showErrorBox('Dailies', message));
  desk.endWith(ending.begin);
  process.stdout.write(`${JSON.stringify({ ready: true, host: 'electron', pid: process.pid })}\n`);
}

/**
 * Electron's own handlers, which make a quit of a signal, came after those of our libraries, and Node installs its own only with the
 * first listener of a signal. Once none is left the next one, of the ending, takes the signal: it asks nobody.
 */
function takeSignals(): void {
  for (const signal of ENDING_SIGNALS) process.removeAllListeners(signal);
}

function openStore(dataDir: string): ElectronStore {
  const store = new ElectronStore({ ...storeOptions(dataDir), name: SETTINGS_NAME });
  // It offers its folder to any page that asks; ours has two channels and no more.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}

try {
  main();
} catch (error) {
  void endWithError(sentenceOf(error), 1);
}
