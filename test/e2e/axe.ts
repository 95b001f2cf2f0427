import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

type Theme = 'dark' | 'light';

/** Waits for animations: a colour in transition has a contrast of its own. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished)).then(() => undefined)`;

/** Axe's findings on a page with reduced motion: the rule and the element. The first theme gets all rules; others differ only in colours. */
export async function axeFaults(page: Page, themes: readonly Theme[] = ['dark', 'light']): Promise<string[]> {
  const shown = await page.evaluate<Theme>('document.documentElement.dataset.theme');
  const found: string[] = [];
  for (const [index, theme] of themes.entries()) {
    await setTheme(page, theme);
    found.push(...(await faultsNow(page, index > 0)).map((fault) => `${theme}: ${fault}`));
  }
  await setTheme(page, shown);
  return found;
}

/** Only in the page: the next change of settings resets it. */
const setTheme = (page: Page, theme: Theme): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);

async function faultsNow(page: Page, colorsOnly: boolean): Promise<string[]> {
  await page.evaluate(STILL);
  // Its half a megabyte is read once a document; the library reads it twice a run.
  const isThere = await page.evaluate(`typeof axe === 'object'`);
  // In the page itself: results of frames would be merged in a new page each time.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) }).setLegacyMode();
  // Passed rules are not collected, being most of a page. Axe omits WCAG 2.2 target sizes by default.
  axe.options({
    resultTypes: ['violations'],
    ...(colorsOnly ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }),
  });
  // Focus guards of an open layer pass the focus on at once.
  axe.exclude('[data-base-ui-focus-guard]');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}

/**
 * A list that names its active option keeps the focus: if a clicked option took it, scrolling that option away would lose the focus, and
 * keys would lead nowhere.
 */
export const focusTakers = (page: Page): Promise<string[]> =>
  page
    .locator(':is([role="listbox"], [role="grid"], table)[tabindex="0"], [aria-activedescendant]')
    .locator(':is([role="option"], tr)[tabindex]')
    .evaluateAll((found) => found.map(({ outerHTML }) => `takes the focus: ${outerHTML.slice(0, 200)}`));
