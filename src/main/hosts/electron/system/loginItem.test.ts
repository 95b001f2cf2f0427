import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { createLoginItem, isOpenedAtLogin, type LoginApp } from './loginItem.ts';

const home = () => tempDir('login');

function anApp(isPackaged = true, wasOpenedAtLogin = false) {
  const set: object[] = [];
  const app: LoginApp = {
    isPackaged,
    getLoginItemSettings: () => ({ openAtLogin: set.length % 2 === 1, wasOpenedAtLogin }),
    setLoginItemSettings: (settings) => void set.push(settings),
  };
  return { app, set };
}

test.each(['darwin', 'win32'] as const)('on %s the system keeps it', (platform) => {
  const { app, set } = anApp();
  const item = createLoginItem(app, { platform, env: {}, home: '/nowhere', program: '/dailies' });
  expect(item?.isOn()).toBe(false);
  item?.set(true);
  expect(item?.isOn()).toBe(true);
  item?.set(false);
  expect(set).toEqual([
    { openAtLogin: true, args: ['--at-login'] },
    { openAtLogin: false, args: ['--at-login'] },
  ]);
});

test('on Linux it is a file of the desktop, gone when it is switched off', () => {
  const folder = home();
  const system = { platform: 'linux' as const, env: {}, home: folder, program: '/opt/Dailies/dailies' };
  const item = createLoginItem(anApp().app, system);
  const file = join(folder, '.config', 'autostart', 'dailies.desktop');
  expect(item?.isOn()).toBe(false);
  item?.set(true);
  expect(item?.isOn()).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('\nExec="/opt/Dailies/dailies" --at-login\n');
  writeFileSync(file, `${readFileSync(file, 'utf8')}Hidden=true\n`);
  expect(item?.isOn()).toBe(false);
  item?.set(false);
  item?.set(false);
  expect(() => readFileSync(file)).toThrow();
});

test('the file names the AppImage itself, and whatever is in its path', () => {
  const folder = home();
  const env = { APPIMAGE: '/home/a b/50% "$(x)" `y` \\z/Dailies.AppImage', XDG_CONFIG_HOME: folder };
  createLoginItem(anApp().app, { platform: 'linux', env, home: '/nowhere', program: '/tmp/.mount/dailies' })?.set(true);
  const [line] = /^Exec=.*$/m.exec(readFileSync(join(folder, 'autostart', 'dailies.desktop'), 'utf8')) ?? [];
  expect(line).toBe('Exec="/home/a b/50%% \\\\"\\\\$(x)\\\\" \\\\`y\\\\` \\\\\\\\z/Dailies.AppImage" --at-login');
});

test('it opens the data folder of the run that switched it on', () => {
  const folder = home();
  const system = { platform: 'linux' as const, env: {}, home: folder, program: '/opt/dailies' };
  const [own, other] = ['/films/50 %', '/films/other'].map((dataDir) =>
    createLoginItem(anApp().app, { ...system, dataDir }),
  );
  own?.set(true);
  const file = readFileSync(join(folder, '.config', 'autostart', 'dailies.desktop'), 'utf8');
  expect(file).toContain('\nExec="/opt/dailies" --at-login "--data-dir=/films/50 %%"\n');
  expect([own, other, createLoginItem(anApp().app, system)].map((item) => item?.isOn())).toEqual([true, false, false]);
});

test.each([
  ['C:\\Films 2026', '--data-dir="C:\\Films 2026"'],
  ['D:\\', '--data-dir="D:\\\\"'],
])('Windows passes the data folder %s on; a Mac cannot', (dataDir, argument) => {
  const { app, set } = anApp();
  const system = { env: {}, home: '/nowhere', program: '/dailies', dataDir };
  createLoginItem(app, { ...system, platform: 'win32' })?.set(true);
  expect(set).toEqual([{ openAtLogin: true, args: ['--at-login', argument] }]);
  expect(createLoginItem(app, { ...system, platform: 'darwin' })).toBeUndefined();
});

test('a copy that is not installed cannot be opened by the system', () => {
  const system = { platform: 'linux' as const, env: {}, home: '/nowhere', program: '/x' };
  expect(createLoginItem(anApp(false).app, system)).toBeUndefined();
  expect(createLoginItem(anApp().app, { ...system, platform: 'freebsd' })).toBeUndefined();
});

test('a run is known to be one at login', () => {
  expect(isOpenedAtLogin(anApp().app, ['dailies', '--at-login'], 'linux')).toBe(true);
  expect(isOpenedAtLogin(anApp().app, ['dailies'], 'linux')).toBe(false);
  expect(isOpenedAtLogin(anApp(true, true).app, ['dailies'], 'darwin')).toBe(true);
  expect(isOpenedAtLogin(anApp(true, true).app, ['dailies'], 'win32')).toBe(false);
});
