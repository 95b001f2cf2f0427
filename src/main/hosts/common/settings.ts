import type { Logger, SettingsStore } from '../../core/ports.ts';
import { prepareSettingsFile } from './settingsFile.ts';

/** The name of the one settings file, without `.json`. Both hosts write the same format. */
export const SETTINGS_NAME = 'settings';

/** What conf and electron-store have in common, as far as it is used here. */
export interface KeyValueFile {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export interface HostSettings extends SettingsStore {
  /** What belongs to the host alone, such as a window's place or keys in the cipher of the system's keychain. */
  own: KeyValueFile;
}

/** Options that conf and electron-store share. */
export const storeOptions = (dataDir: string) => ({
  cwd: dataDir,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
  configFileMode: 0o600,
});

/** Opens the settings file with `open`, once it is whole and of this version. Throws the sentence where it cannot be. */
export function openSettings(dataDir: string, open: () => KeyValueFile, now: () => number, log: Logger): HostSettings {
  const { version, trouble } = prepareSettingsFile(dataDir, SETTINGS_NAME, now());
  if (trouble !== undefined) log.warn({}, trouble);
  const own = open();
  const stamped = (write: () => void) => {
    if (own.get('version') !== version) own.set('version', version);
    write();
  };
  return {
    own,
    read: (key) => own.get(key),
    write: (key, value) => stamped(() => own.set(key, value)),
    ...(trouble === undefined ? {} : { trouble }),
  };
}
