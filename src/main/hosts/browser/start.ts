import { setHostLanguage } from '../common/language.ts';
import type { Flags } from '../launch/flags.ts';

/** What `npm start` calls: the browser host, in the language that is set before its modules are loaded. */
export async function runBrowserHost(flags: Flags): Promise<void> {
  const system = [Intl.DateTimeFormat().resolvedOptions().locale];
  setHostLanguage({ flag: flags.language, dataDir: flags.dataDir, system });
  const host = await import('./main.ts');
  await host.runBrowserHost(flags);
}
