import { type APIResponse, type Browser, chromium, type Locator, type Page, type Route } from 'playwright';
import { type Chromium, findChromium, QUIET_FLAGS } from '../../src/main/hosts/common/chromium.ts';
import { labels } from '../labels.ts';
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

export async function openPage(browser: Browser, width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(PATIENCE_MS);
  // Playwright intercepts file choosers only while something listens. A listener added after the click could come too late.
  page.on('filechooser', () => {});
  return page;
}

/** The main element of a place such as `queue`, `library?q=x` or `settings?section=folder`. */
function mainOf(place: string): string {
  const [path = '', query = ''] = place.split('?');
  const asked = new URLSearchParams(query);
  const page = asked.has('import') ? 'batch' : path.split('/').at(-1);
  const section = asked.has('section') ? `[data-section="${asked.get('section')}"]` : '';
  return `main[data-page="${page}"]${section}`;
}

/**
 * Waits until the page of the place, such as `settings?section=folder`, exists and has read its content. A load state would not do: it is
 * that of the last load, whatever the hash becomes.
 */
export async function arrived(page: Page, place: string): Promise<void> {
  await page.locator(mainOf(place)).waitFor();
  await whenRead(page);
}

/** Waits until the page has loaded all its data. */
export async function whenRead(page: Page): Promise<void> {
  await page.locator('.skel, [aria-busy=true]').first().waitFor({ state: 'detached' });
}

export async function visit(page: Page, place: string): Promise<void> {
  // After the hash changes, the old page's `main` stays for two more frames.
  await page.evaluate(`(async () => {
    const hash = ${JSON.stringify(`#/${place}`)};
    if (location.hash !== hash) {
      const heard = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
      location.hash = hash;
      await heard;
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  })()`);
  await arrived(page, place);
}

/** The position of an element; an element that is not shown is an error. */
export async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not shown.`);
  return box;
}

interface Box {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number };
  contains(other: unknown): boolean;
  ownerDocument: { elementFromPoint(x: number, y: number): unknown };
}

/** Runs in the page: whether a click on the middle of the element would hit it. */
export function isOnTop(node: unknown): boolean {
  const element = node as Box;
  const { left, top, width, height } = element.getBoundingClientRect();
  const met = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
  return met !== null && element.contains(met);
}

/** Signs a page in at the host's address, and goes to the place. */
export async function openAt(page: Page, host: { url: string }, hash: string): Promise<void> {
  await page.goto(host.url);
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await page.evaluate((place) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = place;
  }, hash);
}

/**
 * The studio's answer to a page's call, sent with its own body or another one. The call is repeated because an idle connection may just be
 * closing.
 */
export const answerTo = (route: Route, postData?: string): Promise<APIResponse> =>
  route.fetch({ maxRetries: 3, ...(postData !== undefined && { postData }) });
