import { app } from 'electron';
import { setHostLanguage } from '../common/language.ts';
import { knownFlags, parseFlags } from '../launch/flags.ts';

/** What Electron starts: the host, in the language that is set before its modules are loaded. Electron is ready once this module's import has settled. */
const parsed = parseFlags(knownFlags(process.argv));
const flags = parsed.ok ? parsed.flags : undefined;
setHostLanguage({ flag: flags?.language, dataDir: flags?.dataDir, system: app.getPreferredSystemLanguages() });
await import('./main.ts');
