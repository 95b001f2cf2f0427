import { isatty } from 'node:tty';
import { app, dialog } from 'electron';
import { isReadInTerminal, refusalCode } from '../launch/electronRun.ts';

/**
 * Reports a fatal error: one sentence on stderr and, for users who clicked an icon, a dialog. In the launcher's terminal there is no dialog,
 * which would keep the launcher waiting. On Linux a dialog needs a ready Electron; earlier errors go to stderr.
 */
export async function endWithError(message: string, code: number): Promise<void> {
  process.stderr.write(`${message}\n`);
  if (isReadInTerminal(process.argv, isatty(0))) return app.exit(refusalCode(code));
  if (process.platform === 'linux') await app.whenReady();
  dialog.showErrorBox('Dailies', message);
  app.exit(refusalCode(code));
}

export const sentenceOf = (error: unknown): string =>
  `Dailies could not start: ${error instanceof Error ? error.message : String(error)}`;
