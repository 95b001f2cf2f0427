import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger, SettingsStore } from '../../core/ports.ts';

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

/**
 * Opens the settings file with `open`. A file that is no JSON object is moved aside, not overwritten:
 * what a person typed in must be there to be looked at.
 */
export function openSettings(dataDir: string, open: () => KeyValueFile, now: () => number, log: Logger): HostSettings {
  const path = join(dataDir, `${SETTINGS_NAME}.json`);
  if (existsSync(path) && !holdsObject(path)) {
    const aside = join(dataDir, `${SETTINGS_NAME}.damaged-${now()}.json`);
    renameSync(path, aside);
    log.warn({ aside }, 'the settings file was damaged and has been moved aside; the defaults apply');
  }
  const own = open();
  return { own, read: (key) => own.get(key), write: (key, value) => own.set(key, value) };
}

function holdsObject(path: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
