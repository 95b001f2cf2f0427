import type { Logger, SettingsStore } from '../../core/ports.ts';
import { copySettingsFile, prepareSettingsFile } from './settingsFile.ts';

/** The name of the settings file without `.json`, the same in both hosts. */
export const SETTINGS_NAME = 'settings';

/** The part of conf and electron-store that is used here. */
export interface KeyValueFile {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export interface HostSettings extends SettingsStore {
  /** Settings of the host, such as keys sealed by the keychain. */
  own: KeyValueFile;
  /** The same for conveniences, such as a window's position: errors are only logged. */
  convenient: KeyValueFile;
  /** Renews the backup copy of the file, so that it keeps nothing that was removed. Throws if it cannot be written. */
  copyAnew(): void;
}

export const storeOptions = (dataDir: string) => ({
  cwd: dataDir,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
  configFileMode: 0o600,
});

/** Opens the settings file with `open` once it is intact and of this version. Throws the sentence for the user if that fails. */
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
    convenient: ignoringErrors(own, log),
    copyAnew: () => copySettingsFile(dataDir, SETTINGS_NAME),
    read: (key) => own.get(key),
    write: (key, value) => stamped(() => own.set(key, value)),
    ...(repairNotice === undefined ? {} : { repairNotice }),
  };
}

/** Each access reads or writes the file, which another program may hold or damage, on a disk that may be full. */
function ignoringErrors(file: KeyValueFile, log: Logger): KeyValueFile {
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
