import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The default data folder: each system's own place for application data. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  const home = homedir() || userInfo().homedir;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Dailies');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Dailies');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'dailies');
}
