import { join } from 'node:path';
import { Menu, Tray } from 'electron';
import type { Logger } from '../../core/ports.ts';

const ICON = join(import.meta.dirname, '..', '..', 'resources', 'tray.png');

export interface TrayIcon {
  /** Shows the icon while Dailies works without a window; `what` describes the work. */
  show(what: string): void;
  hide(): void;
  isShown(): boolean;
}

/** The tray icon, by which the user gets back to a Dailies without a window; where the system takes no icon, none is shown. */
export function createTray(open: () => void, quit: () => unknown, log: Logger): TrayIcon {
  // A tray icon without a reference is collected and vanishes.
  let tray: Tray | undefined;
  return {
    show(what) {
      try {
        tray ??= new Tray(ICON).on('click', open);
      } catch (error) {
        return log.warn({ error: String(error) }, 'there is no place for a tray icon');
      }
      tray.setToolTip(`Dailies: ${what}`);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: what, enabled: false },
          { type: 'separator' },
          { label: 'Open Dailies', click: open },
          { label: 'Quit', click: () => void quit() },
        ]),
      );
    },
    hide() {
      tray?.destroy();
      tray = undefined;
    },
    isShown: () => tray !== undefined,
  };
}
