import { dialog } from 'electron';
import { t } from '../../../shared/texts.ts';

/** Asks what to do when the page crashes repeatedly; the studio is not affected. */
export async function askAfterCrashes(load: () => void, quit: () => unknown): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: t`The page of Dailies crashed several times within a minute.`,
    detail: t`What runs goes on without it.`,
    buttons: [t`Load it again`, t`Quit`],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 0) load();
  else quit();
}

let isAsking = false;

/** Asks, once at a time, what to do with a page that does not answer. It may be busy, so waiting is the default. */
export async function askWhileHanging(load: () => void): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: t`The page of Dailies does not answer.`,
    detail: t`What runs goes on without it. Loaded again, it shows everything that was saved.`,
    buttons: [t`Wait`, t`Load it again`],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  isAsking = false;
  if (response === 1) load();
}
