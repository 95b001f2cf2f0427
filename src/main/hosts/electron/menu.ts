import type { MenuItemConstructorOptions } from 'electron';
import type { HostPlace } from '../../../shared/contract/hostEvents.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { t } from '../../../shared/text/texts.ts';

type Item = MenuItemConstructorOptions;

export interface RecentProject {
  id: string;
  name: string;
}

export interface MenuParts {
  platform: NodeJS.Platform;
  recent: readonly RecentProject[];
  go(place: HostPlace): void;
  openProject(id: string): void;
  showDataFolder(): void;
  quit(): unknown;
}

const LINE: Item = { type: 'separator' };
/** Longer names would make the menu as wide as the screen. */
const LONGEST_NAME = 60;

const PAGES: readonly [label: string, place: HostPlace][] = [
  ['Chat', 'chat'],
  ['Storyboard', 'storyboard'],
  ['Images', 'images'],
  ['Queue', 'queue'],
  ['Night', 'night'],
  ['Library', 'library'],
  ['Spend', 'spend'],
];

/** The program's menu in each system's form. Nothing in it sends or spends. */
export function menuTemplate(parts: MenuParts): Item[] {
  const onMac = parts.platform === 'darwin';
  return [
    ...(onMac ? [macMenu(parts)] : []),
    fileMenu(parts, onMac),
    { role: 'editMenu' },
    viewMenu(parts),
    { role: 'windowMenu' },
    helpMenu(parts, onMac),
  ];
}

const settings = ({ go }: MenuParts): Item => ({
  label: t`Settings…`,
  accelerator: 'CommandOrControl+,',
  click: () => go('settings'),
});
/** The standard role would end active work without asking. */
const quitItem = ({ quit }: MenuParts): Item => ({
  label: t`Quit Dailies`,
  accelerator: 'CommandOrControl+Q',
  click: () => void quit(),
});
const about = ({ go }: MenuParts): Item => ({ label: t`About Dailies`, click: () => go('about') });

const macMenu = (parts: MenuParts): Item => ({
  label: 'Dailies',
  submenu: [
    about(parts),
    LINE,
    settings(parts),
    LINE,
    { role: 'services' },
    LINE,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    LINE,
    quitItem(parts),
  ],
});

const fileMenu = (parts: MenuParts, onMac: boolean): Item => ({
  label: t`File`,
  submenu: [
    { label: t`Open a bundle`, click: () => parts.go('openBundle') },
    { label: t`Recent projects`, enabled: parts.recent.length > 0, submenu: recentItems(parts) },
    LINE,
    { label: t`Show the data folder`, click: () => parts.showDataFolder() },
    LINE,
    ...(onMac ? [{ role: 'close' } satisfies Item] : [settings(parts), LINE, quitItem(parts)]),
  ],
});

/** Also for the Dock. On Windows and Linux `&` in a label would underline the next letter. */
export const recentItems = ({ recent, openProject }: Pick<MenuParts, 'recent' | 'openProject'>): Item[] =>
  recent.map(({ id, name }) => ({ label: labelOf(name), click: () => openProject(id) }));

const labelOf = (name: string): string => shortened(safeName(name), LONGEST_NAME).replaceAll('&', '&&');

const viewMenu = ({ go }: MenuParts): Item => ({
  label: t`View`,
  submenu: [
    ...PAGES.map(([label, place]): Item => ({ label, click: () => go(place) })),
    LINE,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    LINE,
    { role: 'togglefullscreen' },
    { role: 'toggleDevTools' },
  ],
});

const helpMenu = (parts: MenuParts, onMac: boolean): Item => ({
  role: 'help',
  label: t`Help`,
  submenu: [
    { label: t`Guide`, click: () => parts.go('help') },
    { label: t`Keyboard shortcuts`, click: () => parts.go('shortcuts') },
    { label: t`Diagnostics`, click: () => parts.go('diagnostics') },
    { label: t`Updates`, click: () => parts.go('computer') },
    ...(onMac ? [] : [LINE, about(parts)]),
  ],
});
