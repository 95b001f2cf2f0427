import { app } from 'electron';
import { setHostLanguage } from '../common/language.ts';
import { knownFlags, parseFlags } from '../launch/flags.ts';
import { runTyped, typedWords } from './typed.ts';

/**
 * Electron's entry: sets the language before the host's modules are loaded. Electron becomes ready once this import has settled; a typed
 * command finishes before that, so it needs no window, display or lock.
 */
const typed = typedWords(process.argv, app.isPackaged);
if (typed) app.exit(await runTyped(typed, process.platform));
else {
  const parsed = parseFlags(knownFlags(process.argv));
  const flags = parsed.ok ? parsed.flags : undefined;
  setHostLanguage({ flag: flags?.language, dataDir: flags?.dataDir, system: app.getPreferredSystemLanguages() });
  await import('./main.ts');
}
