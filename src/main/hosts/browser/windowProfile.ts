import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Chromium asks before it offers to keep a password: a key that is typed must not be offered a place in a file. */
const PREFERENCES = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false, password_manager_leak_detection: false },
  autofill: { enabled: false, profile_enabled: false, credit_card_enabled: false },
};

/** Before the first start of a window's own browser profile; what Chromium wrote into it later stays. */
export function keepNoPasswords(profileDir: string): void {
  const folder = join(profileDir, 'Default');
  const file = join(folder, 'Preferences');
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(PREFERENCES), { mode: 0o600 });
}
