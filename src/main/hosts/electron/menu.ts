import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The usual menu of a program; Dailies' own commands are in its palette. Quit is custom: the standard role would end active work without
 * asking.
 */
export function appMenu(quit: () => unknown): Menu {
  const quitItem: MenuItemConstructorOptions = {
    label: 'Quit Dailies',
    accelerator: 'CommandOrControl+Q',
    click: () => void quit(),
  };
  const macMenu: MenuItemConstructorOptions[] = [
    { role: 'about' },
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    quitItem,
  ];
  const first: MenuItemConstructorOptions =
    process.platform === 'darwin' ? { label: 'Dailies', submenu: macMenu } : { label: 'File', submenu: [quitItem] };
  return Menu.buildFromTemplate([
    first,
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ]);
}
