import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { HostPlace } from '../../../shared/contract/hostEvents.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Logger } from '../../core/ports.ts';

const ICON = join(import.meta.dirname, '..', '..', 'resources', 'tray.png');

export interface TrayIcon {
  /** Shows the icon while Dailies works without a window; `what` describes the work. */
  show(what: TrayWork): void;
  hide(): void;
  isShown(): boolean;
}

/** The work in one line, and whether a run is scheduled or open. */
export interface TrayWork {
  summary: string;
  hasNight: boolean;
}

export interface TrayActions {
  open(): void;
  go(place: HostPlace): void;
  quit(): unknown;
}

/** The icon's menu. It leads to pages, where the consequences of an action are in view. */
export function trayMenu({ summary, hasNight }: TrayWork, act: TrayActions): MenuItemConstructorOptions[] {
  return [
    { label: summary, enabled: false },
    { type: 'separator' },
    { label: t`Open Dailies`, click: () => act.open() },
    { label: t`Show the queue`, click: () => act.go('queue') },
    ...(hasNight ? [{ label: t`Show the run`, click: () => act.go('night') }] : []),
    { type: 'separator' },
    { label: t`Quit`, click: () => void act.quit() },
  ];
}

/** The tray icon, the way back to a Dailies without a window; none on systems that take no icon. */
export function createTray(act: TrayActions, log: Logger): TrayIcon {
  // A tray icon without a reference is garbage-collected and vanishes.
  let tray: Tray | undefined;
  return {
    show(work) {
      try {
        tray ??= new Tray(ICON).on('click', () => act.open());
      } catch (error) {
        return log.warn({ error: String(error) }, 'there is no place for a tray icon');
      }
      tray.setToolTip(`Dailies: ${work.summary}`);
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(work, act)));
    },
    hide() {
      tray?.destroy();
      tray = undefined;
    },
    isShown: () => tray !== undefined,
  };
}
