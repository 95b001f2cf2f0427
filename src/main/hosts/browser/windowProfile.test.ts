import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { disablePasswordSaving } from './windowProfile.ts';

test("a window's own browser never offers to keep a key; what it has set by then stays", () => {
  const dir = tempDir('window');
  const file = join(dir, 'Default', 'Preferences');
  disablePasswordSaving(dir);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    credentials_enable_service: false,
    profile: { password_manager_enabled: false },
  });
  mkdirSync(join(dir, 'Default'), { recursive: true });
  writeFileSync(file, '{"own":1}');
  disablePasswordSaving(dir);
  expect(readFileSync(file, 'utf8')).toBe('{"own":1}');
});
