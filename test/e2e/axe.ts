import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

type Theme = 'dark' | 'light';

/** Waits for animations, since a colour in transition has another contrast. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished)).then(() => undefined)`;

/**
 * Axe's findings on a page with reduced motion: rule and element. All rules run in the first theme; other themes differ only in colours.
 */
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

/** Set in the page only; the next change of settings resets it. */
const setTheme = (page: Page, theme: Theme): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);

async function faultsNow(page: Page, colorsOnly: boolean): Promise<string[]> {
  await page.evaluate(STILL);
  // Axe is half a megabyte: loaded once per document, not twice per run as its library does.
  const isThere = await page.evaluate(`typeof axe === 'object'`);
  // Runs in the page itself: merging results of frames would open a new page each time.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) }).setLegacyMode();
  // Passed rules are left out, being most of the result. Axe omits WCAG 2.2 target sizes by default.
  axe.options({
    resultTypes: ['violations'],
    ...(colorsOnly ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }),
  });
  // Focus guards of an open layer pass the focus on immediately.
  axe.exclude('[data-base-ui-focus-guard]');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}

/**
 * Finds list options that would take the focus. A list with an active option keeps the focus itself: a focused option that scrolls away
 * would lose it, and keys would do nothing.
 */
export const focusTakers = (page: Page): Promise<string[]> =>
  page
    .locator(':is([role="listbox"], [role="grid"], table)[tabindex="0"], [aria-activedescendant]')
    .locator(':is([role="option"], tr)[tabindex]')
    .evaluateAll((found) => found.map(({ outerHTML }) => `takes the focus: ${outerHTML.slice(0, 200)}`));
