import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { namedH264 } from '../../../electron.vite.config.ts';
import { launchBrowser, openPage } from '../../helpers/browser.ts';

/** The pages of `test/e2e/parts/pages`, built like the program's, in a real browser. */
export class TestPages {
  private readonly server: ViteDevServer;
  private readonly browser: Browser;

  private constructor(server: ViteDevServer, browser: Browser) {
    this.server = server;
    this.browser = browser;
  }

  static async start(): Promise<TestPages> {
    const server = await createServer({
      configFile: false,
      root: fileURLToPath(new URL('../../..', import.meta.url)),
      logLevel: 'error',
      plugins: [namedH264],
      worker: { format: 'es', plugins: () => [namedH264] },
      server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
      // Dependencies discovered at run time would reload the page during a test.
      optimizeDeps: { include: ['@mediabunny/aac-encoder', 'fabric', 'mediabunny', 'zod'], noDiscovery: true },
      // One cache per worker: two servers with the same prepared dependencies would break each other's pages.
      cacheDir: `node_modules/.vite-parts/${process.env.VITEST_POOL_ID}`,
    });
    await server.listen();
    return new TestPages(server, await launchBrowser());
  }

  /** Opens a page and waits until `window.handles` exists. */
  async open(path: string): Promise<Page> {
    const page = await openPage(this.browser, 800, 500);
    const address = this.server.httpServer?.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await page.goto(`http://127.0.0.1:${port}/test/e2e/parts/pages/${path}`);
    await page.waitForFunction('window.handles');
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
