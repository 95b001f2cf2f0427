import type { AppInfo } from '../../shared/contract/contract.ts';

/** What a studio says of itself in the desktop window. */
export const anAppInfo = (more: Partial<AppInfo> = {}): AppInfo => ({
  version: '1',
  host: 'electron',
  dataDir: '/d',
  profileId: 'p',
  offline: false,
  awake: 'free',
  webhookAddress: 'http://127.0.0.1:4123',
  ...more,
});
