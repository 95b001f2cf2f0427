import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps Chromium from offering to save passwords: a typed key must not end up in its files. */
const PREFERENCES = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false, password_manager_leak_detection: false },
  autofill: { enabled: false, profile_enabled: false, credit_card_enabled: false },
};

/** Called before the first start of the window's browser profile; later files of Chromium are kept. */
export function disablePasswordSaving(profileDir: string): void {
  const folder = join(profileDir, 'Default');
  const file = join(folder, 'Preferences');
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(PREFERENCES), { mode: 0o600 });
}
