import { expect, test } from 'vitest';
import { checksSpelling } from './spelling.ts';

test.each([
  [{ spelling: true }, 'linux', true],
  [{ spelling: false }, 'darwin', false],
  [{}, 'darwin', true],
  [{}, 'win32', false],
  [undefined, 'linux', false],
  ['no settings', 'linux', false],
  [{ spelling: 'yes' }, 'linux', false],
  [{ theme: 'sepia', spelling: true }, 'linux', true],
] as const)('with %j stored, on %s words are checked: %s', (stored, platform, isChecked) => {
  expect(checksSpelling(stored, platform)).toBe(isChecked);
});
