import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** How a fatal error is reported, depending on how Dailies was started. */

const { told, terminal } = vi.hoisted(() => ({ told: [] as unknown[][], terminal: { is: false } }));
vi.mock('node:tty', async (original) => ({ ...(await original<object>()), isatty: () => terminal.is }));
vi.mock('electron', () => ({
  app: { whenReady: async () => undefined, exit: (code: number) => told.push(['exit', code]) },
  dialog: { showErrorBox: (...words: string[]) => told.push(['box', ...words]) },
}));
const { endWithError } = await import('./fatal.ts');

const argv = process.argv;
let said: string[];
beforeEach(() => {
  told.length = 0;
  said = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  ['the launcher, in a terminal', { launched: '1', isTerminal: true, flags: [] }, [['exit', 65]]],
  ['the launcher, told to open nothing', { launched: '1', isTerminal: false, flags: ['--no-open'] }, [['exit', 65]]],
  [
    'the launcher, from an icon',
    { launched: '1', isTerminal: false, flags: [] },
    [
      ['box', 'Dailies', 'It is in use.'],
      ['exit', 65],
    ],
  ],
  [
    'an icon',
    { launched: undefined, isTerminal: false, flags: [] },
    [
      ['box', 'Dailies', 'It is in use.'],
      ['exit', 1],
    ],
  ],
  [
    'a terminal without the launcher',
    { launched: undefined, isTerminal: true, flags: [] },
    [
      ['box', 'Dailies', 'It is in use.'],
      ['exit', 1],
    ],
  ],
])('started by %s', async (_, { launched, isTerminal, flags }, expected) => {
  vi.stubEnv('DAILIES_LAUNCHED', launched);
  terminal.is = isTerminal;
  process.argv = ['electron', '.', ...flags];
  await endWithError('It is in use.', 1);
  expect(said).toEqual(['It is in use.\n']);
  expect(told).toEqual(expected);
});
