import { type BrowserWindow, dialog, type MessageBoxOptions, type MessageBoxReturnValue } from 'electron';
import { t } from '../../../shared/text/texts.ts';

/** The page's window, while there is one. */
type Window = BrowserWindow | undefined;

/**
 * On macOS a message box without a window is synchronous and ignores `signal` (electron.d.ts, `MessageBoxOptions`). Elsewhere it gets none,
 * so that the window can be closed.
 */
const askBeside = (window: Window, options: MessageBoxOptions): Promise<MessageBoxReturnValue> =>
  window && process.platform === 'darwin' ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);

/** Asks what to do when the page crashes repeatedly; the studio is not affected. */
export async function askAfterCrashes(window: Window, load: () => void, quit: () => unknown): Promise<void> {
  const { response } = await askBeside(window, {
    type: 'error',
    message: t`The Dailies page crashed several times within a minute.`,
    detail: t`Running jobs continue.`,
    buttons: [t`Reload`, t`Quit`],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 0) load();
  else quit();
}

let isAsking = false;

/**
 * Asks once at a time about a page that does not answer. It may be busy, so waiting is the default. `over` closes the question, and a late
 * answer ends no page that works again.
 */
export async function askWhileHanging(window: Window, load: () => void, over: AbortSignal): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const { response } = await askBeside(window, {
    type: 'warning',
    message: t`The Dailies page does not answer.`,
    detail: t`Running jobs continue. Reload to see everything that was saved.`,
    buttons: [t`Wait`, t`Reload`],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal: over,
  });
  isAsking = false;
  if (response === 1 && !over.aborted) load();
}
