import type { Logger, SettingsStore } from '../../core/ports.ts';
import { prepareSettingsFile } from './settingsFile.ts';

/** The name of the settings file, without `.json`. Both hosts use the same format. */
export const SETTINGS_NAME = 'settings';

/** The part of conf and electron-store that is used here. */
export interface KeyValueFile {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export interface HostSettings extends SettingsStore {
  /** Settings of the host alone, such as a window's position or keys sealed by the system's keychain. */
  own: KeyValueFile;
}

/** Options that conf and electron-store share. */
export const storeOptions = (dataDir: string) => ({
  cwd: dataDir,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
  configFileMode: 0o600,
});

/** Opens the settings file with `open` once it is intact and of this version. Throws the sentence for the user if it cannot be. */
export function openSettings(dataDir: string, open: () => KeyValueFile, now: () => number, log: Logger): HostSettings {
  const { version, repairNotice } = prepareSettingsFile(dataDir, SETTINGS_NAME, now());
  if (repairNotice !== undefined) log.warn({}, repairNotice);
  const own = open();
  const stamped = (write: () => void) => {
    if (own.get('version') !== version) own.set('version', version);
    write();
  };
  return {
    own,
    read: (key) => own.get(key),
    write: (key, value) => stamped(() => own.set(key, value)),
    ...(repairNotice === undefined ? {} : { repairNotice }),
  };
}
