import type { Browser, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { CallOutput } from '../../src/shared/contract/contract.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import { launchBrowser, openPage } from '../helpers/browser.ts';
import { type Host, type HostOptions, startHost } from '../helpers/host.ts';
import { labels } from '../labels.ts';

/** The whole program with a page open in a real browser, as a person uses it. */
export class Program {
  /** The running programs of this file. */
  static readonly open = new Set<Program>();
  /** The last content of stopped ones. */
  static readonly lastShown: string[] = [];
  host: Host;
  readonly browser: Browser;
  page: Page;
  /** The page's errors; a test ends by checking that there are none. */
  readonly complaints: string[] = [];

  private constructor(host: Host, browser: Browser, page: Page) {
    this.host = host;
    this.browser = browser;
    this.page = page;
  }

  static async start(options?: HostOptions): Promise<Program> {
    const [host, browser] = await Promise.all([startHost(options), launchBrowser()]);
    const page = await openPage(browser, 1440, 900);
    const program = new Program(host, browser, page);
    Program.open.add(program);
    program.listen();
    await page.goto(host.url);
    // The page removes its ticket from the address before it draws.
    await page.locator('#root > *').first().waitFor();
    return program;
  }

  private listen(): void {
    this.page.on('pageerror', (error) => this.complaints.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  /** Goes to a page by the navigation. A link's name may end with a count: "Queue, 1 unconfirmed". */
  async goTo(name: string): Promise<void> {
    const rail = this.page.getByRole('navigation', { name: labels.pages });
    await rail.getByRole('link', { name: new RegExp(`^${name}(,|$)`) }).click();
  }

  /** Presses Tab until an element with this name has the focus. */
  async tabTo(name: RegExp): Promise<void> {
    const named = 'const nameOf = (one) => one.ariaLabel ?? one.textContent ?? "";';
    const controls = `document.querySelectorAll('a, button, input, select, textarea, [tabindex], [role]')`;
    const isThere = `(() => { ${named} return [...${controls}].some((one) => ${name}.test(nameOf(one))); })()`;
    await expect.poll(() => this.page.evaluate(isThere)).toBe(true);
    for (let step = 0; step < 80; step++) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate<string>(`(() => { ${named} return nameOf(document.activeElement); })()`);
      if (name.test(focused)) return;
    }
    throw new Error(`Tab never came to ${name}`);
  }

  /** Waits until the paid button is enabled: its price is shown and nothing is missing. */
  async canSend(label: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: label, disabled: false }).waitFor();
  }

  /**
   * Presses the shortcut of a paid button until `after` appears. While the price is read again the button is disabled and ignores it; after
   * it worked, more presses do nothing.
   */
  async press(label: RegExp, after: Locator | (() => Promise<boolean>)): Promise<void> {
    const button = this.page.getByRole('button', { name: label, disabled: false });
    await button.waitFor();
    const isThere = async () => {
      if (await button.isVisible()) await this.page.keyboard.press('Control+Enter');
      return typeof after === 'function' ? after() : after.isVisible();
    };
    await expect.poll(isThere, { interval: 500 }).toBe(true);
  }

  /** Kills the program as a power cut does, starts it again on the same folder and opens a new page. */
  async killAndRestart(): Promise<void> {
    await this.page.close();
    await this.host.kill('SIGKILL');
    this.host = await this.host.restart();
    this.page = await openPage(this.browser, 1440, 900);
    this.listen();
    await this.page.goto(this.host.url);
  }

  /** Performs an action that creates a job of this kind, and returns the job when it has ended. */
  async made(kind: Job['kind'], act: () => Promise<unknown>): Promise<Job> {
    const events = await this.host.events();
    try {
      const { jobs } = await this.host.ask('jobs.list', { limit: 500 });
      const old = new Set(jobs.map(({ id }) => id));
      await act();
      const begun = await events.next('job.changed', ({ job }) => job.kind === kind && !old.has(job.id));
      const ended = await events.next(
        'job.changed',
        ({ job }) => job.id === begun.job.id && job.finishedAt !== undefined,
      );
      return ended.job;
    } finally {
      await events.close();
    }
  }

  /** The built-in sandbox's bill. */
  async bill(): Promise<{
    totalNano: number;
    entries: { at: string; id: string; model: string; nano: number; prompt: string }[];
  }> {
    const { profiles }: CallOutput<'profiles.list'> = await this.host.ask('profiles.list');
    const sandbox = profiles.find(({ builtin }) => builtin);
    return (await fetch(`${sandbox?.baseUrl}/__sandbox/bill`)).json() as never;
  }

  /** The page's address, text and errors. */
  async shown(): Promise<string> {
    const words = await this.page.evaluate<string>('location.hash + "\\n" + document.body.innerText').catch(String);
    return [words, ...this.complaints].join('\n');
  }

  async stop(): Promise<void> {
    Program.open.delete(this);
    Program.lastShown.push(await this.shown());
    // A call that the test intercepts may still be pending; answering a closed page is no error.
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.browser.close();
    await this.host.stop();
  }
}
