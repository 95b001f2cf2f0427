import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import ElectronStore from 'electron-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from './settings.ts';
import { prepareSettingsFile } from './settingsFile.ts';

// Outside Electron its package is the path of a binary that may not be here.
vi.mock('electron', () => ({ default: {} }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'settings.json');
const opened = (store: Parameters<typeof openSettings>[1]) => openSettings(folder, store, () => 42, recordingLog());
const withConf = () => opened(() => new Conf({ ...storeOptions(folder), configName: SETTINGS_NAME }));
const withElectronStore = () => opened(() => new ElectronStore({ ...storeOptions(folder), name: SETTINGS_NAME }));
/** Two starts, so that a copy of a good one exists. */
const startTwice = () => {
  withConf().write('profiles', [{ id: 'a' }]);
  withConf();
};

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

test('a file that nests too deep to be written again is moved aside too', () => {
  const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  writeFileSync(path(), text);
  expect(withConf().repairNotice).toMatch(/was damaged/);
  expect(readFileSync(join(folder, 'settings.damaged-42.json'), 'utf8').length).toBe(text.length);
});

test.each<[string, () => void, string]>([
  ['damaged', () => writeFileSync(path(), '{"profiles": [{"id"'), 'its copy of the last good start is used'],
  ['missing', () => rmSync(path()), 'was missing'],
])('a file that is %s is replaced by the copy of the last good start, and the user is told', (_, spoil, notice) => {
  startTwice();
  spoil();
  const settings = withElectronStore();
  expect(settings.read('profiles')).toEqual([{ id: 'a' }]);
  expect(settings.repairNotice).toContain(notice);
});

test('a damaged file that cannot be replaced yet stays for the next start to repair', () => {
  startTwice();
  writeFileSync(path(), '{"profiles": [{"id"');
  // Nothing can be written there, as on a full disk.
  mkdirSync(join(folder, 'settings.json.part'));
  expect(withConf).toThrow();
  rmSync(join(folder, 'settings.json.part'), { recursive: true });
  const settings = withConf();
  expect(settings.read('profiles')).toEqual([{ id: 'a' }]);
  expect(settings.repairNotice).toContain('its copy of the last good start is used');
});

test('a file of an older version is brought up to this one, and is kept as it was', () => {
  const old = '{"profiles":[{"id":"a"}],"window":{"x":1}}';
  writeFileSync(path(), old);
  const settings = withConf();
  expect([settings.read('profiles'), settings.own.get('window')]).toEqual([[{ id: 'a' }], { x: 1 }]);
  expect(settings.own.get('version')).toBe(1);
  expect(readFileSync(join(folder, 'settings.version-0.json'), 'utf8')).toBe(old);
});

test('each step of a migration runs once, in order', () => {
  writeFileSync(path(), '{"steps":[],"version":1}');
  const step = (name: string) => (file: Record<string, unknown>) => ({ ...file, steps: [...(file.steps as []), name] });
  const steps = [step('first'), step('second'), step('third')];
  for (let start = 0; start < 2; start += 1)
    expect(prepareSettingsFile(folder, 'settings', 42, steps)).toEqual({ version: 3 });
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({ steps: ['second', 'third'], version: 3 });
});

test('a migration that fails leaves the file as it was', () => {
  writeFileSync(path(), '{"version":0,"a":1}');
  const failing = () => {
    throw new Error('cannot be');
  };
  expect(() => prepareSettingsFile(folder, 'settings', 42, [failing])).toThrow('cannot be');
  expect(readFileSync(path(), 'utf8')).toBe('{"version":0,"a":1}');
});

test('a file of a newer Dailies is refused with a sentence, and stays as it is', () => {
  writeFileSync(path(), '{"version":99}');
  expect(withConf).toThrow('was written by a newer Dailies (version 99 of the file; this one knows 1)');
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test.each([
  ['a named pipe', () => void execFileSync('mkfifo', [path()])],
  ['a link that leads to itself', () => symlinkSync(path(), path())],
  ['a folder', () => void mkdirSync(path())],
  ['a device', () => symlinkSync('/dev/zero', path())],
  [
    'a link to a named pipe',
    () => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      symlinkSync(join(folder, 'pipe'), path());
    },
  ],
])('%s in its place is refused with a sentence, at once', (_, put) => {
  put();
  expect(withConf).toThrow(/settings\.json is a (named pipe|folder|symbolic link), not a file, and is not read/);
});

test('a socket in place of the file is refused with a sentence', async () => {
  const server = createServer().listen(path());
  await once(server, 'listening');
  expect(withConf).toThrow('settings.json is a socket, not a file, and is not read');
  server.close();
});

test.each([true, false])(
  'a link to a file is refused, and nothing is made where it leads (target there: %j)',
  (isThere) => {
    const target = join(folder, 'elsewhere.json');
    if (isThere) writeFileSync(target, '{"profiles":[],"version":1}');
    symlinkSync(target, path());
    expect(withConf).toThrow('settings.json is a symbolic link, not a file, and is not read');
    expect(existsSync(target)).toBe(isThere);
  },
);

test('a named pipe in place of the copy of a good start is removed', () => {
  withConf().write('profiles', [{ id: 'a' }]);
  execFileSync('mkfifo', [join(folder, 'settings.backup.json.part')]);
  expect(withConf().read('profiles')).toEqual([{ id: 'a' }]);
  expect(readdirSync(folder).sort()).toEqual(['settings.backup.json', 'settings.json']);
});

test('the copy of the last good start is made anew on request, and never from a damaged file', () => {
  const settings = withConf();
  settings.write('settings', { theme: 'dark' });
  settings.copyAnew();
  const copied = () => JSON.parse(readFileSync(join(folder, 'settings.backup.json'), 'utf8'));
  expect(copied()).toEqual({ version: 1, settings: { theme: 'dark' } });
  writeFileSync(path(), '{"settings"');
  settings.copyAnew();
  expect(copied()).toEqual({ version: 1, settings: { theme: 'dark' } });
});
