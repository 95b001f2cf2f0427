import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { type MenuParts, menuTemplate } from './menu.ts';

const parts = (platform: NodeJS.Platform) => ({
  platform,
  recent: [
    { id: 'p1', name: 'Salt & Pepper' },
    { id: 'p2', name: `exe.${'a'.repeat(100)}` },
    { id: 'p3', name: 'The last ferry over to the island, before the bridge, was built' },
  ],
  go: vi.fn<MenuParts['go']>(),
  openProject: vi.fn<MenuParts['openProject']>(),
  showDataFolder: () => undefined,
  quit: () => undefined,
});
const submenu = (menu: MenuItemConstructorOptions[], label: string) =>
  (menu.find((item) => item.label === label)?.submenu ?? []) as MenuItemConstructorOptions[];
const labels = (items: MenuItemConstructorOptions[]) => items.flatMap(({ label, role }) => label ?? role ?? []);
const click = (item: MenuItemConstructorOptions | undefined) => (item?.click as (() => void) | undefined)?.();

test.each(['darwin', 'win32', 'linux'] as const)(
  'on %s Settings, Help and About are where they are looked for',
  (platform) => {
    const given = parts(platform);
    const menu = menuTemplate(given);
    const home = submenu(menu, platform === 'darwin' ? 'Dailies' : 'File');
    expect(labels(home)).toEqual(expect.arrayContaining(['Settings…', 'Quit Dailies']));
    expect(labels(submenu(menu, platform === 'darwin' ? 'Dailies' : 'Help'))).toContain('About Dailies');
    expect(labels(submenu(menu, 'Help'))).toEqual(
      expect.arrayContaining(['Guide', 'Keyboard shortcuts', 'Diagnostics']),
    );
    click(home.find(({ label }) => label === 'Settings…'));
    expect(given.go).toHaveBeenCalledWith('settings');
  },
);

test('recent projects are opened by their id; a name is one short line, and its & is one', () => {
  const given = parts('linux');
  const recent = submenu(submenu(menuTemplate(given), 'File'), 'Recent projects');
  expect(recent[0]?.label).toBe('Salt && Pepper');
  expect(recent[1]?.label).toHaveLength(60);
  expect(recent[2]?.label).toBe('The last ferry over to the island, before the bridge, was…');
  click(recent[0]);
  expect(given.openProject).toHaveBeenCalledWith('p1');
  const none = submenu(menuTemplate({ ...given, recent: [] }), 'File').find(({ label }) => label === 'Recent projects');
  expect(none?.enabled).toBe(false);
});
