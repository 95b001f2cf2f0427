import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

type Theme = 'dark' | 'light';

/** Waits for what fades or moves to its end: a colour on its way to another has a contrast that nobody is left with. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished)).then(() => undefined)`;

/**
 * What axe finds in a page as it is, which has reduced motion: the rule and the element, so that it can be fixed. All rules in the first of
 * the themes; another differs in its colours alone.
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

/** In the page alone: what the settings have set comes back with the next change of them. */
const setTheme = (page: Page, theme: Theme): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);

async function faultsNow(page: Page, colorsOnly: boolean): Promise<string[]> {
  await page.evaluate(STILL);
  // Its half a megabyte is read once a document; the library reads it twice a run.
  const isThere = await page.evaluate(`typeof axe === 'object'`);
  // In the page itself: results of frames would be put together in a page of their own, opened anew each time.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) }).setLegacyMode();
  // Nothing is put together of what is right, which is most of a page. Axe leaves the sizes of targets of WCAG 2.2 out unless asked.
  axe.options({
    resultTypes: ['violations'],
    ...(colorsOnly ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }),
  });
  // The focus guards of an open layer pass the focus on as soon as they get it.
  axe.exclude('[data-base-ui-focus-guard]');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}

/**
 * A list that names its active option keeps the focus: a clicked option that had it would take it along when it is scrolled out of the page,
 * and the keys would lead nowhere.
 */
export const focusTakers = (page: Page): Promise<string[]> =>
  page
    .locator(':is([role="listbox"], [role="grid"], table)[tabindex="0"], [aria-activedescendant]')
    .locator(':is([role="option"], tr)[tabindex]')
    .evaluateAll((found) => found.map(({ outerHTML }) => `takes the focus: ${outerHTML.slice(0, 200)}`));
