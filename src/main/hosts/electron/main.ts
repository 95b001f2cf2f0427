import { join } from 'node:path';
import { app, BrowserWindow, ipcMain, Menu, session } from 'electron';
import ElectronStore from 'electron-store';
import { systemClock } from '../common/clock.ts';
import { type DataFolder, defaultDataDir, takeDataFolder } from '../common/dataDir.ts';
import { createEnding } from '../common/ending.ts';
import { createLogger } from '../common/logger.ts';
import { openPages } from '../common/pages.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../common/settings.ts';
import { type Flags, knownFlags, parseFlags } from '../launch/flags.ts';
import { refuseForeignPages, refusePermissions } from './harden.ts';
import { sendEvents, serveCalls } from './ipc.ts';
import { createElectronMedia } from './media.ts';
import { appMenu } from './menu.ts';
import { MEDIA_SCHEME } from './origin.ts';
import { registerSchemes, serveSchemes } from './protocols.ts';
import { openStudio } from './studioOpening.ts';
import { keepMainWindow } from './windows.ts';

/** The Electron host: windows around the same studio. What can be refused is refused before a window opens. */
async function main(): Promise<void> {
  const parsed = parseFlags(knownFlags(process.argv));
  if (!parsed.ok) return giveUp(parsed.message, 2);
  const wanted = parsed.flags.dataDir ?? defaultDataDir();
  // Chromium's own files lie in the data folder too, so that its instance lock is one for each data folder.
  app.setPath('userData', join(wanted, 'window'));
  if (!app.requestSingleInstanceLock()) return giveUp(`The data folder ${wanted} is in use by another Dailies.`, 1);
  const taken = takeDataFolder(wanted);
  if (!taken.ok) return giveUp(taken.message, 1);
  app.enableSandbox();
  registerSchemes();
  refuseForeignPages();
  await app.whenReady();
  try {
    await run(taken.folder, parsed.flags);
  } catch (error) {
    giveUp(`Dailies could not start: ${error instanceof Error ? error.message : String(error)}`, 1);
  }
}

function giveUp(message: string, code: number): void {
  process.stderr.write(`${message}\n`);
  app.exit(code);
}

async function run(folder: DataFolder, flags: Flags): Promise<void> {
  const log = createLogger(folder.path);
  const settings = openSettings(folder.path, () => openStore(folder.path), systemClock.now, log);
  let showWindow = () => {};
  // The pages paint while the studio opens: their first calls wait for it.
  const opening = openStudio({ dataDir: folder.path, flags, settings, log, showWindow: () => showWindow() });
  const media = createElectronMedia();
  refusePermissions(session.defaultSession);
  serveSchemes(openPages(join(import.meta.dirname, '..', 'renderer'), { media: `${MEDIA_SCHEME}:` }), () => opening);
  serveCalls(() => opening, media, log);
  Menu.setApplicationMenu(appMenu());
  showWindow = keepMainWindow(settings.own, log).show;
  const studio = await opening;
  sendEvents(studio, () => BrowserWindow.getAllWindows().map((window) => window.webContents), media);
  const keeper = media.keepFor(studio, log);
  const ending = createEnding(async () => {
    await keeper.close();
    await studio.close();
    folder.release();
  }, log);
  endWithApp(ending.begin);
  process.stdout.write(`${JSON.stringify({ ready: true, host: 'electron', pid: process.pid })}\n`);
}

function openStore(dataDir: string): ElectronStore {
  const store = new ElectronStore({ ...storeOptions(dataDir), name: SETTINGS_NAME });
  // It offers its folder to any page that asks; ours has two channels and no more.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}

/** The last window closed, or the menu's Quit: what can end at once ends, then the program. */
function endWithApp(begin: (code: number) => void): void {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  let begun = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (!begun) begin(0);
    begun = true;
  });
}

await main();
