import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { build, preview } from 'vite';
import { openPage } from '../helpers/browser.ts';
import { root } from '../helpers/host.ts';
import { within } from './within.ts';

const BUILD_MS = 120_000;
const CLOSE_MS = 20_000;

/**
 * Gives `use` the page of `test/e2e/parts/pages/markdown`, which draws the same with plain react-markdown, built like the program's pages.
 */
export async function withPlainMarkdown<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const outDir = mkdtempSync(join(tmpdir(), 'dailies-bench-'));
  const shared = {
    configFile: false as const,
    root: join(root, 'test/e2e/parts/pages/markdown'),
    logLevel: 'error' as const,
  };
  const built = build({ ...shared, base: './', build: { outDir, emptyOutDir: true } });
  await within(BUILD_MS, 'the page of react-markdown was not built', built);
  const server = await preview({ ...shared, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const page = await openPage(browser, 1440, 900);
  try {
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.waitForFunction('window.handles');
    return await use(page);
  } finally {
    await page.close();
    await within(CLOSE_MS, 'the server of the page of react-markdown had not closed', server.close());
    rmSync(outDir, { recursive: true, force: true });
  }
}
