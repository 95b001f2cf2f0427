import { app } from 'electron';
import { setHostLanguage } from '../common/language.ts';
import { knownFlags, parseFlags } from '../launch/flags.ts';
import { runTyped, typedWords } from './typed.ts';

/**
 * What Electron starts: the host, in the language that is set before its modules are loaded. Electron is ready once this module's import has
 * settled; a command that was typed is done before that, so it has no window, no display and no lock.
 */
const typed = typedWords(process.argv, app.isPackaged);
if (typed) app.exit(await runTyped(typed, process.platform));
else {
  const parsed = parseFlags(knownFlags(process.argv));
  const flags = parsed.ok ? parsed.flags : undefined;
  setHostLanguage({ flag: flags?.language, dataDir: flags?.dataDir, system: app.getPreferredSystemLanguages() });
  await import('./main.ts');
}
