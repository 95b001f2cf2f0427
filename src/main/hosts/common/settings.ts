import type { Logger, SettingsStore } from '../../core/ports.ts';
import { copySettingsFile, prepareSettingsFile } from './settingsFile.ts';

/** The name of the settings file, without `.json`. Both hosts use the same format. */
export const SETTINGS_NAME = 'settings';

/** The part of conf and electron-store that is used here. */
export interface KeyValueFile {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export interface HostSettings extends SettingsStore {
  /** Settings of the host alone, such as keys sealed by the system's keychain. */
  own: KeyValueFile;
  /** The same for what is only convenient, such as a window's position: what cannot be read or written is logged, and disturbs nobody. */
  convenient: KeyValueFile;
  /** Makes the copy of the last good start anew, so that it does not keep what was taken out. Throws where it cannot be written. */
  copyAnew(): void;
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
    convenient: undisturbing(own, log),
    copyAnew: () => copySettingsFile(dataDir, SETTINGS_NAME),
    read: (key) => own.get(key),
    write: (key, value) => stamped(() => own.set(key, value)),
    ...(repairNotice === undefined ? {} : { repairNotice }),
  };
}

/** Each access reads or writes the file, which another program may hold or break, and whose disk may be full. */
function undisturbing(file: KeyValueFile, log: Logger): KeyValueFile {
  const tried = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      log.warn({ error: String(error) }, 'the settings file could not be read or written');
      return undefined;
    }
  };
  return {
    get: (key) => tried(() => file.get(key)),
    set: (key, value) => tried(() => file.set(key, value)),
    delete: (key) => tried(() => file.delete(key)),
  };
}
