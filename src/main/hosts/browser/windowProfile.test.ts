import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { keepNoPasswords } from './windowProfile.ts';

test("a window's own browser never offers to keep a key; what it has set by then stays", () => {
  const dir = tempDir('window');
  const file = join(dir, 'Default', 'Preferences');
  keepNoPasswords(dir);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    credentials_enable_service: false,
    profile: { password_manager_enabled: false },
  });
  mkdirSync(join(dir, 'Default'), { recursive: true });
  writeFileSync(file, '{"own":1}');
  keepNoPasswords(dir);
  expect(readFileSync(file, 'utf8')).toBe('{"own":1}');
});
