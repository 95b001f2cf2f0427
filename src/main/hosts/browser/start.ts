import { setHostLanguage } from '../common/language.ts';
import type { Flags } from '../launch/flags.ts';

/** The entry of `npm start`: sets the language before the modules of the browser host are loaded. */
export async function runBrowserHost(flags: Flags): Promise<void> {
  const system = [Intl.DateTimeFormat().resolvedOptions().locale];
  setHostLanguage({ flag: flags.language, dataDir: flags.dataDir, system });
  const host = await import('./main.ts');
  await host.runBrowserHost(flags);
}
