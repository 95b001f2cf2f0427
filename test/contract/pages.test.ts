import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openAt, openPage, visit } from '../helpers/browser.ts';
import { type ElectronRun, startElectron } from '../helpers/electron.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

/** The built pages run under both hosts' content policies; the console reports violations. */

let host: Host;
let browser: Browser;
let run: ElectronRun;
beforeAll(async () => {
  [host, browser, run] = await Promise.all([startHost(), launchBrowser(), startElectron()]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([host?.stop(), run?.stop()]);
});

const faultsOf = (page: Page): string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return faults;
};

const PLACES = ['chat', 'storyboard', 'images', 'queue', 'review', 'library', 'spend', 'settings', 'help'];

async function visitAll(page: Page): Promise<void> {
  await page.locator('nav').first().waitFor();
  for (const place of PLACES) await visit(page, place);
}

test('every page of the browser host renders without a policy violation', async () => {
  await host.ask('settings.set', { welcomed: true });
  const page = await openPage(browser, 1280, 720);
  // Chromium's value on a system with language C.
  await page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'language', { configurable: true, get: () => 'en-US@posix' })`,
  );
  const faults = faultsOf(page);
  await page.goto(host.url);
  await visitAll(page);
  expect(faults).toEqual([]);
  expect(page.url()).not.toContain('token');
});

test('every page of the Electron host renders without a policy violation', async () => {
  await run.page.evaluate(() => globalThis.dailies.call('settings.set', { welcomed: true }));
  const faults = faultsOf(run.page);
  await run.page.reload();
  await visitAll(run.page);
  expect(faults).toEqual([]);
});

test('the media page runs in a page of its own', async () => {
  const page = await openPage(browser, 1280, 720);
  const faults = faultsOf(page);
  const claimed = page.waitForRequest((request) => request.url().endsWith('/rpc/media.claim'));
  await page.goto(`${host.origin}/media.html?token=${host.token}`);
  await claimed;
  expect(faults).toEqual([]);
});

test('a file of the library is saved as a download of the browser', async () => {
  const picture = testPng(64, 36);
  await host.request('/media?name=fox.png', { method: 'PUT', body: picture as Uint8Array<ArrayBuffer> });
  const { assets } = await host.ask('library.list', { limit: 1 });
  const page = await openPage(browser, 1440, 900);
  await openAt(page, host, `#/library?asset=${assets[0]?.id}`);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByText('Save a copy').click()]);
  expect(saved.suggestedFilename()).toBe('fox.png');
  expect(readFileSync(await saved.path()).equals(picture)).toBe(true);
  await page.close();
});
