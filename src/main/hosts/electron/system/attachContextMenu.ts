import { type BrowserWindow, clipboard, Menu, shell } from 'electron';
import type { Studio } from '../../../core/studio.ts';
import { APP_ORIGIN } from '../origin.ts';
import { contextMenuOf, popupFor } from './contextMenu.ts';

/** The menu of a right click in the window. */
export function attachContextMenu(window: BrowserWindow, studio: () => Studio | undefined): void {
  const { webContents: contents } = window;
  contents.on('context-menu', (_, on) => {
    const template = contextMenuOf(on, {
      replaceWord: (word) => contents.replaceMisspelling(word),
      learnWord: (word) => void contents.session.addWordToSpellCheckerDictionary(word),
      copyPicture: () => contents.copyImageAt(on.x, on.y),
      copyLink: (address) => clipboard.writeText(address),
      save: (id) => contents.downloadURL(`${APP_ORIGIN}/media/${encodeURIComponent(id)}`),
      showInFolder(id) {
        // An id of the library, never a path.
        const file = studio()?.media.open(id);
        if (file?.ok) shell.showItemInFolder(file.data.path);
      },
    });
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window, ...popupFor(on) });
  });
}
