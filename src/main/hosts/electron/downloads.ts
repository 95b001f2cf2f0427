import { dialog, type Session } from 'electron';
import { t } from '../../../shared/text/texts.ts';
import type { Logger } from '../../core/ports.ts';
import { isOfLibrary, isOwnDownload } from './origin.ts';

/** Saves downloads of our pages where the user chooses; every other download is refused. */
export function saveDownloads(of: Session, log: Logger): void {
  of.on('will-download', (event, item) => {
    if (!isOwnDownload(item.getURL())) {
      event.preventDefault();
      return log.warn({ url: item.getURL().slice(0, 200) }, 'a download that is not ours was refused');
    }
    // Without a title the dialog would show the address.
    item.setSaveDialogOptions({ title: t`Save`, properties: ['createDirectory', 'showOverwriteConfirmation'] });
    item.once('done', (_, state) => {
      if (state === 'interrupted') void notifyInterrupted(item.getFilename(), isOfLibrary(item.getURL()));
    });
  });
}

export function refuseDownloads(of: Session): void {
  of.on('will-download', (event) => event.preventDefault());
}

/** A file that the page generated, such as a table, exists nowhere else. */
const notifyInterrupted = (name: string, isKept: boolean): Promise<unknown> =>
  dialog.showMessageBox({
    type: 'error',
    message: t`${name} could not be saved.`,
    detail: isKept
      ? t`The disk may be full, or the folder not writable. The library still has it.`
      : t`The disk may be full, or the folder not writable. Save it again.`,
    buttons: [t`OK`],
    noLink: true,
  });
