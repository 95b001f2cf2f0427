import { expect, test } from 'vitest';
import { knownFlags, parseFlags, whyNotInWindow } from './flags.ts';

test('every flag is read, with its value beside it or after an equals sign', () => {
  const words = [
    '--host',
    'browser',
    '--data-dir=/tmp/a b',
    '--port',
    '0',
    '--no-open',
    '--sandbox-speed',
    'fast',
    '--sandbox-media',
    'tiny',
  ];
  expect(parseFlags(words)).toEqual({
    ok: true,
    flags: { host: 'browser', dataDir: '/tmp/a b', port: 0, open: false, sandboxSpeed: 'fast', sandboxMedia: 'tiny' },
  });
});

test('a token is renewed on request, and the flag takes no value', () => {
  expect(parseFlags(['--renew-token'])).toMatchObject({ ok: true, flags: { renewToken: true } });
  expect(parseFlags(['--renew-token=yes'])).toMatchObject({ ok: false });
  expect(knownFlags(['electron', '--renew-token', '--inspect'])).toEqual(['--renew-token']);
});

test('without flags any port is used and a window is opened', () => {
  expect(parseFlags([])).toEqual({ ok: true, flags: { port: 0, open: true } });
});

test.each([
  [['--host', 'firefox'], '--host must be electron or browser.'],
  [['--port', '65536'], '--port must be a whole number from 0 to 65535.'],
  [['--port', '1e3'], '--port must be a whole number from 0 to 65535.'],
  [['--port', '-1'], '--port must be a whole number from 0 to 65535.'],
  [['--data-dir', ''], '--data-dir must be a folder.'],
  [['--sandbox-speed', '0'], "--sandbox-speed must be a number above 0, or 'fast'."],
  [['--sandbox-media', 'small'], '--sandbox-media must be full or tiny.'],
  [['--sandbox-speed', 'Infinity'], "--sandbox-speed must be a number above 0, or 'fast'."],
  [['--port', '1', '--port=2'], '--port is given twice.'],
])('%j is refused in one sentence', (words, message) => {
  expect(parseFlags(words)).toEqual({ ok: false, message });
});

test.each([[['--prot', '1']], [['start']], [['--no-open=yes']], [['--port']]])(
  '%j is refused and the usage is told',
  (words) => {
    expect(parseFlags(words)).toMatchObject({ ok: false, message: expect.stringContaining('Usage: npm start') });
  },
);

test("only our own flags are read from Electron's command line", () => {
  const words = ['/bin/electron', '--inspect=0', '--no-sandbox', '/app', '--data-dir', '/d', '--lang=de', '--no-open'];
  expect(knownFlags(words)).toEqual(['--data-dir', '/d', '--no-open']);
});

test.each([['--renew-token'], ['--port=4000'], ['--public-url=https://studio.example/']])(
  '%s has no meaning for the desktop window, and says so',
  (word) => {
    const parsed = parseFlags([word]);
    if (!parsed.ok) throw new Error(parsed.message);
    expect(whyNotInWindow(parsed.flags)).toBe(
      `${word.split('=')[0]} is for the browser host, and a desktop window would open: add --host browser.`,
    );
  },
);

test('the other flags are for both hosts', () => {
  const parsed = parseFlags(['--data-dir=/d', '--no-open', '--language=de', '--port=0']);
  expect(parsed.ok && whyNotInWindow(parsed.flags)).toBeUndefined();
});
