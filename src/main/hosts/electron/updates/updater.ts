import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { AppUpdater, BaseUpdater } from 'electron-updater';
import type { Logger, Network, Updater } from '../../../core/ports.ts';
import { readRegularFile } from '../../common/regularFile.ts';
import type { HostSettings } from '../../common/settings.ts';
import { version } from '../../common/version.ts';
import { UpdateHttp } from './updateHttp.ts';

const FIELD = 'updateCheckedAt';
const FOUND = 'updateFound';
/** electron-builder writes it into packages with an update server (`publish` in electron-builder.yml). */
const FEED_FILE = 'app-update.yml';

export interface HostUpdater extends Updater {
  /** Installs the download as the last step of the program. If the system installs it, it is told whether to start the program. */
  install(): Promise<void>;
}

interface UpdaterDeps {
  settings: Pick<HostSettings, 'own' | 'convenient'>;
  network: Network;
  log: Logger;
  /** Shuts down in order; afterwards the download is installed and started. */
  quit(): void;
}

/** The address in the feed file; undefined without one, or if it is not `https:`. */
export function feedIn(text: string | undefined): URL | undefined {
  const line = (text ?? '').split('\n').find((one) => one.startsWith('url:'));
  const url = URL.parse((line ?? '').slice('url:'.length).trim().replaceAll("'", '').replaceAll('"', ''));
  return url?.protocol === 'https:' ? url : undefined;
}

/** The updater of an installed program. None in development, without an update server, and where the system's package manager updates. */
export function openUpdater({ settings, network, log, quit }: UpdaterDeps): HostUpdater | undefined {
  const feedFile = join(process.resourcesPath ?? '', FEED_FILE);
  const feed = app.isPackaged ? feedIn(readRegularFile(feedFile)) : undefined;
  if (!feed || !canReplaceItself()) return undefined;
  const http = new UpdateHttp(version);
  let opened: AppUpdater | undefined;
  let runsAfterwards = false;
  const open = async (): Promise<AppUpdater> => {
    // Loaded only when needed: not while updates are switched off.
    opened ??= await createUpdater(feedFile, http, log);
    return opened;
  };
  return {
    checkedAt: () => numberIn(settings.convenient.get(FIELD)),
    installsAtAnyEnd: onMac(),
    // If the check cannot be noted, nothing is asked, or it would be asked again and again.
    noteCheck: (now) => settings.own.set(FIELD, now),
    found: () => foundIn(settings.convenient.get(FOUND)),
    noteFound: (found) =>
      found === null
        ? settings.convenient.delete(FOUND)
        : settings.convenient.set(FOUND, { version: found, by: version }),
    async check() {
      await http.use(network, feed);
      const found = await (await open()).checkForUpdates();
      return found?.isUpdateAvailable ? found.updateInfo.version : null;
    },
    async download() {
      await http.use(network, feed);
      const updater = await open();
      await (onMac() ? fetchedBySystem(updater) : updater.downloadUpdate());
    },
    quitAndInstall() {
      runsAfterwards = true;
      quit();
    },
    async install() {
      if (isBase(opened)) opened.install(!runsAfterwards, runsAfterwards);
      else if (opened && runsAfterwards) await startedAfterwards(opened);
    },
  };
}

const onMac = (): boolean => process.platform === 'darwin';

/**
 * On a Mac the system's updater fetches the download from this process, unpacks it, and replaces the program whenever that ends: it is ready
 * once the system says so.
 */
async function fetchedBySystem(updater: AppUpdater): Promise<void> {
  const { autoUpdater } = await import('electron');
  const over = new AbortController();
  try {
    await Promise.all([once(autoUpdater, 'update-downloaded', { signal: over.signal }), updater.downloadUpdate()]);
  } finally {
    over.abort();
  }
}

/** The system first records that it must start the new program, and then makes this one quit. */
async function startedAfterwards(updater: AppUpdater): Promise<void> {
  const quits = once(app, 'before-quit');
  updater.quitAndInstall();
  await quits;
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
/** Ignored once another version runs, which may be the one that was found. */
const foundIn = (value: unknown): string | undefined =>
  isObject(value) && value.by === version && typeof value.version === 'string' ? value.version : undefined;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isBase = (
  updater: AppUpdater | undefined,
): updater is BaseUpdater & { install(silent: boolean, run: boolean): boolean } =>
  updater !== undefined && 'install' in updater;

/** A package of the system is replaced by its package manager. */
const canReplaceItself = (): boolean => process.platform !== 'linux' || existsSync(process.env.APPIMAGE ?? '');

async function createUpdater(feedFile: string, http: UpdateHttp, log: Logger): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = (await import('electron-updater')).default;
  const Kind = { darwin: MacUpdater, win32: NsisUpdater }[process.platform as 'darwin' | 'win32'] ?? AppImageUpdater;
  const updater: AppUpdater = new Kind(undefined, {
    version,
    name: 'dailies',
    isPackaged: true,
    appUpdateConfigPath: feedFile,
    userDataPath: app.getPath('userData'),
    baseCachePath: app.getPath('userData'),
    whenReady: () => app.whenReady(),
    relaunch: () => undefined,
    quit: () => undefined,
    // The shutdown of this program installs.
    onQuit: () => undefined,
  });
  const say = (level: 'info' | 'warn' | 'error') => (message?: unknown) =>
    log[level]({ about: 'updates' }, String(message).slice(0, 500));
  updater.logger = { info: say('info'), warn: say('warn'), error: say('error') };
  updater.autoDownload = false;
  // On a Mac it makes the system fetch the download from this process; elsewhere our shutdown installs.
  updater.autoInstallOnAppQuit = onMac();
  updater.disableDifferentialDownload = true;
  updater.isUserWithinRollout = () => true;
  // Prevents its installation id from being created.
  Object.assign(updater, { httpExecutor: http, stagingUserIdPromise: { value: Promise.resolve('') } });
  return updater;
}
