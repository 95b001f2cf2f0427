import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import ElectronStore from 'electron-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSettings, SETTINGS_NAME, storeOptions } from './settings.ts';
import { silentLog } from './testing.ts';

// Outside Electron its package is the path of a binary that may not be here.
vi.mock('electron', () => ({ default: {} }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'settings.json');
const withConf = () =>
  openSettings(
    folder,
    () => new Conf({ ...storeOptions(folder), configName: SETTINGS_NAME }),
    () => 42,
    silentLog(),
  );
const withElectronStore = () =>
  openSettings(
    folder,
    () => new ElectronStore({ ...storeOptions(folder), name: SETTINGS_NAME }),
    () => 42,
    silentLog(),
  );

test('what one host wrote the other one reads', () => {
  withConf().write('profiles', [{ id: 'a.b', name: 'A' }]);
  expect(withElectronStore().read('profiles')).toEqual([{ id: 'a.b', name: 'A' }]);
  withElectronStore().write('settings', { theme: 'light' });
  expect(withConf().read('settings')).toEqual({ theme: 'light' });
});

test.each(['{"profiles": [{"id"', '[]', 'null', ''])(
  'a file that holds %j is moved aside with all that is in it',
  (text) => {
    writeFileSync(path(), text);
    const settings = withConf();
    expect(settings.read('profiles')).toBeUndefined();
    settings.write('settings', { theme: 'dark' });
    expect(readFileSync(join(folder, 'settings.damaged-42.json'), 'utf8')).toBe(text);
    expect(readdirSync(folder).sort()).toEqual(['settings.damaged-42.json', 'settings.json']);
  },
);
