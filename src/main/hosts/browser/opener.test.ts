import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../../../../test/helpers/fakeBrowser.ts';
import { openAppWindow } from './opener.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-opener-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const ADDRESS = 'http://127.0.0.1:9/?token=a-ticket';

/** Bug: every account of a machine reads command lines, and whoever was faster had the page's key for good. */
test.skipIf(process.platform === 'win32')('the address of the window is on no command line', async () => {
  const browser = fakeBrowser(folder);
  vi.stubEnv('CHROME_PATH', browser.path);
  const onClosed = vi.fn();
  const window = openAppWindow(() => ADDRESS, join(folder, 'profile'), onClosed);
  await expect.poll(browser.address).toBe(ADDRESS);
  expect(browser.words()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^--app=data:text\/html,/), '--remote-debugging-pipe']),
  );
  expect(browser.words().join(' ')).not.toContain('token');
  await window.close();
  expect(onClosed).not.toHaveBeenCalled();
});

test.skipIf(process.platform !== 'linux')(
  'a browser that is not led is ended, and the user’s own opens once',
  async () => {
    const opened = join(folder, 'opened');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`);
    chmodSync(join(folder, 'xdg-open'), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    vi.stubEnv('DISPLAY', ':99');
    const browser = fakeBrowser(folder, { isRefusing: true });
    vi.stubEnv('CHROME_PATH', browser.path);
    const window = openAppWindow(
      () => ADDRESS,
      join(folder, 'profile'),
      () => undefined,
    );
    const text = () => {
      try {
        return readFileSync(opened, 'utf8');
      } catch {
        return '';
      }
    };
    await expect.poll(text).toBe(`${ADDRESS}\n`);
    await window.close();
    expect(text()).toBe(`${ADDRESS}\n`);
  },
);
