import { join } from 'node:path';
import Conf from 'conf';
import { t } from '../../../shared/text/texts.ts';
import { createStudio } from '../../core/createStudio.ts';
import type { Studio } from '../../core/studio.ts';
import { listenAtFirst } from '../../core/tcpPorts.ts';
import { startBuiltinSandbox } from '../common/builtinSandbox.ts';
import { systemClock } from '../common/clock.ts';
import { takeDataFolder } from '../common/dataDir.ts';
import { hasDisplay } from '../common/display.ts';
import { environmentNetwork } from '../common/environmentNetwork.ts';
import { restrictExistingFiles, restrictNewFiles } from '../common/filePermissions.ts';
import { createPorts, takeEnvironmentKey } from '../common/hostPorts.ts';
import { createKeyStore } from '../common/keys.ts';
import { createLogger } from '../common/logger.ts';
import { createMediaWorkerSupervisor, type MediaWorkerSupervisor } from '../common/mediaWorkerSupervisor.ts';
import { openPages } from '../common/pages.ts';
import { sampleDir } from '../common/sampleDir.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../common/settings.ts';
import { createShutdown, endedAll } from '../common/shutdown.ts';
import { openStudioRun } from '../common/studioRun.ts';
import { version } from '../common/version.ts';
import type { Flags } from '../launch/flags.ts';
import { candidateEndpoints, lastEndpoint, saveEndpoint } from './endpoint.ts';
import { openKeychain } from './keychain.ts';
import { startMediaBrowser } from './mediaBrowser.ts';
import { type AppWindow, openAppWindow, systemOpener } from './opener.ts';
import { type BrowserServer, type ServerParts, startServer } from './server.ts';

/** How long an open page may take to claim media work before a headless browser is started for it. */
const PAGE_GRACE_MS = 3_000;

/**
 * The browser host: the studio in this process, its pages over loopback HTTP. Prints one line of JSON when ready. The pages are next to
 * the built host, in `out/renderer`.
 */
export async function runBrowserHost(flags: Flags): Promise<void> {
  restrictNewFiles();
  const taken = takeDataFolder(flags.dataDir);
  if (!taken.ok) return giveUp(taken.message);
  const { folder } = taken;
  try {
    restrictExistingFiles(folder.path);
    const host = await start(folder.path, flags);
    const end = async () => {
      await host.close();
      folder.release();
    };
    createShutdown(host.studio, end, host.log);
    const { origin, access } = host.server;
    const url = `${origin}/?token=${access.token}`;
    const { publicAddress: by } = flags;
    const more = by ? { publicUrl: `${by.origin}${by.base}?token=${access.token}` } : {};
    process.stdout.write(`${JSON.stringify({ ready: true, url, ...more, token: access.token, pid: process.pid })}\n`);
    if (flags.open && hasDisplay()) host.openWindow();
  } catch (error) {
    folder.release();
    giveUp(sentenceOf(error));
    process.exit();
  }
}

const sentenceOf = (error: unknown) =>
  t`Dailies could not start: ${(error instanceof Error ? error.message : String(error)).replace(/[.]$/, '')}.`;

function giveUp(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

async function start(dataDir: string, flags: Flags) {
  const log = createLogger(dataDir);
  const studio = await openStudio(dataDir, flags, log);
  let supervisor: MediaWorkerSupervisor | undefined;
  const server = await listenAt(dataDir, flags, log, {
    studio,
    pages: openPages(join(import.meta.dirname, '..', 'renderer')),
    log,
    now: systemClock.now,
    media: () => supervisor,
  }).catch(async (error: unknown) => {
    await studio.close();
    throw portError(error, flags.port);
  });
  supervisor = superviseMediaWorker(studio, server, dataDir, log);
  let window: AppWindow | undefined;
  return {
    studio,
    server,
    log,
    openWindow() {
      const newUrl = () => `${server.origin}/?token=${server.access.ticket('enter', 'page')}`;
      window = openAppWindow(newUrl, join(dataDir, 'window'), () => {
        process.stderr.write('The window was closed; Dailies goes on until it is ended with Ctrl+C.\n');
      });
    },
    async close() {
      await endedAll([window?.close(), server.close(), supervisor?.close()], log);
      await studio.close();
    },
  };
}

/** Listens on the port of the last run if that is free. A requested port that is taken is an error. */
async function listenAt(
  dataDir: string,
  flags: Flags,
  log: Log,
  parts: Omit<ServerParts, 'port' | 'secrets'>,
): Promise<BrowserServer> {
  const endpoints = candidateEndpoints(flags.port, lastEndpoint(dataDir, log), flags.renewToken);
  return listenAtFirst(endpoints, async (endpoint) => {
    const server = await startServer({
      ...parts,
      port: endpoint.port,
      publicAddress: flags.publicAddress,
      secrets: endpoint,
    });
    saveEndpoint(dataDir, { ...endpoint, port: server.port }, log);
    return server;
  });
}

type Log = ReturnType<typeof createLogger>;

function openStudio(dataDir: string, flags: Flags, log: Log): Promise<Studio> {
  const open = () => new Conf({ ...storeOptions(dataDir), configName: SETTINGS_NAME });
  const ports = createPorts({
    keys: createKeyStore({ openVault: () => openKeychain(dataDir), environmentKey: takeEnvironmentKey(), log }),
    settings: openSettings(dataDir, open, systemClock.now, log),
    // Pages show notices themselves; a browser tab has no better way.
    notifier: { notify: (message) => log.info({ ...message }, 'notice') },
    opener: systemOpener,
    network: environmentNetwork(systemClock, log),
    log,
  });
  return openStudioRun({
    createStudio,
    startSandbox: () => startBuiltinSandbox(dataDir, flags),
    ports,
    options: { dataDir, host: 'browser', version, sampleDir },
  });
}

function superviseMediaWorker(studio: Studio, server: BrowserServer, dataDir: string, log: Log): MediaWorkerSupervisor {
  return createMediaWorkerSupervisor({
    subscribe: (listener) => studio.subscribe(listener),
    release: (taskIds) => void studio.call('media.release', { taskIds, died: true }),
    start: async () => {
      const url = `${server.origin}/media.html?token=${server.access.ticket('enter', 'mediaWorker')}`;
      return startMediaBrowser(url, join(dataDir, 'media-browser'));
    },
    graceMs: PAGE_GRACE_MS,
    clock: systemClock,
    log,
  });
}

function portError(error: unknown, port: number): Error {
  const taken = (error as { code?: unknown }).code === 'EADDRINUSE';
  return taken ? new Error(`port ${port} is in use`) : (error as Error);
}
