import { type Browser, chromium, type Page } from 'playwright';
import { type Chromium, findChromium, QUIET_FLAGS } from '../../src/main/hosts/common/chromium.ts';
import { PATIENCE_MS } from './patience.ts';

const NONE =
  'No browser for this test: set CHROME_PATH, install Chrome or Chromium, or install @sparticuz/chromium (linux-x64).';

/** The browser that tests run in; without one the test fails with one line. */
export async function testChromium(): Promise<Chromium> {
  const found = await findChromium();
  if (!found) throw new Error(NONE);
  return found;
}

/** Chromium without a window, driven by Playwright. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { path, env } = await testChromium();
  return chromium.launch({
    executablePath: path,
    args: [...QUIET_FLAGS],
    env: { ...process.env, ...env } as Record<string, string>,
  });
}

/** Opens a page whose waits allow for a busy machine. */
export async function openPage(browser: Browser, width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(PATIENCE_MS);
  // File choosers are intercepted from the start: switched on with a wait for one, a press may overtake it.
  page.on('filechooser', () => {});
  return page;
}

/** Signs a page in at the host's address, which takes the hash itself, and goes to the place. */
export async function openAt(page: Page, host: { url: string }, hash: string): Promise<void> {
  await page.goto(host.url);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.evaluate((place) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = place;
  }, hash);
}
