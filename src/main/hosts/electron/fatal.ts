import { isatty } from 'node:tty';
import { app, dialog } from 'electron';
import { isReadInTerminal, refusalCode } from '../launch/electronRun.ts';

/**
 * What keeps Dailies from starting, or ends it: one sentence on stderr for who started it there, and a box for who clicked an icon.
 * Who reads stderr in the launcher's terminal gets no box, which would have to be closed before the launcher ends. On Linux a box can be shown only once Electron is ready; what is asked of it before goes to stderr.
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
