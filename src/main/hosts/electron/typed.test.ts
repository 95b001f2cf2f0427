import { expect, test } from 'vitest';
import { launcherIn, typedWords } from './typed.ts';

const program = '/opt/Dailies/dailies';

test.each([
  [
    ['status', '--json'],
    ['status', '--json'],
  ],
  [['--no-sandbox', 'mcp'], ['mcp']],
  [
    ['--no-sandbox', 'cli', 'batch', 'film.csv'],
    ['batch', 'film.csv'],
  ],
  [['cli', '--json'], ['--json']],
  [['cli'], []],
  [['--help'], ['--help']],
  [['stauts'], ['stauts']],
])('%j is a command line', (words, typed) => expect(typedWords([program, ...words], true)).toEqual(typed));

test.each([
  [],
  ['ferry.dailies'],
  ['/films/ferry'],
  ['dailies://job/job_1'],
  ['--at-login'],
  ['--data-dir', 'batch'],
  ['--no-sandbox', '--data-dir', 'batch', 'ferry.dailies'],
  ['C:\\films\\ferry.dailies'],
])('%j opens the window', (...words) => expect(typedWords([program, ...words], true)).toBeUndefined());

test('what Electron starts from source has its own way to the commands', () => {
  expect(typedWords(['electron', '.', 'status'], false)).toBeUndefined();
});

test('what is typed is the launcher, or the image that has no place of its own', () => {
  const at = { platform: 'linux', resourcesPath: '/opt/Dailies/resources' } as const;
  expect(launcherIn({ ...at, env: {} })).toBe('/opt/Dailies/resources/bin/dailies');
  expect(launcherIn({ ...at, env: { APPIMAGE: '/home/a/Dailies.AppImage' } })).toBe('/home/a/Dailies.AppImage');
});
