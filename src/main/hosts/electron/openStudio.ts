import { homedir } from 'node:os';
import { app, dialog, shell } from 'electron';
import { t } from '../../../shared/text/texts.ts';
import { createStudio, type StudioOptions } from '../../core/createStudio.ts';
import type { Logger, Network, Notifier, Opener, Updater } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { startBuiltinSandbox } from '../common/builtinSandbox.ts';
import { createPorts, takeEnvironmentKey } from '../common/hostPorts.ts';
import { createKeyStore } from '../common/keys.ts';
import { sampleDir } from '../common/sampleDir.ts';
import type { HostSettings } from '../common/settings.ts';
import { openStudioRun } from '../common/studioRun.ts';
import { version } from '../common/version.ts';
import type { Flags } from '../launch/flags.ts';
import { createPower } from './power.ts';
import { holdsSealed, openSafeStorageVault } from './safeStorageVault.ts';
import { createLoginItem } from './system/loginItem.ts';
import { launcherIn } from './typed.ts';

export interface OpenStudioOptions {
  dataDir: string;
  flags: Flags;
  settings: HostSettings;
  log: Logger;
  notifier: Notifier;
  onMigration: NonNullable<StudioOptions['onMigration']>;
  hostFacts: NonNullable<StudioOptions['hostFacts']>;
  network: Network;
  updater: Updater | undefined;
}

/** Opens the studio on Electron's ports: keychain, notifications, the user's browser, the session's proxy. */
export async function openStudio({
  dataDir,
  flags,
  settings,
  log,
  notifier,
  onMigration,
  hostFacts,
  network,
  updater,
}: OpenStudioOptions): Promise<Studio> {
  const ports = createPorts({
    keys: createKeyStore({
      openVault: () => openSafeStorageVault(settings.own, settings.copyAnew),
      holds: holdsSealed(settings.own),
      environmentKey: takeEnvironmentKey(),
      log,
    }),
    settings,
    notifier,
    opener,
    power: createPower(),
    network,
    updater,
    loginItem: createLoginItem(app, {
      platform: process.platform,
      env: process.env,
      home: homedir(),
      program: process.execPath,
      dataDir: flags.dataDir === undefined ? undefined : dataDir,
    }),
    log,
  });
  return openStudioRun({
    createStudio,
    startSandbox: () => startBuiltinSandbox(dataDir, flags),
    ports,
    options: {
      dataDir,
      host: 'electron',
      version,
      sampleDir,
      onMigration,
      hostFacts,
      ...(app.isPackaged ? { launcher: launcherIn(process) } : {}),
    },
  });
}

const opener: Opener = {
  async openExternal(address) {
    if (!['http:', 'https:'].includes(new URL(address).protocol)) {
      throw new Error('Only http and https addresses are opened.');
    }
    await shell.openExternal(address);
  },
  reveal: async (file) => shell.showItemInFolder(file),
  async chooseFolder() {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      title: t`Export to`,
      properties: ['openDirectory', 'createDirectory'],
    });
    return canceled ? null : (filePaths[0] ?? null);
  },
};
